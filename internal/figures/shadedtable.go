package figures

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// shadedTables are tables of numbers, one below the other; the darker a cell,
// the greater its value.
type shadedTables struct {
	title  string
	panels []shadedTable
}

// shadedTable is one of them. Columns come in groups.
type shadedTable struct {
	title   string
	rows    []string
	groups  []string
	columns [][]string  // by group
	cells   []tableCell // row by row
}

// tableCell is a number with its shade, 0 white to 1 black.
type tableCell struct {
	text  string
	shade float64
}

// tableText is the style of a table's text.
func tableText(points float64) text.Style {
	style := newPlot("", "", "").X.Tick.Label
	style.Font.Size = vg.Points(points)
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	return style
}

// Draw paints the tables, with heights proportional to their numbers of lines.
func (t shadedTables) Draw(c draw.Canvas) {
	title := newPlot("", "", "").Title.TextStyle
	title.Font.Size, title.XAlign, title.YAlign = vg.Points(9), draw.XCenter, draw.YTop
	c.FillText(title, vg.Point{X: c.Center().X, Y: c.Max.Y - vg.Points(4)}, t.title)
	lines, heads, left := 0, vg.Length(0), vg.Length(0)
	for _, p := range t.panels {
		lines += len(p.rows)
		heads += p.headHeight()
		left = max(left, widest(p.rows, tableText(8)))
	}
	room := c.Max.Y - c.Min.Y - vg.Points(20)
	line := min(vg.Points(18), (room-heads)/vg.Length(max(1, lines)))
	top := c.Max.Y - vg.Points(18)
	for _, p := range t.panels {
		p.draw(c, top, left+vg.Points(12), line)
		top -= p.headHeight() + vg.Length(vg.Length(len(p.rows))*line)
	}
}

// headHeight is the room for the title, the groups and the columns' names,
// which are vertical.
func (t *shadedTable) headHeight() vg.Length {
	tall := vg.Length(0)
	for _, names := range t.columns {
		tall = max(tall, widest(names, tableText(7.5)))
	}
	return tall + vg.Points(34)
}

func widest(names []string, style text.Style) vg.Length {
	w := vg.Length(0)
	for _, n := range names {
		w = max(w, style.Width(n))
	}
	return w
}

// draw paints one table below top, its cells right of left.
func (t *shadedTable) draw(c draw.Canvas, top, left, line vg.Length) {
	const gap = vg.Length(8) // between groups
	n := 0
	for _, g := range t.columns {
		n += len(g)
	}
	wide := (c.Max.X - c.Min.X - left - vg.Points(6) - gap*vg.Length(max(0, len(t.columns)-1))) / vg.Length(max(1, n))
	first := top - t.headHeight() // upper edge of the cells
	head := tableText(9)
	head.XAlign = draw.XLeft
	c.FillText(head, vg.Point{X: c.Min.X + vg.Points(6), Y: top - vg.Points(14)}, t.title)
	names := tableText(8)
	names.XAlign = draw.XRight
	for r, name := range t.rows {
		c.FillText(names, vg.Point{X: c.Min.X + left - vg.Points(4), Y: first - vg.Length((vg.Length(r)+0.5)*line)}, name)
	}
	x, at := c.Min.X+left, 0
	for g, columns := range t.columns {
		group := tableText(8)
		c.FillText(group, vg.Point{X: x + wide*vg.Length(len(columns))/2, Y: top - vg.Points(14)}, t.groups[g])
		for i, name := range columns {
			upright := tableText(7.5)
			upright.Rotation, upright.XAlign = math.Pi/2, draw.XLeft
			c.FillText(upright, vg.Point{X: x + vg.Length((vg.Length(i)+0.5)*wide), Y: first + vg.Points(4)}, name)
			for r := range t.rows {
				t.cells[r*n+at+i].draw(c, vg.Rectangle{
					Min: vg.Point{X: x + vg.Length(vg.Length(i)*wide), Y: first - vg.Length(vg.Length(r+1)*line)},
					Max: vg.Point{X: x + vg.Length(vg.Length(i+1)*wide), Y: first - vg.Length(vg.Length(r)*line)},
				})
			}
		}
		x, at = x+vg.Length(wide*vg.Length(len(columns)))+gap, at+len(columns)
	}
}

// draw paints a cell; the text on dark cells is white.
func (t tableCell) draw(c draw.Canvas, r vg.Rectangle) {
	corners := []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}, r.Min}
	c.FillPolygon(color.Gray{Y: uint8(255 - float64(225*t.shade))}, corners)
	c.StrokeLines(draw.LineStyle{Color: color.Gray{Y: 200}, Width: vg.Points(0.4)}, corners)
	style := tableText(7.5)
	if room, need := r.Size().X-vg.Points(2), style.Width(t.text); need > room {
		style.Font.Size = vg.Length(style.Font.Size * (room / need))
	}
	if t.shade > 0.6 { // on these white is more readable than black
		style.Color = color.White
	}
	c.FillText(style, vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}, t.text)
}
