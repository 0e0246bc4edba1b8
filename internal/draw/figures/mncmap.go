package figures

import (
	"context"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/mnc"
)

// mncMap draws the 16 PEs and 16 QPRs on a grid of 4 rows and 8 columns with
// the load of each, and highlights the four QPRs of one PE and its twelve
// neighbours.
func mncMap(ctx context.Context) (Drawing, error) {
	w := mnc.Net16()
	c := mnc.Default(w)
	c.Items, c.Loops = 2000, 100
	s, err := mncStats(ctx, c)
	if err != nil {
		return nil, err
	}
	return sheet{w, s, sheetPE}, nil
}

// sheet is a wiring whose names are row and column, such as "38".
type sheet struct {
	wiring mnc.Incidence
	stats  mnc.Stats
	pe     int // the PE whose neighbourhood is highlighted
}

const (
	sheetColumns = 8
	sheetRows    = 4
	sheetPE      = 5
	sheetRadius  = 13 // points
)

// Draw paints the sheet.
func (s sheet) Draw(c draw.Canvas) {
	label := func(size float64, x, y vg.Length, txt string) {
		c.FillText(text.Style{
			Color: color.Black, Font: font.From(plot.DefaultFont, vg.Points(size)),
			XAlign: text.XCenter, YAlign: text.YCenter, Handler: plot.DefaultTextHandler,
		}, vg.Point{X: x, Y: y}, txt)
	}
	label(11, c.Center().X, c.Max.Y-vg.Points(14), "MNC net16: PEs (round) and QPRs (square); darker: more f(), more words")
	label(9, c.Center().X, c.Min.Y+vg.Points(21), "Source QPR 26 and sink QPR 38 have a thick edge. Black lines: PE 23 and its four QPRs;")
	label(9, c.Center().X, c.Min.Y+vg.Points(9), "dashed: the twelve PEs that it reaches through them; pale: all others. Load of 2000 data of 100 loops.")
	grid := draw.Crop(c, 0, 0, vg.Points(28), -vg.Points(26))
	s.links(grid)

	words := make([]float64, len(s.stats.QPR))
	for q, st := range s.stats.QPR {
		words[q] = float64(st.Reads + st.Writes)
	}
	for q, b := range s.wiring.Boards {
		at, width := sheetPlace(grid, b.Name), 0.8
		if q == s.wiring.Source || q == s.wiring.Sink {
			width = 3
		}
		node(grid, at, draw.BoxGlyph{}, words[q]/slices.Max(words), width)
		label(9, at.X, at.Y, b.Name)
	}
	for pe, st := range s.stats.PE {
		at := sheetPlace(grid, s.wiring.PEName(pe))
		node(grid, at, draw.CircleGlyph{}, float64(st.Proc)/float64(s.stats.Clocks), 0.8)
		label(9, at.X, at.Y, s.wiring.PEName(pe))
	}
}

// links draws which PE touches which QPR, the chosen PE's neighbourhood last.
func (s sheet) links(c draw.Canvas) {
	for pass := range 3 {
		style := []draw.LineStyle{
			{Color: color.Gray{Y: 215}, Width: vg.Points(0.5)},
			{Color: color.Gray{Y: 90}, Width: vg.Points(0.8), Dashes: []vg.Length{4, 2}},
			{Color: color.Black, Width: vg.Points(2)},
		}[pass]
		for _, b := range s.wiring.Boards {
			for _, pe := range b.Ports {
				kind := 0
				if pe == s.pe {
					kind = 2
				} else if slices.Contains(b.Ports[:], s.pe) {
					kind = 1
				}
				if kind == pass {
					bow(c, style, sheetPlace(c, b.Name), sheetPlace(c, s.wiring.PEName(pe)))
				}
			}
		}
	}
}

// bow draws a link: straight, or as an arc if boxes lie exactly between its
// ends.
func bow(c draw.Canvas, style draw.LineStyle, from, to vg.Point) {
	if from.X > to.X {
		from, to = to, from
	}
	along := to.Sub(from)
	columns := int(math.Round(float64(along.X / c.Size().X * sheetColumns)))
	rows := int(math.Round(math.Abs(float64(along.Y / c.Size().Y * sheetRows))))
	height := vg.Length(0)
	if gcd(columns, rows) > 1 {
		height = vg.Points(sheetRadius + float64(2*columns))
	}
	length := vg.Length(math.Hypot(float64(along.X), float64(along.Y)))
	up := vg.Point{X: -along.Y, Y: along.X}.Scale(2 * height / length)
	var p vg.Path
	p.Move(from)
	p.QuadTo(from.Add(along.Scale(0.5)).Add(up), to)
	c.SetLineStyle(style)
	c.Stroke(p)
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// sheetPlace is the place of a name on the sheet.
func sheetPlace(c draw.Canvas, name string) vg.Point {
	row, column := int(name[0]-'0'), int(name[1]-'0')
	return vg.Point{
		X: c.Min.X + c.Size().X*vg.Length(2*column-1)/(2*sheetColumns),
		Y: c.Max.Y - c.Size().Y*vg.Length(2*row-1)/(2*sheetRows),
	}
}

// node paints a box of the sheet: shade 0 white, 1 dark, never too dark to
// read its name.
func node(c draw.Canvas, at vg.Point, shape draw.GlyphDrawer, shade, width float64) {
	edge := draw.GlyphStyle{Color: color.Black, Radius: vg.Points(sheetRadius + width), Shape: shape}
	fill := draw.GlyphStyle{Color: color.Gray{Y: uint8(255 - float64(130*shade))}, Radius: vg.Points(sheetRadius), Shape: shape}
	c.DrawGlyphNoClip(edge, at)
	c.DrawGlyphNoClip(fill, at)
}
