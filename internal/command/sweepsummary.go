package command

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"emsim/internal/base/answer/terminal"

	"emsim/internal/base/lists"
	"emsim/internal/study/sweep"
)

// writeSummary shows the columns of a table that answer its question, of some rows.
func writeSummary(w io.Writer, plan *sweep.Plan, table []byte) {
	const most = 60 // rows [chosen]
	lines := plan.Summary(table)
	t := terminal.NewColumns(lines[0]...)
	for _, line := range lines[1:min(len(lines), most+1)] {
		t.Add(line...)
	}
	t.Write(w, 0)
	if n := len(lines) - 1 - most; n > 0 {
		fmt.Fprintf(w, "... and %d more\n", n)
	}
	fmt.Fprintln(w)
}

// rankings returns what a sweep compares, if that is more than one thing in several rows.
func rankings(plan *sweep.Plan, table []byte) (list []object) {
	if plan.Seeds == 0 {
		return nil
	}
	ranks := plan.Ranking(table)
	if len(ranks) < 2 || !slices.ContainsFunc(ranks, func(r sweep.Rank) bool { return r.Rows > 1 }) {
		return nil
	}
	mean := func(x float64) any {
		if math.IsNaN(x) {
			return nil
		}
		return json.Number(fmt.Sprintf("%.2f", x))
	}
	return lists.Of(ranks, func(r sweep.Rank) object {
		return object{
			"name", r.Name, "time", mean(r.Time), "work", mean(r.Work), "faster", r.Faster,
			"slower", r.Slower, "rows", r.Rows,
		}
	})
}

// writeRanking shows them.
func writeRanking(w io.Writer, plan *sweep.Plan, list []object) {
	if len(list) == 0 {
		return
	}
	t := terminal.NewColumns("geometric means by "+plan.Against(), "time", "work", "faster", "slower", "rows")
	for _, o := range list {
		var cells []string
		for i := 1; i < len(o); i += 2 {
			cells = append(cells, strings.ReplaceAll(fmt.Sprint(o[i]), "<nil>", "-"))
		}
		t.Add(cells...)
	}
	t.Write(w, 0)
	fmt.Fprintln(w)
}
