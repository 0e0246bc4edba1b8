package figures

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/sweep"
)

// marks draws a mark for each row of the table, in groups of rows that differ
// only by the last axis.
func (s *sweepChart) marks(f Figure) (Figure, error) {
	rows := s.rows
	if s.ratios { // the base is the line at 1
		rows = slices.DeleteFunc(slices.Clone(rows), func(r sweepRow) bool { return r["variant"] == "base" })
	}
	if len(rows) > sweepMarks {
		return f, fmt.Errorf("a picture would have %d rows, and at most %d can be read: make the sweep smaller, or choose a numeric axis", len(rows), sweepMarks)
	}
	m := &marks{chart: s, title: f.Title}
	last := max(0, len(s.axes)-1)
	group := func(r sweepRow) string { return words(r, s.axes[:last]) }
	for _, title := range distinct(rows, group) {
		if title != "" {
			m.lines = append(m.lines, markLine{title: title})
		}
		for _, r := range rows {
			if group(r) == title {
				m.lines = append(m.lines, markLine{row: r, title: words(r, s.axes[last:])})
			}
		}
	}
	f.Width = 20 * vg.Centimeter
	f.Height = vg.Points(70 + float64(12*float64(len(m.lines))))
	f.Draw = func(context.Context) (Drawing, error) { return m.plot(), nil }
	return f, nil
}

// marks paints rows: a title, an interval with its mean, and both as text.
type marks struct {
	chart *sweepChart
	title string
	lines []markLine
}

// markLine is a row of the table, or the title of a group if it has none.
type markLine struct {
	row   sweepRow
	title string
}

// markText is the width that the numbers take, by that of the marks.
const markText = 0.7

func (m *marks) plot() *plot.Plot {
	p := newPlot(m.title, m.chart.label(), "")
	low, high := math.Inf(1), math.Inf(-1)
	var ticks []plot.Tick
	for i, l := range m.lines {
		if l.row != nil {
			ticks = append(ticks, plot.Tick{Value: m.at(i), Label: l.title})
		}
		if v, ok := l.row.number(m.chart.y); ok {
			a, b := m.chart.interval(l.row)
			low, high = min(low, a, v), max(high, b, v)
		}
	}
	if m.chart.ratios {
		low, high = min(low, 1), max(high, 1)
	}
	margin := float64((high - low) * 0.04)
	if margin == 0 {
		margin = 1
	}
	p.X.Min, p.X.Max = low-margin, high+margin+float64(markText*(high-low+2*margin))
	p.Y.Min, p.Y.Max = -1, float64(len(m.lines))
	p.Y.Tick.Marker, p.Y.Tick.Length = plot.ConstantTicks(ticks), 0
	p.Y.Tick.Label.Font.Size = vg.Points(8)
	p.X.Tick.Marker = upTo{high + margin}
	p.Add(m)
	return p
}

// upTo has no ticks above a value.
type upTo struct{ high float64 }

// Ticks implements plot.Ticker.
func (t upTo) Ticks(low, _ float64) []plot.Tick { return roundTicks{}.Ticks(low, t.high) }

// at is the height of a line: the first on top.
func (m *marks) at(i int) float64 { return float64(len(m.lines) - 1 - i) }

// Plot implements plot.Plotter.
func (m *marks) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	text := p.X.Tick.Label
	text.Font.Size, text.XAlign, text.YAlign = vg.Points(8), draw.XLeft, draw.YCenter
	right := p.X.Max - float64(markText/(1+markText)*(p.X.Max-p.X.Min))
	thin := draw.LineStyle{Color: color.Gray{Y: 190}, Width: vg.Points(0.4), Dashes: []vg.Length{1, 2}}
	bar := draw.LineStyle{Color: color.Gray{Y: 70}, Width: vg.Points(1.6)}
	one := draw.LineStyle{Color: color.Black, Width: vg.Points(0.6)}
	for i, l := range m.lines {
		h := y(m.at(i))
		if l.row == nil {
			half := vg.Length((y(1) - y(0)) * 0.45)
			from, to := x(p.X.Min), x(p.X.Max)
			c.FillPolygon(color.Gray{Y: 232}, []vg.Point{{X: from, Y: h - half}, {X: from, Y: h + half}, {X: to, Y: h + half}, {X: to, Y: h - half}})
			c.FillText(text, vg.Point{X: from + vg.Points(4), Y: h}, l.title)
			continue
		}
		c.StrokeLine2(thin, x(p.X.Min), h, x(right), h)
		if m.chart.ratios {
			c.StrokeLine2(one, x(1), y(m.at(i)-0.5), x(1), y(m.at(i)+0.5))
		}
		v, ok := l.row.number(m.chart.y)
		if !ok {
			c.FillText(text, vg.Point{X: x(right) + vg.Points(6), Y: h}, strings.ReplaceAll(l.row["outcome"], "_", " "))
			continue
		}
		low, high := m.chart.interval(l.row)
		c.StrokeLine2(bar, x(low), h, x(high), h)
		glyph := draw.GlyphStyle{Color: color.Black, Radius: vg.Points(2.2), Shape: draw.CircleGlyph{}}
		if l.row["compared"] == sweep.Indistinguishable {
			glyph.Shape = draw.RingGlyph{}
		}
		c.DrawGlyph(glyph, vg.Point{X: x(v), Y: h})
		c.FillText(text, vg.Point{X: x(right) + vg.Points(6), Y: h}, m.text(l.row, v, low, high))
	}
}

// text is what stands to the right of a row.
func (m *marks) text(r sweepRow, v, low, high float64) string {
	s := fmt.Sprintf("%.4g", v)
	if m.chart.spread && low != high {
		s += fmt.Sprintf(" [%.4g, %.4g]", low, high)
	}
	if r["compared"] == sweep.Indistinguishable {
		s += " " + sweep.Indistinguishable
	}
	return s
}
