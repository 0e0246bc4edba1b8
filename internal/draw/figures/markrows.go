package figures

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// markRows has rows on one scale. Each row has its name on the left, marks, and text on the right.
type markRows struct {
	rows      []markRow
	low, high float64 // ends of the scale; values beyond them are drawn on the edge
	equal     float64 // the value of a line across all rows, or NaN
	room      float64 // for the texts, as a part of the scale's length
	keys      []key
}

// markRow is one line of markRows.
type markRow struct {
	name  string
	head  bool       // the name alone, as a heading
	band  [2]float64 // a grey box
	bar   [2]float64 // a thick line
	marks []mark
	text  string
}

// mark is a glyph at a value.
type mark struct {
	at    float64
	glyph draw.GlyphStyle
}

// glyphAt returns a black mark.
func glyphAt(at float64, shape draw.GlyphDrawer, radius vg.Length) mark {
	return mark{at, draw.GlyphStyle{Color: color.Black, Radius: radius, Shape: shape}}
}

func (m *markRows) rowPlot(title, label string) *chart {
	p := newPlot(title, label, "")
	p.Add(m)
	var ticks plot.ConstantTicks
	for i, r := range m.rows {
		if !r.head {
			ticks = append(ticks, plot.Tick{Value: m.rowHeight(i), Label: r.name})
		}
	}
	p.Y.Tick.Marker, p.Y.Tick.Length, p.Y.Tick.Label.Font.Size = ticks, 0, 7.5
	p.Y.Min, p.Y.Max = -1, float64(len(m.rows))
	if m.keys != nil {
		p.Y.Max += 1.6
	}
	p.X.Min, p.X.Max = m.low, m.high+float64(m.room*(m.high-m.low))
	p.X.Tick.Marker = plot.TickerFunc(func(low, _ float64) []plot.Tick {
		return roundTicks{}.Ticks(low, m.high)
	}) // no ticks next to the texts
	p.X.Label.TextStyle.Font.Size = 8
	return p
}

// rowHeight returns the height of a row: the first on top.
func (m *markRows) rowHeight(i int) float64 { return float64(len(m.rows) - 1 - i) }

// Plot implements plot.Plotter.
func (m *markRows) Plot(c draw.Canvas, p *plot.Plot) {
	across, y := p.Transforms(&c)
	x := func(v float64) vg.Length { return across(max(m.low, min(m.high, v))) }
	words := sansStyle(7.5, draw.XLeft, draw.YCenter)
	half := vg.Length((y(1) - y(0)) * 0.38)
	for i, r := range m.rows {
		at := y(m.rowHeight(i))
		switch {
		case r.head:
			paintBox(c, rectangle(x(m.low), at-vg.Length(1.2*half), across(p.X.Max), at+vg.Length(1.2*half)),
				color.Gray{Y: 232}, draw.LineStyle{})
			c.FillText(words, vg.Point{X: x(m.low) + 4, Y: at}, r.name)
			continue
		case r.band[0] < r.band[1]:
			paintBox(c, rectangle(x(r.band[0]), at-half, x(r.band[1]), at+half), color.Gray{Y: 222}, draw.LineStyle{})
		}
		c.StrokeLine2(greyLine(170, 0.4, 1, 2), x(m.low), at, x(m.high), at)
		c.FillText(words, vg.Point{X: x(m.high) + 6, Y: at + 1}, r.text)
	}
	if !math.IsNaN(m.equal) {
		c.StrokeLine2(greyLine(0, 0.6), x(m.equal), y(-1), x(m.equal), y(float64(len(m.rows))))
	}
	for i, r := range m.rows {
		at := y(m.rowHeight(i))
		if r.bar[0] < r.bar[1] {
			c.StrokeLine2(thick, x(r.bar[0]), at, x(r.bar[1]), at)
		}
		for _, k := range r.marks {
			c.DrawGlyph(k.glyph, vg.Point{X: x(k.at), Y: at})
		}
	}
	if m.keys != nil {
		legend(c, words, m.keys)
	}
}

// thick is the line of an interval.
var thick = greyLine(70, 1.6)

// The marks of rows that compare numbers with the paper's.
var paperMark, modelMark = glyphAt(0, draw.RingGlyph{}, 2.6).glyph, glyphAt(0, draw.CircleGlyph{}, 2.2).glyph

// comparison returns markRows for rows of comparedRow. band is the name of their grey boxes in the legend, or "" if
// there are none.
func comparison(band string) *markRows {
	m := &markRows{
		equal: math.NaN(), room: 0.45,
		keys: []key{{words: "paper", glyph: paperMark}, {words: "model", glyph: modelMark}},
	}
	if band != "" {
		m.keys = append(m.keys, key{words: band, colour: color.Gray{Y: 222}})
	}
	return m
}

// comparedRow returns a row with the paper's and the model's number.
func comparedRow(name string, paper, model float64, format, more string) markRow {
	return markRow{
		name: "  " + name, marks: []mark{{paper, paperMark}, {model, modelMark}},
		text: fmt.Sprintf("paper "+format+", model "+format, paper, model) + more,
	}
}

// fitScale fits the scale to all bands, bars and marks, and to other values, with a margin.
func (m *markRows) fitScale(values ...float64) {
	for _, r := range m.rows {
		for _, box := range [][2]float64{r.bar, r.band} {
			if box[0] < box[1] {
				values = append(values, box[:]...)
			}
		}
		for _, k := range r.marks {
			values = append(values, k.at)
		}
	}
	m.low, m.high = slices.Min(values), slices.Max(values)
	margin := cmp.Or(float64(0.05*(m.high-m.low)), 1)
	m.low, m.high = m.low-margin, m.high+margin
}
