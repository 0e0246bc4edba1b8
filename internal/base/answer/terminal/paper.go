package terminal

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/answer"
)

// mostOthers is the largest number of a paper's other numbers that follow its time in the first rows [chosen].
const mostOthers = 3

// byPaper returns the row that compares the run with the paper, and false if no paper has the run.
func byPaper(x *answer.Answer) (row HeadRow, ok bool) {
	if len(x.Papers) == 0 {
		return row, false
	}
	first := &x.Papers[0]
	note := difference(first) + ofGap(first)
	for i := 1; i < len(x.Papers) && i <= mostOthers; i++ {
		p := &x.Papers[i]
		f := x.Field(p.Key)
		again := slices.ContainsFunc(x.Papers[:i], func(before answer.Paper) bool { return before.Key == p.Key })
		if f != nil && !again { // other numbers are per worker, and shown in a list
			note += fmt.Sprintf("; %s %s, %s%s", f.Name(), numberOf(p), difference(p), ofGap(p))
		}
	}
	best := map[bool]string{true: ", the best of several runs"}[first.Best]
	return HeadRow{"paper", numberOf(first), note + " (" + first.Source + best + ")"}, true
}

// numberOf returns the paper's number with its unit.
func numberOf(p *answer.Paper) string {
	text := cmp.Or(p.Printed, strconv.FormatFloat(p.Paper, 'g', 6, 64))
	switch p.Unit {
	case "count", "-":
		return text
	case "1e6":
		return text + " million"
	}
	return text + " " + p.Unit
}

// difference returns how far the run is from the paper, in per cent of the paper's number or, for a share, in points.
func difference(p *answer.Paper) string {
	d := p.Model - p.Paper
	switch {
	case p.Unit == "%":
		return fmt.Sprintf("%+.1f points", d)
	case p.Paper == 0 && strconv.FormatFloat(p.Model, 'f', decimals(p.Printed), 64) == p.Printed:
		return "equal as printed"
	case p.Paper == 0:
		return fmt.Sprintf("%+.2g %s", d, p.Unit)
	}
	d = 100 * d / p.Paper
	if math.Abs(d) < 0.05 {
		return "equal within 0.1 %"
	}
	return fmt.Sprintf("%+.1f %%", d)
}

// decimals returns the number of digits after the point of a printed number.
func decimals(printed string) int {
	_, after, _ := strings.Cut(printed, ".")
	return len(after)
}

// ofGap returns a note with the number of the known gap, or "".
func ofGap(p *answer.Paper) string {
	if p.Gap == 0 {
		return ""
	}
	return fmt.Sprintf(", gap %d", p.Gap)
}
