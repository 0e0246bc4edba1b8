package figures

import (
	"fmt"
	"image/color"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/verify"
)

// bandLimit is where the scale of the bands ends, on both sides.
const bandLimit = 38.0

// bands draws one line for each row that was measured in several runs: its
// tolerance, the band from the least to the greatest value, the mean, the best
// run and the first run after boot, all as deviations from the paper.
func bands(title string, rows []verify.Row) (Drawing, error) {
	var numeric []verify.Row
	for _, r := range rows {
		if r.Mean != nil && r.Deviation != nil && r.Tolerance > 0 {
			numeric = append(numeric, r)
		}
	}
	p := newPlot(title, "deviation from the paper: per cent, points for shares", "")
	p.X.Label.TextStyle.Font.Size = vg.Points(8)
	b := rowBands{numeric}
	p.Add(b)
	var ticks []plot.Tick
	for i, r := range numeric {
		ticks = append(ticks, plot.Tick{Value: b.line(i), Label: "      " + strings.TrimPrefix(r.ID, r.PaperNo+".")})
	}
	p.Y.Tick.Marker, p.Y.Tick.Length = plot.ConstantTicks(ticks), 0
	p.Y.Tick.Label.Font.Size = vg.Points(7)
	p.Y.Min, p.Y.Max = -1, float64(len(numeric))+1.6
	p.X.Min, p.X.Max = -bandLimit, 2.7*bandLimit
	p.X.Tick.Marker = plot.ConstantTicks{{Value: -30, Label: "-30"}, {Value: -20, Label: "-20"}, {Value: -10, Label: "-10"}, {Value: 0, Label: "0"}, {Value: 10, Label: "+10"}, {Value: 20, Label: "+20"}, {Value: 30, Label: "+30"}}
	return p, nil
}

// rowBands paints the rows of a bands plot.
type rowBands struct{ rows []verify.Row }

// line is the height of row i: the first on top.
func (b rowBands) line(i int) float64 { return float64(len(b.rows) - 1 - i) }

// The marks of a band, with their names in the legend.
var bandMarks = []struct {
	name  string
	of    func(r verify.Row) float64
	glyph draw.GlyphStyle
}{
	{"first run after boot", func(r verify.Row) float64 { return *r.First }, draw.GlyphStyle{Color: color.Black, Radius: vg.Points(2.2), Shape: draw.CrossGlyph{}}},
	{"best run", func(r verify.Row) float64 { return *r.Best }, draw.GlyphStyle{Color: color.Black, Radius: vg.Points(2.6), Shape: draw.RingGlyph{}}},
	{"mean", func(r verify.Row) float64 { return *r.Mean }, draw.GlyphStyle{Color: color.Black, Radius: vg.Points(2), Shape: draw.CircleGlyph{}}},
}

// Plot implements plot.Plotter.
func (b rowBands) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	inside := func(v float64) vg.Length { return x(max(-bandLimit, min(bandLimit, v))) }
	text := p.X.Tick.Label
	text.Font.Size, text.XAlign, text.YAlign = vg.Points(7), draw.XLeft, draw.YCenter
	thin := draw.LineStyle{Color: color.Gray{Y: 170}, Width: vg.Points(0.4), Dashes: []vg.Length{1, 2}}
	thick := draw.LineStyle{Color: color.Gray{Y: 70}, Width: vg.Points(1.6)}
	half := vg.Length((y(1) - y(0)) * 0.38)
	box := func(from, to, at vg.Length) {
		c.FillPolygon(color.Gray{Y: 222}, []vg.Point{{X: from, Y: at - half}, {X: from, Y: at + half}, {X: to, Y: at + half}, {X: to, Y: at - half}})
	}
	for i, r := range b.rows {
		at, tol := y(b.line(i)), scaled(r, r.Tolerance)
		box(inside(-tol), inside(tol), at)
		c.StrokeLine2(thin, x(-bandLimit), at, x(bandLimit), at)
	}
	c.StrokeLine2(draw.LineStyle{Color: color.Black, Width: vg.Points(0.6)}, x(0), y(-1), x(0), y(float64(len(b.rows))))
	for i, r := range b.rows {
		at := y(b.line(i))
		c.StrokeLine2(thick, inside(b.from(r, *r.Min)), at, inside(b.from(r, *r.Max)), at)
		for _, m := range bandMarks {
			c.DrawGlyph(m.glyph, vg.Point{X: inside(b.from(r, m.of(r))), Y: at})
		}
		c.FillText(text, vg.Point{X: x(bandLimit) + vg.Points(6), Y: at + vg.Points(1)}, bandText(r))
	}
	b.legend(c, text, thick, box, x(-bandLimit), y(float64(len(b.rows))+0.7))
}

// from is how far a value lies from the paper's, on the scale of the plot.
func (b rowBands) from(r verify.Row, v float64) float64 {
	paper := r.Paper.(float64)
	if r.Unit == "%" {
		return v - paper
	}
	return float64(100 * (v/paper - 1))
}

// legend names the marks in one line.
func (b rowBands) legend(c draw.Canvas, text draw.TextStyle, thick draw.LineStyle, box func(from, to, at vg.Length), at, y vg.Length) {
	put := func(wide vg.Length, name string) {
		c.FillText(text, vg.Point{X: at + wide + vg.Points(4), Y: y + vg.Points(1)}, name)
		at += wide + text.Width(name) + vg.Points(20)
	}
	box(at, at+vg.Points(14), y)
	put(vg.Points(14), "tolerance")
	c.StrokeLine2(thick, at, y, at+vg.Points(14), y)
	put(vg.Points(14), "all runs")
	for _, m := range bandMarks {
		c.DrawGlyph(m.glyph, vg.Point{X: at + vg.Points(3), Y: y})
		put(vg.Points(6), m.name)
	}
}

// bandText is what stands to the right of a row.
func bandText(r verify.Row) string {
	s := fmt.Sprintf("paper %.4g: %.4g [%.4g, %.4g]", r.Paper, *r.Mean, *r.Min, *r.Max)
	if r.Gap != nil {
		s += fmt.Sprintf(", gap %d", *r.Gap)
	}
	if !r.OK {
		s += ", NOT OK"
	}
	return s
}
