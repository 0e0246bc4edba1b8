package command

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"emsim/internal/base/answer"
	"emsim/internal/base/lists"
	"emsim/internal/study/sweep"
)

// summary returns the columns of a table that answer the sweep's question, for the first rows.
func summary(plan *sweep.Plan, table []byte) answer.List {
	const most = 60 // rows [chosen]
	lines := plan.Summary(table)
	l := answer.List{Heads: lines[0], Whole: true}
	for i, line := range lines[1:] {
		if i == most {
			l.Notes = []string{fmt.Sprintf("... and %d more", len(lines)-1-most)}
			break
		}
		l.Rows = append(l.Rows, lists.Of(line, func(text string) any { return text }))
	}
	return l
}

// rankings returns the ranking of the things that a sweep compares, if there are several and at least one has several
// rows.
func rankings(plan *sweep.Plan, table []byte) []sweep.Rank {
	if plan.Seeds == 0 {
		return nil
	}
	ranks := plan.Ranking(table)
	if len(ranks) < 2 || !slices.ContainsFunc(ranks, func(r sweep.Rank) bool { return r.Rows > 1 }) {
		return nil
	}
	return ranks
}

// rankColumns describes the columns of a ranking.
func rankColumns(against string) answer.Columns[sweep.Rank] {
	mean := func(x float64) any {
		if math.IsNaN(x) {
			return nil
		}
		return json.Number(fmt.Sprintf("%.2f", x))
	}
	return answer.Columns[sweep.Rank]{
		{Key: "name", Head: "geometric means by " + against, Of: func(r sweep.Rank) any { return r.Name }},
		{
			Key: "time", Head: "time", Doc: "geometric mean of the ratios; null if a run ended without an answer",
			Of: func(r sweep.Rank) any { return mean(r.Time) },
		},
		{Key: "work", Head: "work", Doc: "likewise", Of: func(r sweep.Rank) any { return mean(r.Work) }},
		{Key: "faster", Head: "faster", Doc: "rows with that verdict", Of: func(r sweep.Rank) any { return r.Faster }},
		{Key: "slower", Head: "slower", Doc: "rows with that verdict", Of: func(r sweep.Rank) any { return r.Slower }},
		{Key: "rows", Head: "rows", Of: func(r sweep.Rank) any { return r.Rows }},
	}
}
