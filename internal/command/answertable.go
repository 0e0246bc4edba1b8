package command

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"emsim/internal/base/knob"
	"emsim/internal/base/lists"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
)

// answerTable prints an answer for people: what ran, its numbers with what they
// mean, and its lists.
func answerTable(w io.Writer, m *machinefile.Machine, x *machines.Answer) {
	fmt.Fprintf(w, "%s%s\n\n", x.Title, seedOf(m, 1))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range x.Fields {
		if v, ok := x.Number(f.Key); ok && isMeasured(m, f) {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", f.Key, shownNumber(f, v), wholeShare(x, f, v), f.Doc)
		}
	}
	t.Flush()
	writeLists(w, x.Lists, 0)
}

// writeLists prints the lists of an answer, at most a number of rows of each; 0: all.
func writeLists(w io.Writer, all []machines.List, most int) {
	for _, l := range all {
		fmt.Fprintln(w)
		g := newGrid(l.Heads...)
		g.most = most
		for _, row := range l.Rows {
			cells := lists.Of(row, cellText)
			g.addRow(cells...)
		}
		g.write(w)
	}
}

// meanTable prints the means of several runs, with the range of each number.
func meanTable(w io.Writer, m *machinefile.Machine, x *machines.Answer, runs int) {
	fmt.Fprintf(w, "%s%s\n\n", x.Title, seedOf(m, runs))
	g := newGrid("mean of "+strconv.Itoa(runs)+" seeds", "mean", "least", "greatest")
	for _, f := range x.Fields {
		if b, ok := x.Bands[f.Key]; ok && isMeasured(m, f) {
			g.addRow(f.Key, shownNumber(f, b.Mean), shownNumber(f, b.Min), shownNumber(f, b.Max))
		}
	}
	g.write(w)
	writeLists(w, x.Lists, 0)
}

// shownNumber returns a number with its unit, or what stands in its place.
func shownNumber(f machines.Field, v float64) string {
	if f.Instead != "" {
		return f.Instead
	}
	return withUnit(f, v)
}

// isMeasured reports whether a field of an answer is a row of its table: a number, no
// setting, which the title has, and not the time, which has a name of its own too.
func isMeasured(m *machinefile.Machine, f machines.Field) bool {
	_, isKnob := knob.Find(m.Rows, f.Key)
	return f.Doc != "" && !isKnob && f.Key != "time" && f.Key != "seeds"
}

// seedOf names the seeds of a machine that has one.
func seedOf(m *machinefile.Machine, runs int) string {
	r, ok := knob.Find(m.Rows, "seed")
	if !ok {
		return ""
	}
	last := r.Get().(uint64)
	if runs == 1 {
		return fmt.Sprintf(", seed %d", last)
	}
	return ", " + seedsText(last-uint64(runs)+1, runs)
}

// withUnit writes a number of an answer: shares in per cent, seconds with three
// places, counts with commas, others with four digits.
func withUnit(n machines.Field, v float64) string {
	unit := n.Unit
	if unit != "" {
		unit = " " + unit
	}
	switch {
	case n.IsShare:
		return percent(v)
	case n.Unit == "s" && (v == 0 || v >= 0.01):
		return fmt.Sprintf("%.3f s", v)
	case v == float64(int64(v)):
		return commas(int64(v)) + unit
	case v >= 10_000:
		return commas(int64(math.Round(v))) + unit
	}
	return fmt.Sprintf("%.4g%s", v, unit)
}

// wholeShare returns the part that a number is of the product of others, in per cent.
func wholeShare(x *machines.Answer, f machines.Field, v float64) string {
	whole := 1.
	for _, key := range f.Of {
		n, _ := x.Number(key)
		whole = float64(whole * n)
	}
	if f.Of == nil || whole == 0 {
		return ""
	}
	return percent(v / whole)
}

// commas writes a whole number with commas.
func commas(n int64) string {
	if n < 0 {
		return "-" + count(uint64(-n))
	}
	return count(uint64(n))
}

// cellText writes a cell of an answer's list.
func cellText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case machines.Percent:
		return percent(float64(v))
	case float64:
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	return fmt.Sprint(v)
}

// grid is a table for people: names on the left, numbers to the right.
type grid struct {
	rows [][]string // the first holds the heads
	most int        // rows that are printed; 0: all
}

func newGrid(heads ...string) *grid { return &grid{rows: [][]string{heads}} }

// addRow adds a row.
func (g *grid) addRow(cells ...string) { g.rows = append(g.rows, cells) }

// write prints the table, and how many rows it leaves out.
func (g *grid) write(w io.Writer) {
	shown := g.rows
	if g.most > 0 && len(shown)-1 > g.most {
		shown = shown[:1+g.most]
	}
	wide := make([]int, len(shown[0]))
	for _, r := range shown {
		for i, c := range r {
			wide[i] = max(wide[i], utf8.RuneCountInString(c))
		}
	}
	for _, r := range shown {
		var b strings.Builder
		for i, c := range r {
			pad := strings.Repeat(" ", wide[i]-utf8.RuneCountInString(c))
			if i == 0 {
				b.WriteString(c + pad)
			} else {
				b.WriteString("  " + pad + c)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
	if n := len(g.rows) - len(shown); n > 0 {
		fmt.Fprintf(w, "... and %d more (--top 0 prints all)\n", n)
	}
}

// wrapText breaks a text into lines of at most width columns, between words.
// Japanese has no spaces and is broken anywhere, as is a word that is longer
// than a line.
func wrapText(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		wide := ansi.StringWidth(word) > utf8.RuneCountInString(word)
		if line != "" && (!wide && ansi.StringWidth(line)+1+ansi.StringWidth(word) > width || ansi.StringWidth(line)+3 > width) {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		if ansi.StringWidth(line)+ansi.StringWidth(word) <= width {
			line += word
			continue
		}
		for _, r := range word {
			if ansi.StringWidth(line)+ansi.StringWidth(string(r)) > width {
				lines, line = append(lines, line), ""
			}
			line += string(r)
		}
	}
	return append(lines, line)
}
