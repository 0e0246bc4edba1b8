package figures

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"emsim/verify"
)

// pairedBars draws table 1: for each policy the paper's bar, with its
// tolerance, and the model's.
func pairedBars(title string, rows []verify.Row) (Drawing, error) {
	claims, err := verify.Claims("003")
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, c := range claims {
		names[c.ID] = c.Cond["policy"]
	}
	of := func(title, quantity, words string) *plot.Plot {
		var list []pair
		for _, r := range rows {
			paper, okPaper := r.Paper.(float64)
			model, okModel := r.Model.(float64)
			if r.Quantity != quantity || !okPaper || !okModel {
				continue
			}
			number, tolerance := "%.2f", allowed(r, paper)
			if r.Unit == "%" {
				number = "%.1f"
			}
			x := pair{name: names[r.ID], values: [2]float64{paper, model}, low: max(0, paper-tolerance), high: paper + tolerance}
			x.texts = [2]string{fmt.Sprintf(number, paper), fmt.Sprintf(number, model)}
			if r.Gap != nil {
				x.texts[1] = fmt.Sprintf("gap %d\n", *r.Gap) + x.texts[1]
			}
			list = append(list, x)
		}
		return pairs(title, words, [2]string{"paper", "model"}, list)
	}
	time := of(title, "time", "run time [ms]")
	time.Legend.Left = true // no bar is high there
	return below(time, of("", "pe_utilisation", "PE utilisation [%]")), nil
}

// allowed is half the width of a row's tolerance, in the row's own unit.
func allowed(r verify.Row, paper float64) float64 {
	if r.Unit == "%" {
		return r.Tolerance
	}
	return float64(r.Tolerance * paper)
}

// deviationLimit is where the scale of the deviations ends; rows beyond it
// are drawn on the edge.
const deviationLimit = 12.0

// deviations draws one line per row: its tolerance as a band, its deviation as
// a dot, gaps as rings with their numbers. Rows in words have no dot.
func deviations(title string, rows []verify.Row) (Drawing, error) {
	m := &markRows{low: -deviationLimit, high: deviationLimit, room: 0.5}
	for _, r := range rows {
		if r.Derived {
			continue
		}
		row := markRow{name: shortID(r), text: verdict(r)}
		if r.Deviation != nil {
			tolerance, v := scaled(r, r.Tolerance), scaled(r, *r.Deviation)
			row.band, row.marks = [2]float64{-tolerance, tolerance}, []mark{dotOf(r, v)}
		}
		m.rows = append(m.rows, row)
	}
	return m.rowPlot(title, "deviation from the paper: per cent of its number, or points where the number is a share [%]\n"+
		"grey: tolerance; ring: known gap; triangle: off the scale; cross: not ok"), nil
}

// shortID is a row's name without its paper.
func shortID(r verify.Row) string { return strings.TrimPrefix(r.ID, r.PaperNo+".") }

// scaled returns a deviation or tolerance in per cent, or points of a share.
func scaled(r verify.Row, v float64) float64 {
	if r.Unit == "%" {
		return v
	}
	return float64(100 * v)
}

// dotOf is a dot, a ring for a gap, a cross for a row that is not ok, or a
// triangle where the deviation is off the scale.
func dotOf(r verify.Row, v float64) mark {
	switch {
	case math.Abs(v) > deviationLimit:
		return glyphAt(v, draw.TriangleGlyph{}, 3)
	case !r.OK:
		return glyphAt(v, draw.CrossGlyph{}, 3)
	case r.Gap != nil:
		return glyphAt(v, draw.RingGlyph{}, 2.4)
	}
	return glyphAt(v, draw.CircleGlyph{}, 2.4)
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

// bands draws one line for each row that was measured in several runs: its
// tolerance, the band from the least to the greatest value, the mean, the best
// run and the first run after boot, all as deviations from the paper.
func bands(title string, rows []verify.Row) (Drawing, error) {
	const limit = 38 // %
	m := &markRows{low: -limit, high: limit, room: 0.85, keys: []key{
		{words: "tolerance", colour: color.Gray{Y: 222}},
		{words: "all runs", line: thick},
		{words: "first run after boot", glyph: glyphAt(0, draw.CrossGlyph{}, 2.2).glyph},
		{words: "best run", glyph: glyphAt(0, draw.RingGlyph{}, 2.6).glyph},
		{words: "mean", glyph: glyphAt(0, draw.CircleGlyph{}, 2).glyph},
	}}
	for _, r := range rows {
		if r.Mean == nil || r.Deviation == nil || r.Tolerance <= 0 {
			continue
		}
		row := markRow{name: "      " + shortID(r), text: bandText(r), bar: [2]float64{fromPaper(r, *r.Min), fromPaper(r, *r.Max)}}
		tolerance := scaled(r, r.Tolerance)
		row.band = [2]float64{-tolerance, tolerance}
		for i, v := range []float64{*r.First, *r.Best, *r.Mean} {
			row.marks = append(row.marks, mark{fromPaper(r, v), m.keys[2+i].glyph})
		}
		m.rows = append(m.rows, row)
	}
	return m.rowPlot(title, "deviation from the paper: per cent, points for shares"), nil
}

// fromPaper is how far a value lies from the paper's, in per cent or points.
func fromPaper(r verify.Row, v float64) float64 {
	paper := r.Paper.(float64)
	if r.Unit == "%" {
		return v - paper
	}
	return float64(100 * (v/paper - 1))
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
