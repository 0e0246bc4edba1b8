package command

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/answer"
	"emsim/internal/base/answer/terminal"

	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/verify"
)

// verifyLists returns the papers' rows, then the derived rows, then our own regression rows, and a summary.
func verifyLists(suites []verify.Suite, rows []verify.Row) (all []answer.List) {
	counts := verify.CountRows(rows)
	class := func(r verify.Row) int {
		switch {
		case r.Class == verify.Regression:
			return 2
		case r.Derived:
			return 1
		}
		return 0
	}
	var sums answer.List
	for i, group := range []struct {
		head, expected, what, sum string
	}{
		{"", "paper", "row", fmt.Sprintf(" of the papers: %v; %d fitted, %d guided, %d predicted, %d by label",
			counts.Papers(), counts[verify.Fitted].Rows, counts[verify.Guided].Rows, counts[verify.Predicted].Rows,
			counts.ByLabel().Rows)},
		{
			"Work per call: PE-clocks of each call, derived from the paper's times and shares", "derived",
			"derived row", fmt.Sprintf(": %v", counts.Derived()),
		},
		{
			"Regressions: our own numbers, which no paper prints", "expected",
			"regression", fmt.Sprintf(": %v", counts.Regressions()),
		},
	} {
		own := slices.DeleteFunc(slices.Clone(rows), func(r verify.Row) bool { return class(r) != i })
		if len(own) > 0 {
			if group.head != "" {
				all = append(all, answer.List{Notes: []string{group.head}})
			}
			all = append(all, paperLists(suites, group.expected, own)...)
			sums.Notes = append(sums.Notes, plural.Of(len(own), group.what)+group.sum)
		}
	}
	sums.Notes = append(sums.Notes, nullSums(rows)...)
	if n := len(lists.Where(rows, func(r verify.Row) bool { return r.NeverOut })); n > 0 {
		sums.Notes = append(sums.Notes, fmt.Sprintf("always: ok, and no setting of 'emsim calibrate' moves %s out: "+
			"agreement that could not fail", plural.Of(n, "row")))
	}
	return append(all, sums)
}

// nullSums returns notes about the column null, and about the predictions that no null model explains.
func nullSums(rows []verify.Row) (notes []string) {
	guessed := lists.Where(rows, func(r verify.Row) bool { return r.Null != nil })
	if len(guessed) == 0 {
		return nil
	}
	passes := lists.Where(guessed, func(r verify.Row) bool { return r.Null.Inside })
	notes = []string{fmt.Sprintf("null: the best guess from the paper's other numbers; *: it passes the limit, too: "+
		"%d of %s", len(passes), plural.Of(len(guessed), "number"))}
	predicted := lists.Where(guessed, func(r verify.Row) bool { return r.Class == verify.Predicted && !r.Derived })
	if len(predicted) == 0 {
		return notes
	}
	hold := lists.Where(predicted, func(r verify.Row) bool { return !r.ByLabel() })
	return append(notes, fmt.Sprintf("predicted: %s by label; no null passes %d of them, and the model %d of these",
		plural.Of(len(predicted), "number"), len(hold), len(lists.Where(hold, verify.Row.Inside))))
}

// paperLists returns the rows of each paper: first numbers, then claims in words.
func paperLists(suites []verify.Suite, expected string, rows []verify.Row) (all []answer.List) {
	for _, s := range suites {
		own := lists.Where(rows, func(r verify.Row) bool { return r.PaperNo == s.Paper })
		isNumber := func(r verify.Row) bool { _, number := r.Paper.(float64); return number }
		numbers := lists.Where(own, isNumber)
		words := lists.Where(own, func(r verify.Row) bool { return !isNumber(r) })
		head := fmt.Sprintf("%s, %s", s.Paper, s.Machine)
		if s.Means != "" && slices.ContainsFunc(numbers,
			func(r verify.Row) bool { return r.Class != verify.Regression || r.Runs > 0 }) {
			head += ": " + s.Means
		}
		for _, l := range []answer.List{numberList(expected, numbers), bestList(numbers), wordList(words)} {
			if len(l.Rows) == 0 {
				continue
			}
			if l.Title == "" {
				l.Title, head = head, s.Paper+" in words"
			}
			all = append(all, l)
		}
	}
	return all
}

// numberList returns the table of rows with numbers.
func numberList(expected string, rows []verify.Row) (l answer.List) {
	ranges := slices.ContainsFunc(rows, func(r verify.Row) bool { return r.Runs > 0 })
	classes := len(rows) > 0 && rows[0].Class != verify.Regression
	kept := func(cells ...any) (list []any) { // omits the columns that these rows do not need
		for i, cell := range cells {
			if (ranges || i != 5) && (classes || i != 3 && i != 7) {
				list = append(list, cell)
			}
		}
		return list
	}
	l.Heads = lists.Of(kept("id", "quantity", expected, "null", "model", "all runs", "off/limit", "class", "verdict"),
		terminal.Cell)
	for _, r := range rows {
		off, limit, unit := offOf(r)
		l.Rows = append(l.Rows, kept(r.ID, quantityText(r), numberText(r.Paper), nullText(r), numberText(r.Model),
			rangeText(r), strings.TrimRight(off+"/"+limit+" "+unit, "/ "), string(r.Class), verdict(r)))
	}
	l.Notes = reasons(rows)
	return l
}

// bestList returns the expected value of the fastest of several runs, for rows whose paper prints the best run.
func bestList(rows []verify.Row) (l answer.List) {
	l.Title = "For these rows the paper prints the best of several runs; the expected fastest of the same number of " +
		"runs here:"
	for _, r := range rows {
		if len(r.BestOf) == 0 {
			continue
		}
		l.Heads = []string{"id", "paper", "mean"}
		cells := []any{r.ID, numberText(r.Paper), numberText(r.Model) + " " + insideText(r.Inside())}
		for _, b := range r.BestOf {
			l.Heads = append(l.Heads, fmt.Sprintf("best of %d", b.Runs))
			cells = append(cells, shortNumber(b.Model)+" "+insideText(b.Inside))
		}
		l.Add(cells...)
	}
	return l
}

// nullText returns the best guess of a null model, with a star if it passes the row's limit.
func nullText(r verify.Row) string {
	switch {
	case r.Null == nil:
		return ""
	case r.Null.Inside:
		return shortNumber(r.Null.Value) + "*"
	}
	return shortNumber(r.Null.Value)
}

// insideText returns whether a rule holds, as text.
func insideText(inside bool) string {
	if inside {
		return "inside"
	}
	return "outside"
}

// scoreSaid returns the table of mean errors.
func scoreSaid(list []verify.Score) *answer.Answer {
	l := answer.List{Heads: []string{"class", "paper", "numbers", "error", "95 % interval", "null's error", "skill"}}
	for _, s := range list {
		skill := "-"
		if s.Skill != nil {
			skill = fmt.Sprintf("%+.2f", *s.Skill)
		}
		l.Add(string(s.Class), s.PaperNo, s.Rows, answer.Percent(s.Error), ends("%.1f–%.1f %%", 100, s.Low, s.High),
			answer.Percent(s.NullError), skill)
	}
	l.Notes = []string{"skill: 1 - error / null's error. The null is the best guess at each number from the paper's " +
		"others; 0: no better than that, 1: the paper's numbers"}
	return &answer.Answer{Title: "Mean error of each class of numbers", Lists: []answer.List{l}}
}

// quantityText returns a quantity with its unit. It shortens the longest names; --explain shows them in full.
func quantityText(r verify.Row) string {
	most, unit := 16, ""
	if measured(r.Unit) {
		unit = " " + r.Unit
	}
	q := r.Quantity
	if most -= len(unit); len(q) > most {
		q = q[:most-1] + "…"
	}
	return q + unit
}

// measured reports whether a unit is a unit of measurement, which is worth showing.
func measured(unit string) bool { return unit != "" && unit != "-" && unit != "1" && unit != "count" }

// wordList returns rows in words: outcomes, and relations that hold or fail.
func wordList(rows []verify.Row) (l answer.List) {
	for _, r := range rows {
		text := fmt.Sprint(r.Paper)
		if r.Quantity != "relation" {
			text = r.Quantity + ": " + text
			if r.Unit == "s" {
				text += " s"
			}
		}
		if r.Held != nil {
			text += fmt.Sprintf(" (in %d of %s)", *r.Held, plural.Of(r.Runs, "run"))
		}
		if r.Verdict != verify.Inside {
			text += fmt.Sprintf("; the model: %v", r.Model)
		}
		cells := []any{r.ID, string(r.Class), verdict(r), text}
		if r.Class == verify.Regression {
			cells = slices.Delete(cells, 1, 2)
		}
		l.Add(cells...)
	}
	l.Notes = reasons(rows)
	return l
}

// verdict returns a row's verdict as text. A gap is shown as a gap, never as ok.
func verdict(r verify.Row) string {
	switch {
	case !r.OK:
		return "NOT OK"
	case r.Gap != nil:
		return fmt.Sprintf("gap %d", *r.Gap)
	case r.NeverOut:
		return "always"
	}
	return "ok"
}

// reasons returns the rows that are not ok, with the reasons.
func reasons(rows []verify.Row) (notes []string) {
	for _, r := range rows {
		if !r.OK {
			notes = append(notes, r.ID+" is not ok: "+r.Why())
		}
	}
	return notes
}

// rangeText returns the least and the greatest value of several runs.
func rangeText(r verify.Row) string {
	switch {
	case r.Min == nil:
		return ""
	case *r.Min == *r.Max:
		return "equal"
	}
	return shortNumber(*r.Min) + "–" + shortNumber(*r.Max)
}

// offOf returns a row's deviation, its tolerance and their unit; off is "" if the row has no deviation.
func offOf(r verify.Row) (off, limit, unit string) {
	if r.Deviation == nil {
		return "", "", ""
	}
	unit, scale := "%", 100.0
	if r.Unit == "%" {
		unit, scale = "pt", 1
	}
	off = fmt.Sprintf("%+.1f", math.Round(10*scale**r.Deviation)/10+0) // avoids -0.0
	return off, strconv.FormatFloat(float64(scale*r.Tolerance), 'g', 3, 64), unit
}

// numberText formats a number of the table.
func numberText(v any) string {
	if f, ok := v.(float64); ok {
		return shortNumber(f)
	}
	return fmt.Sprint(v)
}

// shortNumber formats a number with four significant digits. Below 1e9, whole numbers keep all digits, and numbers from
// 1e4 are rounded to whole ones.
func shortNumber(f float64) string {
	if a := math.Abs(f); f == math.Trunc(f) && a < 1e9 || a >= 1e4 && a < 1e9 {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return fmt.Sprintf("%.4g", f)
}

func modelText(v any) string {
	if f, ok := v.(float64); ok {
		return fmt.Sprintf("%.6g", f)
	}
	return fmt.Sprint(v)
}
