package figures

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/verify"
)

// policyOf names the policy of each row of table 1.
func policyOf() (map[string]string, error) {
	claims, err := verify.Claims("003")
	names := map[string]string{}
	for _, c := range claims {
		names[c.ID] = c.Cond["policy"]
	}
	return names, err
}

// pairedBars draws table 1: for each policy the paper's bar, with its
// tolerance, and the model's.
func pairedBars(rows []verify.Row) (Drawing, error) {
	names, err := policyOf()
	if err != nil {
		return nil, err
	}
	time, err := barPanel(rows, "time", "run time [ms]", names)
	if err != nil {
		return nil, err
	}
	util, err := barPanel(rows, "pe_utilisation", "PE utilisation [%]", names)
	if err != nil {
		return nil, err
	}
	return panels{title: "fib(20) on 80 PEs: the static policies; whiskers: tolerance around the paper's number", plots: [][]*plot.Plot{{time}, {util}}}, nil
}

// barPanel draws the pairs of one quantity.
func barPanel(rows []verify.Row, quantity, label string, names map[string]string) (*plot.Plot, error) {
	const half = 0.36
	p := newPlot("", "", label)
	p.Add(greyGrid())
	var ticks []plot.Tick
	top := 0.0
	for _, r := range rows {
		paper, okPaper := r.Paper.(float64)
		model, okModel := r.Model.(float64)
		if r.Quantity != quantity || !okPaper || !okModel {
			continue
		}
		at := float64(len(ticks))
		ticks = append(ticks, plot.Tick{Value: at, Label: names[r.ID]})
		top = max(top, paper, model)
		for i, v := range []float64{paper, model} {
			left := at - half + float64(float64(i)*half)
			bar, err := plotter.NewPolygon(plotter.XYs{{X: left, Y: 0}, {X: left, Y: v}, {X: left + half, Y: v}, {X: left + half, Y: 0}})
			if err != nil {
				return nil, err
			}
			bar.Color, bar.LineStyle.Width = shades[1+2*i], vg.Points(0.6)
			p.Add(bar)
			if at == 0 {
				p.Legend.Add([]string{"paper", "model"}[i], bar)
			}
		}
		p.Add(&pairText{at, half, paper, model, allowed(r, paper), r})
	}
	p.X.Min, p.X.Max = -0.6, float64(len(ticks))-0.4
	p.X.Tick.Marker, p.X.Tick.Length = plot.ConstantTicks(ticks), 0
	p.Y.Min, p.Y.Max = 0, float64(1.25*top)
	p.Legend.Left = quantity == "time" // no bar is high there
	return p, nil
}

// allowed is half the width of a row's tolerance, in the row's own unit.
func allowed(r verify.Row, paper float64) float64 {
	if r.Unit == "%" {
		return r.Tolerance
	}
	return float64(r.Tolerance * paper)
}

// pairText writes the numbers above a pair of bars and draws the paper's
// tolerance.
type pairText struct {
	at, half, paper, model, tolerance float64
	row                               verify.Row
}

// Plot implements plot.Plotter.
func (t *pairText) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := p.X.Tick.Label
	style.Font.Size, style.XAlign, style.YAlign = vg.Points(7.5), draw.XCenter, draw.YBottom
	line := draw.LineStyle{Color: color.Black, Width: vg.Points(0.8)}
	at, cap := x(t.at-t.half/2), vg.Points(3)
	low, high := y(math.Max(0, t.paper-t.tolerance)), y(t.paper+t.tolerance)
	c.StrokeLine2(line, at, low, at, high)
	c.StrokeLine2(line, at-cap, low, at+cap, low)
	c.StrokeLine2(line, at-cap, high, at+cap, high)
	number := "%.2f"
	if t.row.Unit == "%" {
		number = "%.1f"
	}
	c.FillText(style, vg.Point{X: at, Y: high + vg.Points(2)}, fmt.Sprintf(number, t.paper))
	model := vg.Point{X: x(t.at + t.half/2), Y: y(t.model) + vg.Points(2)}
	c.FillText(style, model, fmt.Sprintf(number, t.model))
	if t.row.Gap != nil {
		style.YAlign = draw.YTop
		c.FillText(style, model.Sub(vg.Point{Y: vg.Points(4)}), fmt.Sprintf("gap %d", *t.row.Gap))
	}
}

// deviationLimit is where the scale of the deviations ends; rows beyond it
// are drawn on the edge.
const deviationLimit = 12.0

// deviations draws one line per row: its tolerance as a band, its deviation as
// a dot, gaps as rings with their numbers. Rows in words have no dot.
func deviations(title string, rows []verify.Row) (Drawing, error) {
	p := newPlot(title, "deviation from the paper: per cent of its number, or points where the number is a share [%]\n"+
		"grey: tolerance; ring: known gap; triangle: off the scale; cross: not ok", "")
	p.X.Label.TextStyle.Font.Size = vg.Points(8)
	d := rowDots{rows: rows}
	p.Add(d)
	var ticks []plot.Tick
	for i, r := range rows {
		ticks = append(ticks, plot.Tick{Value: d.line(i), Label: strings.TrimPrefix(r.ID, r.PaperNo+".")})
	}
	p.Y.Tick.Marker, p.Y.Tick.Length = plot.ConstantTicks(ticks), 0
	p.Y.Tick.Label.Font.Size = vg.Points(7.5)
	p.Y.Min, p.Y.Max = -1, float64(len(rows))
	p.X.Min, p.X.Max = -deviationLimit, 2*deviationLimit
	p.X.Tick.Marker = plot.ConstantTicks{{Value: -10, Label: "-10"}, {Value: -5, Label: "-5"}, {Value: 0, Label: "0"}, {Value: 5, Label: "+5"}, {Value: 10, Label: "+10"}}
	return p, nil
}

// rowDots paints the rows of a deviations plot.
type rowDots struct{ rows []verify.Row }

// line is the height of row i: the first on top.
func (d rowDots) line(i int) float64 { return float64(len(d.rows) - 1 - i) }

// Plot implements plot.Plotter.
func (d rowDots) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	text := p.X.Tick.Label
	text.Font.Size, text.XAlign, text.YAlign = vg.Points(7.5), draw.XLeft, draw.YCenter
	rule := draw.LineStyle{Color: color.Gray{Y: 170}, Width: vg.Points(0.4), Dashes: []vg.Length{1, 2}}
	for i, r := range d.rows {
		at := y(d.line(i))
		half := vg.Length((y(1) - y(0)) * 0.38)
		if r.Deviation != nil {
			// Tolerances are fractions, except for shares.
			tol := min(deviationLimit, scaled(r, r.Tolerance))
			box := []vg.Point{{X: x(-tol), Y: at - half}, {X: x(-tol), Y: at + half}, {X: x(tol), Y: at + half}, {X: x(tol), Y: at - half}}
			c.FillPolygon(color.Gray{Y: 222}, box)
		}
		c.StrokeLine2(rule, x(-deviationLimit), at, x(deviationLimit), at)
	}
	c.StrokeLine2(draw.LineStyle{Color: color.Black, Width: vg.Points(0.6)}, x(0), y(-1), x(0), y(float64(len(d.rows))))
	for i, r := range d.rows {
		at := y(d.line(i))
		if r.Deviation != nil {
			v := scaled(r, *r.Deviation)
			c.DrawGlyph(dotOf(r, v), vg.Point{X: x(max(-deviationLimit, min(deviationLimit, v))), Y: at})
		}
		c.FillText(text, vg.Point{X: x(deviationLimit) + vg.Points(8), Y: at + vg.Points(1)}, verdict(r))
	}
}

// scaled returns a deviation or tolerance in per cent, or points of a share.
func scaled(r verify.Row, v float64) float64 {
	if r.Unit == "%" {
		return v
	}
	return float64(100 * v)
}

// dotOf is a dot, a ring for a gap, a cross for a row that is not ok, or a
// triangle where the deviation is off the scale.
func dotOf(r verify.Row, v float64) draw.GlyphStyle {
	g := draw.GlyphStyle{Color: color.Black, Radius: vg.Points(2.4), Shape: draw.CircleGlyph{}}
	switch {
	case math.Abs(v) > deviationLimit:
		g.Shape, g.Radius = draw.TriangleGlyph{}, vg.Points(3)
	case !r.OK:
		g.Shape, g.Radius = draw.CrossGlyph{}, vg.Points(3)
	case r.Gap != nil:
		g.Shape = draw.RingGlyph{}
	}
	return g
}

// verdict is the text to the right of a row.
func verdict(r verify.Row) string {
	said := fmt.Sprint(r.Model)
	if i := strings.Index(said, ":"); i >= 0 {
		said = said[:i] // "fails: ..."
	}
	if r.Deviation != nil {
		unit := "%"
		if r.Unit == "%" {
			unit = "points"
		}
		said = fmt.Sprintf("%+.1f %s", scaled(r, *r.Deviation), unit)
	}
	var marks []string
	if r.Gap != nil {
		marks = append(marks, fmt.Sprintf("gap %d", *r.Gap))
	}
	if !r.OK {
		marks = append(marks, "NOT OK")
	}
	marks = slices.Insert(marks, 0, said)
	return strings.Join(marks, ", ")
}
