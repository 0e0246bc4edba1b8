package figures

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/base/lists"
)

// shadedTables are tables of numbers, one below the other; the darker a cell, the greater its value.
type shadedTables struct {
	title  string // the result that the figure shows
	about  string // what the numbers are
	keys   []key
	panels []shadedTable
}

// shadedTable is one table of such a figure. Columns come in groups.
type shadedTable struct {
	title   string
	rows    []string
	groups  []string
	columns [][]string  // by group
	cells   []tableCell // row by row
}

// tableCell is a number with its shade: 0 white, 1 darkest blue, -1 darkest rust.
type tableCell struct {
	text  string
	shade float64
}

// Draw paints the tables, with lines of one height.
func (t shadedTables) Draw(c draw.Canvas) {
	c = paragraph(c, t.title, t.about)
	if t.keys != nil {
		c = legend(c, sansStyle(9, draw.XLeft, draw.YCenter), t.keys)
	}
	lines, heads, left := 0, vg.Length(0), vg.Length(0)
	for _, p := range t.panels {
		lines += len(p.rows)
		heads += p.headHeight()
		left = max(left, widest(p.rows, sansStyle(8, draw.XRight, draw.YCenter)))
	}
	room := c.Max.Y - c.Min.Y - 6
	line := min(18, (room-heads)/vg.Length(max(1, lines)))
	top := c.Max.Y
	for _, p := range t.panels {
		p.paint(c, top, left+12, line)
		top -= p.headHeight() + vg.Length(vg.Length(len(p.rows))*line)
	}
}

// headHeight returns the room for the title, the groups and the columns' vertical names.
func (t *shadedTable) headHeight() vg.Length {
	return widest(slices.Concat(t.columns...), sansStyle(7.5, draw.XLeft, draw.YCenter)) + 34
}

// widest returns the width of the longest name, or 0 without names.
func widest(names []string, style text.Style) vg.Length {
	return slices.Max(append(lists.Of(names, style.Width), 0))
}

// paint paints one table: top is its upper edge, left the left edge of its cells, and line the height of a row.
func (t *shadedTable) paint(c draw.Canvas, top, left, line vg.Length) {
	const gap = vg.Length(8) // between groups
	n := len(slices.Concat(t.columns...))
	wide := (c.Max.X - c.Min.X - left - 6 - gap*vg.Length(max(0, len(t.columns)-1))) / vg.Length(max(1, n))
	first := top - t.headHeight() // upper edge of the cells
	c.FillText(sansStyle(9, draw.XLeft, draw.YCenter), vg.Point{X: c.Min.X + 6, Y: top - 14}, t.title)
	names := sansStyle(8, draw.XRight, draw.YCenter)
	for r, name := range t.rows {
		c.FillText(names, vg.Point{X: c.Min.X + left - 4, Y: first - vg.Length((vg.Length(r)+0.5)*line)}, name)
	}
	x, at := c.Min.X+left, 0
	for g, columns := range t.columns {
		writeAt(c, 8, vg.Point{X: x + wide*vg.Length(len(columns))/2, Y: top - 14}, t.groups[g])
		for i, name := range columns {
			upright := sansStyle(7.5, draw.XLeft, draw.YCenter)
			upright.Rotation = math.Pi / 2
			c.FillText(upright, vg.Point{X: x + vg.Length((vg.Length(i)+0.5)*wide), Y: first + 4}, name)
			for r := range t.rows {
				left, bottom := x+vg.Length(vg.Length(i)*wide), first-vg.Length(vg.Length(r+1)*line)
				t.cells[r*n+at+i].paint(c, rectangle(left, bottom, left+wide, bottom+line))
			}
		}
		x, at = x+vg.Length(wide*vg.Length(len(columns)))+gap, at+len(columns)
	}
}

// shade returns the colour of a cell: white at 0, dark blue at 1, dark rust at -1.
func shade(part float64) color.RGBA {
	if part < 0 {
		return mixColours(white, rgb(0x7a2e12), -part)
	}
	return mixColours(white, rgb(0x14365f), part)
}

// paint paints a cell; the text on dark cells is white.
func (t tableCell) paint(c draw.Canvas, r vg.Rectangle) {
	paintBox(c, r, shade(t.shade), greyLine(200, 0.4))
	style := sansStyle(7.5, draw.XCenter, draw.YCenter)
	if room, need := r.Size().X-2, style.Width(t.text); need > room {
		style.Font.Size = vg.Length(style.Font.Size * room / need)
	}
	if math.Abs(t.shade) > 0.5 {
		style.Color = color.White
	}
	c.FillText(style, vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}, t.text)
}
