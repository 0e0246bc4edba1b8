package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"emsim/internal/base/answer"
	"emsim/internal/base/lists"
	"emsim/internal/study/sweep"
)

// summary returns the columns of a table that answer the sweep's question. It shows only the first rows of a long
// table.
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

// rankings returns the ranking of the things that a sweep compares. It returns nil if the sweep has no seeds, if it
// compares fewer than two things, or if none of them has several rows.
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

// listPoints implements --dry-run: it lists the points and says which are done.
func (a *app) listPoints(plan *sweep.Plan, store *sweep.Store) error {
	survey, err := store.Survey(plan)
	if err != nil {
		return err
	}
	columns := pointColumns(survey)
	l := columns.List(plan.Points)
	l.Unbroken = true
	l.Notes = []string{
		fmt.Sprintf("%d points, %d different runs, %d to run", plan.Rows(), survey.Runs(), len(survey.Missing)),
	}
	x := &answer.Answer{
		Title: cmp.Or(plan.Title, "sweep"), Machine: plan.File, Says: survey.Again, Lists: []answer.List{l},
	}
	return a.answer(columns.Objects(plan.Points), a.shown(x))
}

// pointColumns describes the rows of 'emsim sweep --dry-run'.
func pointColumns(survey *sweep.Survey) answer.Columns[sweep.Point] {
	done := func(p sweep.Point) bool { return survey.Results[p.ID] != nil }
	return answer.Columns[sweep.Point]{
		{Key: "id", Doc: "name of its result", Of: func(p sweep.Point) any { return p.ID }},
		{Head: "state", Of: func(p sweep.Point) any { return map[bool]string{false: "to run", true: "done"}[done(p)] }},
		{Key: "variant", Head: "variant", Of: func(p sweep.Point) any { return p.Variant }},
		{Key: "command", Head: "command", Doc: "to do it alone", Of: func(p sweep.Point) any { return p.Command() }},
		{Key: "done", Doc: "its result is there", Of: func(p sweep.Point) any { return done(p) }},
	}
}
