package command

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"emsim/internal/base/answer/terminal"

	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/verify"
)

// tableWidth is the number of columns that verify's tables keep to.
const tableWidth = 110

// verifyTable prints the papers' rows, then those that follow from them, then
// those that hold numbers of our own, and what they came to.
func verifyTable(w io.Writer, suites []verify.Suite, rows []verify.Row) {
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
	var sums bytes.Buffer
	for i, group := range []struct {
		head, expected, what, sum string
	}{
		{"", "paper", "row", fmt.Sprintf(" of the papers: %v; %d fitted, %d guided, %d predicted, %d by label",
			counts.Papers(), counts[verify.Fitted].Rows, counts[verify.Guided].Rows, counts[verify.Predicted].Rows,
			counts.ByLabel().Rows)},
		{
			"Work per call: PE-clocks of each call, derived from the paper's times and shares\n\n", "derived",
			"derived row", fmt.Sprintf(": %v", counts.Derived()),
		},
		{
			"Regressions: our own numbers, which no paper prints\n\n", "expected",
			"regression", fmt.Sprintf(": %v", counts.Regressions()),
		},
	} {
		own := slices.DeleteFunc(slices.Clone(rows), func(r verify.Row) bool { return class(r) != i })
		if len(own) > 0 {
			io.WriteString(w, group.head)
			paperTables(w, suites, group.expected, own)
			fmt.Fprintf(&sums, "%s%s\n", plural.Of(len(own), group.what), group.sum)
		}
	}
	nullSums(&sums, rows)
	if n := len(lists.Where(rows, func(r verify.Row) bool { return r.NeverOut })); n > 0 {
		fmt.Fprintf(&sums, "always: ok, and no setting of 'emsim calibrate' moves %s out: agreement that "+
			"could not fail\n", plural.Of(n, "row"))
	}
	if len(rows) > 0 {
		fmt.Fprintf(&sums, "where a row comes from: emsim verify --explain %s\n", rows[0].ID)
	}
	_, _ = sums.WriteTo(w)
}

// nullSums says what the column null has, and what it leaves of the predictions.
func nullSums(w io.Writer, rows []verify.Row) {
	guessed := lists.Where(rows, func(r verify.Row) bool { return r.Null != nil })
	if len(guessed) == 0 {
		return
	}
	passes := lists.Where(guessed, func(r verify.Row) bool { return r.Null.Inside })
	fmt.Fprintf(w, "null: the best guess from the paper's other numbers; *: it passes the limit, too: %d of %s\n",
		len(passes), plural.Of(len(guessed), "number"))
	predicted := lists.Where(guessed, func(r verify.Row) bool { return r.Class == verify.Predicted && !r.Derived })
	if len(predicted) == 0 {
		return
	}
	hold := lists.Where(predicted, func(r verify.Row) bool { return !r.ByLabel() })
	fmt.Fprintf(w, "predicted: %s by label; no null passes %d of them, and the model %d of these\n",
		plural.Of(len(predicted), "number"), len(hold), len(lists.Where(hold, verify.Row.Inside)))
}

// paperTables prints the rows of each paper: numbers, then words.
func paperTables(w io.Writer, suites []verify.Suite, expected string, rows []verify.Row) {
	for _, s := range suites {
		var numbers, words []verify.Row
		means := false
		for _, r := range rows {
			if r.PaperNo != s.Paper {
				continue
			}
			if _, number := r.Paper.(float64); number {
				numbers, means = append(numbers, r), means || r.Class != verify.Regression || r.Runs > 0
			} else {
				words = append(words, r)
			}
		}
		if len(numbers)+len(words) == 0 {
			continue
		}
		head := fmt.Sprintf("%s, %s", s.Paper, s.Machine)
		if means && s.Means != "" {
			head += ": " + s.Means
		}
		fmt.Fprintln(w, head)
		numberTable(w, expected, numbers)
		bestTable(w, numbers)
		wordTable(w, words)
		fmt.Fprintln(w)
	}
}

// numberTable prints rows in numbers, a line each.
func numberTable(w io.Writer, expected string, rows []verify.Row) {
	if len(rows) == 0 {
		return
	}
	ranges := slices.ContainsFunc(rows, func(r verify.Row) bool { return r.Runs > 0 })
	classes := rows[0].Class != verify.Regression
	var b bytes.Buffer
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	line := func(id, quantity, paper, null, model, from, off, class, verdict string) {
		if ranges {
			model += "\t" + from
		}
		if classes {
			paper, off = paper+"\t"+null, off+"\t"+class
		}
		fmt.Fprintln(t, strings.Join([]string{id, quantity, paper, model, off, verdict}, "\t"))
	}
	line("id", "quantity", expected, "null", "model", "all runs", "off/limit", "class", "verdict")
	for _, r := range rows {
		off, limit, unit := offOf(r)
		if off != "" {
			off += "/" + limit + " " + unit
		}
		line(r.ID, quantityText(r), numberText(r.Paper), nullText(r), numberText(r.Model), rangeText(r), off,
			string(r.Class), verdict(r))
	}
	_ = t.Flush() // into memory
	for i, l := range slices.Collect(strings.Lines(b.String())) {
		io.WriteString(w, l)
		if i > 0 {
			reason(w, rows[i-1])
		}
	}
}

// bestTable prints what the fastest of several runs is expected to give, for rows of
// which the paper prints the best run.
func bestTable(w io.Writer, rows []verify.Row) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r verify.Row) bool { return len(r.BestOf) == 0 })
	if len(rows) == 0 {
		return
	}
	fmt.Fprintln(w,
		"Of these rows the paper prints the best of several runs; the fastest of so many here, as expected:")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	head := "id\tpaper\tmean"
	for _, b := range rows[0].BestOf {
		head += fmt.Sprintf("\tbest of %d", b.Runs)
	}
	fmt.Fprintln(t, head)
	for _, r := range rows {
		line := fmt.Sprintf("%s\t%s\t%s %s", r.ID, numberText(r.Paper), numberText(r.Model), insideText(r.Inside()))
		for _, b := range r.BestOf {
			line += fmt.Sprintf("\t%s %s", shortNumber(b.Model), insideText(b.Inside))
		}
		fmt.Fprintln(t, line)
	}
	_ = t.Flush() // its errors come back at the next write
}

// nullText returns the best guess without a model, with a star if it passes the row's limit.
func nullText(r verify.Row) string {
	switch {
	case r.Null == nil:
		return ""
	case r.Null.Inside:
		return shortNumber(r.Null.Value) + "*"
	}
	return shortNumber(r.Null.Value)
}

// insideText says whether a rule holds.
func insideText(inside bool) string {
	if inside {
		return "inside"
	}
	return "outside"
}

// scoreTable prints the mean errors.
func scoreTable(w io.Writer, list []verify.Score) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "class\tpaper\tnumbers\terror\t95 % interval\tnull's error\tskill")
	for _, s := range list {
		skill, interval := "", "n/a"
		if s.Low != nil {
			interval = fmt.Sprintf("%.1f–%.1f %%", 100**s.Low, 100**s.High)
		}
		if s.Skill != nil {
			skill = fmt.Sprintf("%+.2f", *s.Skill)
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%.1f %%\t%s\t%.1f %%\t%s\n", s.Class, s.PaperNo, s.Rows, 100*s.Error, interval,
			100*s.NullError, skill)
	}
	t.Flush()
	fmt.Fprintln(w, "skill: 1 - error / null's error. The null is the best guess at each number from the paper's "+
		"others;\n0: no better than that, 1: the paper's numbers")
}

// quantityText returns a quantity with its unit. It shortens the longest names, which
// --explain has whole.
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

// measured reports whether a unit says more than that a number is a number.
func measured(unit string) bool { return unit != "" && unit != "-" && unit != "1" && unit != "count" }

// wordTable prints rows in words: outcomes, and relations that hold or fail.
func wordTable(w io.Writer, rows []verify.Row) {
	if len(rows) == 0 {
		return
	}
	classes := rows[0].Class != verify.Regression
	widest := 0
	for _, r := range rows {
		widest = max(widest, len(r.ID))
	}
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
		start := fmt.Sprintf("%-*s  ", widest, r.ID)
		if classes {
			start += fmt.Sprintf("%-9s  ", r.Class)
		}
		start += fmt.Sprintf("%-7s  ", verdict(r))
		for i, l := range terminal.Wrap(text, tableWidth-len(start)) {
			if i > 0 {
				start = strings.Repeat(" ", len(start))
			}
			fmt.Fprintf(w, "%s%s\n", start, l)
		}
		reason(w, r)
	}
}

// verdict returns the last column of numbers: a gap is named, never called ok.
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

// reason says below a row why it is not ok.
func reason(w io.Writer, r verify.Row) {
	if !r.OK {
		for _, l := range terminal.Wrap(r.ID+" is not ok: "+r.Why(), tableWidth-4) {
			fmt.Fprintf(w, "    %s\n", l)
		}
	}
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

// offOf returns deviation and tolerance with their unit; off is "" if there is
// none.
func offOf(r verify.Row) (off, limit, unit string) {
	if r.Deviation == nil {
		return "", "", ""
	}
	unit, scale := "%", 100.0
	if r.Unit == "%" {
		unit, scale = "pt", 1
	}
	off = fmt.Sprintf("%+.1f", math.Round(10*scale**r.Deviation)/10+0) // no -0.0
	return off, strconv.FormatFloat(float64(scale*r.Tolerance), 'g', 3, 64), unit
}

// numberText returns a number of the table.
func numberText(v any) string {
	if f, ok := v.(float64); ok {
		return shortNumber(f)
	}
	return fmt.Sprint(v)
}

// shortNumber has four digits, or all before the point.
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
