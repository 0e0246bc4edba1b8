package answer

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"emsim/internal/base/plural"
)

// Look is how an answer is shown.
type Look struct {
	Width   int  // columns of the terminal; 0: Usual
	Details bool // all numbers with what they mean, zeros included
	Most    int  // rows of each list; 0: all
}

// The width of texts.
const (
	Usual  = 100 // columns where there is no terminal, so that documents are stable [chosen]
	widest = 120 // columns that are used of a wider one [chosen: a line that an eye can follow]
)

func (l Look) columns() int {
	if l.Width <= 0 {
		return Usual
	}
	return min(l.Width, widest)
}

// headRow is one of the first rows: a name, a number or word, and what belongs to it.
type headRow struct{ label, value, note string }

// Write writes the answer for people: title, first rows, details, lists, and what to try next.
func (x *Answer) Write(w io.Writer, look Look) {
	writeTitle(w, x.title(), x.Machine, look.columns())
	if len(x.Result) > mostResult {
		fmt.Fprintln(w, "  = "+x.Result) // as it is: it may be a text
	}
	for _, text := range x.Says {
		for _, line := range Wrap(text, look.columns()-2) {
			fmt.Fprintln(w, "  "+line)
		}
	}
	x.writeHead(w, look)
	if x.Runs > 1 {
		x.writeBands(w)
	} else {
		x.writeDetails(w, look)
	}
	WriteLists(w, x.Lists, look.Most)
	if x.Next.Command != "" {
		fmt.Fprintln(w)
		writeNote(w, "next: "+x.Next.Command, x.Next.Why, look.columns())
	}
}

// mostResult is how many characters of a result stand in the title [chosen].
const mostResult = 40

func (x *Answer) title() string {
	switch {
	case x.Runs > 1:
		return fmt.Sprintf("%s; mean of %d seeds", x.Title, x.Runs)
	case x.Result != "" && len(x.Result) <= mostResult:
		return x.Title + " = " + x.Result
	}
	return x.Title
}

// writeTitle writes what ran and, at the right, on which machine; on two lines if one is
// too short.
func writeTitle(w io.Writer, title, machine string, width int) {
	gap := width - ansi.StringWidth(title) - ansi.StringWidth(machine)
	switch {
	case machine == "":
		fmt.Fprintln(w, title)
	case gap >= 2:
		fmt.Fprintf(w, "%s%s%s\n", title, strings.Repeat(" ", gap), machine)
	default:
		fmt.Fprintln(w, title)
		for _, line := range Wrap(machine, width-2) {
			fmt.Fprintln(w, "  "+line)
		}
	}
}

// head returns the first rows: the time, the work, what limited it, and the paper.
func (x *Answer) head() (rows []headRow) {
	for _, f := range x.Fields {
		if f.Place == Headline {
			value, unit := f.shown()
			note := f.Note
			if note != "" && note[0] != ',' && unit != "" {
				note = " " + note
			}
			rows = append(rows, headRow{f.Name(), value, unit + note})
		}
	}
	if row, ok := x.limitedBy(); ok {
		rows = append(rows, row)
	}
	if row, ok := x.byPaper(); ok {
		rows = append(rows, row)
	}
	return rows
}

// writeHead writes the first rows after a blank line.
func (x *Answer) writeHead(w io.Writer, look Look) {
	rows, label, value := x.head(), 0, 0
	for _, r := range rows {
		label, value = max(label, ansi.StringWidth(r.label)), max(value, ansi.StringWidth(r.value))
	}
	if rows != nil {
		fmt.Fprintln(w)
	}
	for _, r := range rows {
		start := fmt.Sprintf("  %s  %s", padRight(r.label, label), padLeft(r.value, value))
		writeNote(w, start, r.note, look.columns())
	}
}

// writeDetails writes the rows after the first ones: those that matter, or all numbers.
func (x *Answer) writeDetails(w io.Writer, look Look) {
	var rows []headRow
	for _, f := range x.Fields {
		value, _ := f.shown()
		v, isNumber := number(f.Value)
		text, isText := f.Value.(string)
		switch {
		case isText && text != "" && f.Place == Detail:
			rows = append(rows, headRow{f.Name(), text, f.Note})
		case f.Doc == "" || !isNumber && f.Instead == "":
		case look.Details:
			note := f.Doc
			if part := x.PartOfWhole(f); part > 0 && !f.IsShare {
				note = percent(part) + " " + note
			}
			rows = append(rows, headRow{f.Key, f.String(), note})
		case f.Place == Detail && (v != 0 || f.Shown):
			rows = append(rows, headRow{f.Name(), value, f.Note})
		}
	}
	label, value := 0, 0
	for _, r := range rows {
		label, value = max(label, ansi.StringWidth(r.label)), max(value, ansi.StringWidth(r.value))
	}
	if rows != nil {
		fmt.Fprintln(w)
	}
	for _, r := range rows {
		writeNote(w, fmt.Sprintf("  %s  %s", padLeft(r.value, value), padRight(r.label, label)), r.note, look.columns())
	}
}

// writeBands writes the mean, the least and the greatest value of each number.
func (x *Answer) writeBands(w io.Writer) {
	g := NewColumns("", "mean", "least", "greatest")
	for _, f := range x.Weighty() {
		b, ok := x.Bands[f.Key]
		if !ok || f.Doc == "" || b == (Band{}) && !f.Shown {
			continue
		}
		of := func(v float64) string {
			text, unit := f.text(v)
			return strings.TrimSpace(text + " " + unit)
		}
		g.Add(f.Name(), of(b.Mean), of(b.Min), of(b.Max))
	}
	fmt.Fprintln(w)
	g.Write(w, 0)
}

// shown returns a field's value for people, and a unit that is no part of it.
func (f *Field) shown() (value, unit string) {
	switch v, ok := number(f.Value); {
	case ok || f.Instead != "":
		return f.text(v)
	case f.Doc != "":
		return "-", "" // a number that has no value
	}
	return fmt.Sprint(f.Value), ""
}

// text returns a number for people, and its unit if that is no part of it: shares in per cent,
// seconds with three places, counts with commas, others with four digits.
func (f *Field) text(v float64) (value, unit string) {
	switch {
	case f.Instead != "":
		return f.Instead, ""
	case f.IsShare:
		return percent(v), ""
	case f.Unit == "s" && (v == 0 || v >= 0.01):
		return fmt.Sprintf("%.3f s", v), ""
	case f.Unit == "s", f.Unit == "ms":
		return fmt.Sprintf("%.4g %s", v, f.Unit), ""
	case v == float64(int64(v)):
		return commas(int64(v)), f.Unit
	case v >= 10_000:
		return commas(int64(math.Round(v))), f.Unit
	}
	return fmt.Sprintf("%.4g", v), f.Unit
}

// String returns the field's value for people, with its unit.
func (f *Field) String() string {
	value, unit := f.shown()
	return strings.TrimSpace(value + " " + unit)
}

// Text returns a number of the field for people, with its unit.
func (f *Field) Text(v float64) string {
	value, unit := f.text(v)
	return strings.TrimSpace(value + " " + unit)
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// commas writes a whole number with commas.
func commas(n int64) string {
	if n < 0 {
		return "-" + plural.Commas(uint64(-n))
	}
	return plural.Commas(uint64(n))
}
