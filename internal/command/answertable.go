package command

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"text/tabwriter"

	"emsim/internal/base/knob"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
)

// answerTable prints an answer for people: what ran, its numbers with what they
// mean, and its lists.
func answerTable(w io.Writer, m *machinefile.Machine, x machines.Answer, lists bool) error {
	fmt.Fprintf(w, "%s%s\n\n", x.Title(), seedOf(m, 1))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	numbers := machines.Numbers(m.Kind.Name)
	value := func(n machines.Number) (float64, bool) { return n.Value(x) }
	for _, n := range numbers {
		if v, ok := value(n); ok && isMeasured(m, n.Key) {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", n.Key, withUnit(n, v), wholeShare(numbers, n, v, value), n.Doc)
		}
	}
	if err := t.Flush(); err != nil || !lists {
		return err
	}
	return writeLists(w, x.Lists())
}

// writeLists prints the lists of an answer.
func writeLists(w io.Writer, all []machines.List) error {
	for _, l := range all {
		fmt.Fprintln(w)
		g := newGrid(l.Heads...)
		for _, row := range l.Rows {
			cells := make([]string, len(row))
			for i, c := range row {
				cells[i] = cellText(c)
			}
			g.addRow(cells...)
		}
		if err := g.write(w); err != nil {
			return err
		}
	}
	return nil
}

// meanTable prints the means of several runs, with the range of each number.
func meanTable(w io.Writer, m *machinefile.Machine, x *machines.Mean) error {
	fmt.Fprintf(w, "%s%s\n\n", x.First.Title(), seedOf(m, x.Seeds))
	g := newGrid("mean of "+strconv.Itoa(x.Seeds)+" seeds", "mean", "least", "greatest")
	for _, n := range machines.Numbers(m.Kind.Name) {
		if b, ok := x.Bands[n.Key]; ok && isMeasured(m, n.Key) {
			g.addRow(n.Key, withUnit(n, b.Mean), withUnit(n, b.Min), withUnit(n, b.Max))
		}
	}
	if err := g.write(w); err != nil {
		return err
	}
	return writeLists(w, x.Lists())
}

// isMeasured reports whether a number of an answer is a row of its table: no
// setting, which the title has, and not the time, which has a name of its own too.
func isMeasured(m *machinefile.Machine, key string) bool {
	_, isKnob := knob.Find(m.Rows, key)
	return !isKnob && key != "time" && key != "seeds"
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
func withUnit(n machines.Number, v float64) string {
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

// wholeShare is the part that a number is of the product of others, in per cent.
func wholeShare(numbers []machines.Number, n machines.Number, v float64, value func(machines.Number) (float64, bool)) string {
	whole := 1.
	for _, key := range n.Of {
		for _, o := range numbers {
			if o.Key == key {
				x, _ := value(o)
				whole = float64(whole * x)
			}
		}
	}
	if n.Of == nil || whole == 0 {
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
