package figures

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/study/sweep"
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
	m := &markRows{low: math.Inf(1), high: math.Inf(-1), equal: math.NaN(), room: 0.7}
	if s.ratios {
		m.equal, m.low, m.high = 1, 1, 1
	}
	last := max(0, len(s.axes)-1)
	group := func(r sweepRow) string { return words(r, s.axes[:last]) }
	for _, title := range distinct(rows, group) {
		if title != "" {
			m.rows = append(m.rows, markRow{name: title, head: true})
		}
		for _, r := range rows {
			if group(r) == title {
				m.rows = append(m.rows, s.mark(m, r, words(r, s.axes[last:])))
			}
		}
	}
	margin := float64(0.05 * (m.high - m.low))
	if margin == 0 {
		margin = 1
	}
	m.low, m.high = m.low-margin, m.high+margin
	f.Width = 20 * vg.Centimeter
	f.Height = vg.Length(70 + 12*len(m.rows))
	f.Draw = func(context.Context) (Drawing, error) { return m.plot(f.Title, s.label()), nil }
	return f, nil
}

// mark is a row of the table: its interval and mean, and both as text. It widens the
// scale.
func (s *sweepChart) mark(m *markRows, r sweepRow, name string) markRow {
	v, ok := r.number(s.y)
	if !ok {
		return markRow{name: name, text: strings.ReplaceAll(r["outcome"], "_", " ")}
	}
	low, high := s.interval(r)
	m.low, m.high = min(m.low, low), max(m.high, high)
	row := markRow{name: name, bar: [2]float64{low, high}, marks: []mark{glyphAt(v, draw.CircleGlyph{}, 2.2)}, text: fmt.Sprintf("%.4g", v)}
	if s.spread && low != high {
		row.text += fmt.Sprintf(" [%.4g, %.4g]", low, high)
	}
	if r["compared"] == sweep.Indistinguishable {
		row.marks[0].glyph.Shape = draw.RingGlyph{}
		row.text += " " + sweep.Indistinguishable
	}
	return row
}
