package study

import (
	"context"

	"emsim/pdes/mapping"
)

// An ObjectiveRun compares the maps that the two objectives find from the
// same start.
type ObjectiveRun struct {
	Objective mapping.Objective
	Method    string // conventional, greedy, anneal
	Point
}

// Objectives runs a case under the conventional map and under the maps that
// greedy (grid neighbours) and annealing find from it by either objective. If
// ctx ends, the completed runs are returned with the error.
func Objectives(ctx context.Context, c Case, w mapping.Weights, cell, window, slots int64) ([]ObjectiveRun, error) {
	p, err := c.Problem(w, slots)
	if err != nil {
		return nil, err
	}
	start := mapping.Conventional(p.Graph.LPs, p.Net.Nodes())
	if _, err := mapRun(c, start, cell, window, slots); err != nil {
		return nil, err // the context ended before the search
	}
	runs := []ObjectiveRun{{Method: "conventional", Point: Point{Score: p.Score(start)}}}
	maps := []mapping.Map{start}
	for _, o := range mapping.Objectives() {
		g, err := p.Greedy(ctx, start, mapping.Grid, o)
		if err != nil {
			return nil, err
		}
		a, err := p.Anneal(ctx, start, o, mapping.AnnealSteps/4, 1)
		if err != nil {
			return nil, err
		}
		runs = append(runs,
			ObjectiveRun{o, "greedy", Point{Score: g.Score}},
			ObjectiveRun{o, "anneal", Point{Score: a.Score}})
		maps = append(maps, g.Map, a.Map)
	}
	for i := range runs {
		if runs[i].Clocks, err = RunMap(ctx, c, maps[i], cell, window, slots); err != nil {
			return runs[:i], err
		}
	}
	return runs, nil
}
