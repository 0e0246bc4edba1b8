package figures

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"emsim/docs"
)

// balanceFigures are drawn from the recorded comparison, docs/balance/compare.csv,
// but for the loads over time.
func balanceFigures() []Figure {
	return []Figure{
		{
			Name: "balance-time", Title: "Run time of every scheme at every workload, over the ideal time", Source: "ours",
			Width: width, Height: 1.15 * height, Draw: balanceTimes,
		},
		{
			Name: "balance-size", Title: "Run time over the ideal time against the number of workers, five schemes", Source: "ours",
			Width: 1.3 * width, Height: 1.4 * height, Draw: balanceCurves("n", "workers", "grain", "30"),
		},
		{
			Name: "balance-grain", Title: "Run time over the ideal time against the grain, five schemes", Source: "ours",
			Width: 1.3 * width, Height: 1.4 * height, Draw: balanceCurves("grain", "grain", "n", "64"),
		},
		{
			Name: "balance-load", Title: "Backlog of 16 workers over time: a heap under three schemes", Source: "ours",
			Width: width, Height: 1.35 * height, Draw: balanceLoads,
		},
	}
}

// balanceRows are the recorded comparison.
func balanceRows() ([]sweepRow, error) {
	rows, err := tableRows([]byte(docs.Balance))
	if err == nil && len(rows) == 0 {
		err = errors.New("the table has no rows; 'emsim balance compare --csv' makes it")
	}
	if err != nil {
		return nil, fmt.Errorf("figures: docs/balance/compare.csv: %w", err)
	}
	return rows, nil
}

// blackTime is the time over the ideal time that is drawn black.
const blackTime = 16

// balanceTimes is the table of the page: 16 workers, grains 3 and 30.
func balanceTimes(context.Context) (Drawing, error) {
	rows, err := balanceRows()
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(r sweepRow) bool { return r["n"] != "16" || r["grain"] == "300" })
	t := shadedTables{title: "Time over the ideal time, white 1 to black 16 (logarithmic); n/a: no value"}
	for _, n := range distinct(rows, column("n")) {
		here := pick(rows, "n", n)
		var groups []tableGroup
		for _, g := range distinct(here, column("grain")) {
			groups = append(groups, tableGroup{"grain " + g, pick(here, "grain", g), distinct(here, column("workload"))})
		}
		t.panels = append(t.panels, cross(n+" workers", distinct(here, column("scheme")), groups, column("scheme"), column("workload"), func(runs []sweepRow) tableCell {
			return lastNumber(runs, "mean", "n/a", func(v float64) tableCell {
				return tableCell{fmt.Sprintf("%.2f", v), min(1, math.Log(v)/math.Log(blackTime))}
			})
		}))
	}
	return t, nil
}
