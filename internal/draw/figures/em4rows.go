package figures

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/base/lists"
	"emsim/verify"
)

// tableOfPolicies draws table 1: the paper's number with its tolerance, and the model's, for
// each policy.
func tableOfPolicies(title string, rows []verify.Row) (Drawing, error) {
	conds, err := conditions003()
	if err != nil {
		return nil, err
	}
	of := func(quantity, words string) *chart {
		m := comparison("tolerance")
		for _, r := range rows {
			paper, okPaper := r.Paper.(float64)
			model, okModel := r.Model.(float64)
			if r.Quantity != quantity || !okPaper || !okModel {
				continue
			}
			tolerance := r.Tolerance
			if r.Unit != "%" {
				tolerance = float64(tolerance * paper)
			}
			x := comparedRow(conds[r.ID]["policy"], paper, model, "%.4g", remarks(r))
			x.band = [2]float64{max(0, paper-tolerance), paper + tolerance}
			m.rows = append(m.rows, x)
		}
		m.fitScale(0)
		return m.rowPlot("", words)
	}
	return page(within(rows), title, of("time", "run time [ms]"), of("pe_utilisation", "PE utilisation [%]")), nil
}

// conditions003 returns the conditions of the rows of paper 003, by ID.
func conditions003() (map[string]map[string]string, error) {
	claims, err := verify.Claims("003")
	conds := map[string]map[string]string{}
	for _, c := range claims {
		conds[c.ID] = c.Cond
	}
	return conds, err
}

// readable turns the key of a quantity into words.
var readable = strings.NewReplacer("exu_fmu", "EXU or FMU", "ibu", "IBU", "mips", "MIPS", "mlpe", "MLPE", "pe_", "PE ",
	"_", " ")

// within returns a sentence that counts the rows within their tolerance.
func within(rows []verify.Row) string {
	judged := lists.Where(rows, func(r verify.Row) bool { return r.Deviation != nil && r.Tolerance > 0 })
	near := lists.Where(judged, func(r verify.Row) bool { return r.Gap == nil && r.OK })
	return fmt.Sprintf("%d of %d numbers of the paper lie within the tolerance", len(near), len(judged))
}

// remarks returns the end of a row's text: whether the row is a known gap, and whether it is not ok.
func remarks(r verify.Row) string {
	s := ""
	if r.Gap != nil {
		s += fmt.Sprintf(", gap %d", *r.Gap)
	}
	if !r.OK {
		s += ", NOT OK"
	}
	return s
}

// bands draws a line for each row that was measured in several runs: its
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
	conds, err := conditions003()
	if err != nil {
		return nil, err
	}
	shown := lists.Where(rows, func(r verify.Row) bool { return r.Mean != nil && r.Deviation != nil && r.Tolerance > 0 })
	from := func(r verify.Row) string { return conds[r.ID]["source"] }
	order := lists.Of(shown, from)
	slices.SortStableFunc(shown, func(a, b verify.Row) int {
		return cmp.Compare(slices.Index(order, from(a)), slices.Index(order, from(b)))
	})
	for i, r := range shown {
		if i == 0 || from(r) != from(shown[i-1]) {
			m.rows = append(m.rows, markRow{name: from(r), head: true})
		}
		name := conds[r.ID]["policy"]
		if conds[r.ID]["mlpe"] == "yes" {
			name += ", MLPE"
		}
		row := markRow{
			name: strings.TrimPrefix(name+": "+readable.Replace(r.Quantity), ": "), text: bandText(r),
			bar: [2]float64{fromPaper(r, *r.Min), fromPaper(r, *r.Max)},
		}
		tolerance := r.Tolerance
		if r.Unit != "%" {
			tolerance = float64(100 * tolerance)
		}
		row.band = [2]float64{-tolerance, tolerance}
		for i, v := range []float64{*r.First, *r.Best, *r.Mean} {
			row.marks = append(row.marks, mark{fromPaper(r, v), m.keys[2+i].glyph})
		}
		m.rows = append(m.rows, row)
	}
	return page(within(rows), title, m.rowPlot("", "deviation from the paper: per cent, points for shares")), nil
}

// fromPaper returns how far a value lies from the paper's, in per cent or points.
func fromPaper(r verify.Row, v float64) float64 {
	paper := r.Paper.(float64)
	if r.Unit == "%" {
		return v - paper
	}
	return float64(100 * (v/paper - 1))
}

// bandText returns the text to the right of a row.
func bandText(r verify.Row) string {
	return fmt.Sprintf("paper %.4g: %.4g [%.4g, %.4g]", r.Paper, *r.Mean, *r.Min, *r.Max) + remarks(r)
}
