package command

import (
	"fmt"
	"io"
	"math"
	"slices"

	"emsim/internal/study/sweep"
)

// writeSummary shows the columns of a table that answer its question, of some rows.
func writeSummary(w io.Writer, plan *sweep.Plan, table []byte) {
	const most = 60 // rows [chosen]
	lines := plan.Summary(table)
	t := newGrid(lines[0]...)
	for _, line := range lines[1:min(len(lines), most+1)] {
		t.addRow(line...)
	}
	t.write(w)
	if n := len(lines) - 1 - most; n > 0 {
		fmt.Fprintf(w, "... and %d more\n", n)
	}
	fmt.Fprintln(w)
}

// ranking ranks what a sweep compares, if that is more than one thing in several rows.
func ranking(plan *sweep.Plan, table []byte) []sweep.Rank {
	if plan.Seeds == 0 {
		return nil
	}
	list := plan.Ranking(table)
	if len(list) < 2 || !slices.ContainsFunc(list, func(r sweep.Rank) bool { return r.Rows > 1 }) {
		return nil
	}
	return list
}

// finite is a number for JSON, or null.
func finite(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

// writeRanking shows the ranking.
func writeRanking(w io.Writer, plan *sweep.Plan, list []sweep.Rank) {
	if len(list) == 0 {
		return
	}
	number := func(x float64) string {
		if math.IsNaN(x) {
			return "-"
		}
		return fmt.Sprintf("%.2f", x)
	}
	fmt.Fprintf(w, "Geometric means of the ratios to %s:\n", plan.Against())
	t := newGrid(append(plan.Contends(), "time", "work", "faster", "slower", "rows")...)
	for _, r := range list {
		t.addRow(append(slices.Clone(r.Name), number(r.Time), number(r.Work), fmt.Sprint(r.Faster), fmt.Sprint(r.Slower), fmt.Sprint(r.Rows))...)
	}
	t.write(w)
	fmt.Fprintln(w)
}
