// Package terminal writes answers as text that fits the terminal.
//
//	text.go     the answer: title, first rows, details, lists, and what to try next
//	paper.go    the row that compares a run with a paper
//	columns.go  tables of columns and wrapped text
package terminal

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"emsim/internal/base/answer"
)

// Layout says how an answer is displayed.
type Layout struct {
	Width   int  // columns of the terminal; 0 means Usual
	Details bool // show all numbers with their meanings, zeros included
	Most    int  // rows of each list; 0 means all
}

// The widths of text.
const (
	Usual  = 100 // columns if there is no terminal, so that documents are stable [chosen]
	widest = 120 // columns that are used of a wider terminal [chosen: lines stay readable]
)

func (l Layout) columns() int {
	if l.Width <= 0 {
		return Usual
	}
	return min(l.Width, widest)
}

// HeadRow is one of the first rows: a name, a number or word, and a note.
type HeadRow struct{ Label, Value, Note string }

// Write writes the answer as text: title, first rows, details, lists, and what to try next.
func Write(w io.Writer, x *answer.Answer, layout Layout) {
	writeTitle(w, title(x), x.Machine, layout.columns())
	if len(x.Result) > mostResult || x.Stopped != "" && x.Result != "" {
		fmt.Fprintln(w, "  = "+x.Result) // unwrapped, because it may be a string
	}
	for _, text := range x.Says {
		for _, line := range Wrap(text, layout.columns()-2) {
			fmt.Fprintln(w, "  "+line)
		}
	}
	writeHead(x, w, layout)
	if x.Runs > 1 {
		writeBands(x, w, layout)
	} else {
		writeDetails(x, w, layout)
	}
	WriteLists(w, x.Lists, layout)
	if x.Next.Command != "" {
		fmt.Fprintln(w)
		start := "next: " + x.Next.Command
		if ansi.StringWidth(start)+2+ansi.StringWidth(x.Next.Why) > layout.columns() {
			fmt.Fprintln(w, start)
			start = "    "
		}
		writeNote(w, start, x.Next.Why, layout.columns())
	}
}

// mostResult is the longest result, in characters, that is written in the title [chosen].
const mostResult = 40

func title(x *answer.Answer) string {
	switch {
	case x.Runs > 1:
		return fmt.Sprintf("%s; mean of %d seeds", x.Title, x.Runs)
	case x.Stopped == "" && x.Result != "" && len(x.Result) <= mostResult:
		return x.Title + " = " + x.Result
	}
	return x.Ran()
}

// writeTitle writes the title with the machine at the right, or the machine on lines of its own if both do not fit on
// one line.
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

// Head returns the first rows: the headline numbers, what limited the run, conclusions, and the comparison with the
// paper.
func Head(x *answer.Answer) []HeadRow {
	rows := rowsAt(x, answer.Headline)
	if row, ok := limitedBy(x); ok {
		rows = append(rows, row)
	}
	rows = append(rows, rowsAt(x, answer.Verdict)...)
	if row, ok := byPaper(x); ok {
		rows = append(rows, row)
	}
	return rows
}

// rowsAt returns the rows of the fields with a place among the first rows.
func rowsAt(x *answer.Answer, place answer.Place) (rows []HeadRow) {
	for _, f := range x.Fields {
		if f.Place == place {
			value, unit := f.Parts()
			note := f.Note
			if note != "" && note[0] != ',' && unit != "" {
				note = " " + note
			}
			rows = append(rows, HeadRow{f.Name(), value, unit + note})
		}
	}
	return rows
}

// writeHead writes the first rows after a blank line.
func writeHead(x *answer.Answer, w io.Writer, layout Layout) {
	rows, label, value := Head(x), 0, 0
	for _, r := range rows {
		label, value = max(label, ansi.StringWidth(r.Label)), max(value, ansi.StringWidth(r.Value))
	}
	if rows != nil {
		fmt.Fprintln(w)
	}
	for _, r := range rows {
		start := fmt.Sprintf("  %s  %s", padRight(r.Label, label), padLeft(r.Value, value))
		writeNote(w, start, r.Note, layout.columns())
	}
}

// writeDetails writes the rows after the first ones: the nonzero details, or all numbers. Words come last.
func writeDetails(x *answer.Answer, w io.Writer, layout Layout) {
	var rows, words []HeadRow
	for _, f := range x.Fields {
		value, _ := f.Parts()
		v, isNumber := f.Float()
		text, isText := f.Value.(string)
		switch {
		case isText && text != "" && f.Place == answer.Detail:
			words = append(words, HeadRow{f.Name(), text, f.Note})
		case f.Doc == "" || !isNumber && f.Instead == "":
		case layout.Details:
			note := f.Doc
			if part := x.PartOfWhole(f); part > 0 && !f.IsShare {
				note = answer.InPercent(part) + " " + note
			}
			rows = append(rows, HeadRow{f.Key, f.String(), note})
		case f.Place == answer.Detail && (v != 0 || f.Shown):
			rows = append(rows, HeadRow{f.Name(), value, f.Note})
		}
	}
	rows = append(rows, words...)
	label, value := 0, 0
	for _, r := range rows {
		label, value = max(label, ansi.StringWidth(r.Label)), max(value, ansi.StringWidth(r.Value))
	}
	if rows != nil {
		fmt.Fprintln(w)
	}
	for _, r := range rows {
		writeNote(w, fmt.Sprintf("  %s  %s", padLeft(r.Value, value), padRight(r.Label, label)), r.Note, layout.columns())
	}
}

// writeBands writes the mean, the least and the greatest value of each number.
func writeBands(x *answer.Answer, w io.Writer, layout Layout) {
	l := layout.Table(x, []string{"mean", "least", "greatest"}, func(f *answer.Field) []any {
		b, ok := x.Bands[f.Key]
		if !ok || b == (answer.Band{}) && !f.Shown && !layout.Details {
			return nil
		}
		return []any{f.Cell(b.Mean), f.Cell(b.Min), f.Cell(b.Max)}
	})
	WriteLists(w, []answer.List{l}, layout)
}

// Table returns a table with a row for each important number of an answer, or for each number with its key and meaning.
// cells returns the cells under the heads, or nil to leave the number out.
func (l Layout) Table(x *answer.Answer, heads []string, cells func(f *answer.Field) []any) answer.List {
	t, fields := answer.List{Heads: append([]string{""}, heads...), Whole: true}, x.Weighty()
	if l.Details {
		t.Heads, fields = append(t.Heads, "meaning"), x.Numbers()
	}
	for _, f := range fields {
		switch row := cells(f); {
		case row == nil || f.Doc == "":
		case l.Details:
			t.Rows = append(t.Rows, slices.Concat([]any{f.Key}, row, []any{f.Doc}))
		default:
			t.Rows = append(t.Rows, append([]any{f.Name()}, row...))
		}
	}
	return t
}

// worthNaming is the least share of the workers' time with which a second limit is named [chosen].
const worthNaming = 0.05

// limitedBy returns the row that says what limited the run, and false if nothing did.
func limitedBy(x *answer.Answer) (row HeadRow, ok bool) {
	all := x.Limits()
	if len(all) == 0 {
		return row, false
	}
	note := fmt.Sprintf("%s of %s", answer.InPercent(all[0].Share), x.Whole)
	if all[0].Cause != "" {
		note += ": " + all[0].Cause
	}
	if len(all) > 1 && all[1].Share >= worthNaming {
		note += fmt.Sprintf("; then %s, %s", all[1].Name, answer.InPercent(all[1].Share))
	}
	return HeadRow{"limited by", all[0].Name, note}, true
}
