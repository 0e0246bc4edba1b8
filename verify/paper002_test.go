package verify

import (
	"context"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/study/ensemble"
)

func TestPaper002(t *testing.T) {
	rows := measured(t, "002")
	allOK(t, rows)
	require.Len(t, rows, 41)
	gaps := map[string]int{}
	for _, r := range rows {
		if r.Gap != nil {
			gaps[r.ID] = *r.Gap
		}
	}
	require.Equal(t, map[string]int{
		"002.t1.static.p1": 200, "002.t1.static.p2": 200, "002.t2.static.p1": 200, "002.t2.static.p2": 200,
		"002.t1.static.p0":   201,
		"002.t1.proposed.p1": 203, "002.t2.proposed.p2": 203,
		"002.t2.proposed.p3": 202, "002.c.p3.tasks": 202, "002.c.p3.end": 202,
	}, gaps)
}

// Both rows of table 2 distribute the same 700 tasks. The tolerances are the acceptance's, in tasks.
func TestPaper002Tasks(t *testing.T) {
	claims, err := Claims("002")
	require.NoError(t, err)
	sums, cells := map[string]float64{}, map[string]int{}
	for _, c := range claims {
		if c.Cond["processor"] == "" || c.Rule != Within {
			continue
		}
		method := c.Cond["method"]
		paper, err := strconv.ParseFloat(c.Paper, 64)
		require.NoError(t, err)
		cells[c.Quantity+" "+method]++
		limit := min(map[string]float64{"tasks static": 5, "tasks proposed": 4}[c.Quantity+" "+method],
			float64(0.1*paper))
		if c.Quantity == "end_time" {
			require.InDelta(t, 0.08, c.Tolerance, 1e-12, c.ID)
			continue
		}
		sums[method] += paper
		require.InDelta(t, limit, c.Tolerance*paper, 1e-9, c.ID)
	}
	require.Equal(t, map[string]float64{"static": 700, "proposed": 700}, sums)
	require.Equal(t, map[string]int{
		"tasks static": 7, "tasks proposed": 7, "end_time static": 7,
		"end_time proposed": 7,
	}, cells)
}

func TestPaper002Unknown(t *testing.T) {
	measure := paper002().New(context.Background(), ensemble.New(1), nil)
	for _, c := range []Claim{
		{PaperNo: "002", Quantity: "tasks", Cond: map[string]string{"method": "static", "processor": "7"}},
		{PaperNo: "002", Quantity: "warmth", Cond: map[string]string{"method": "static", "processor": "1"}},
		{PaperNo: "002", Quantity: "tasks", Cond: map[string]string{"method": "best", "processor": "1"}},
		{PaperNo: "002", Quantity: "end_falls", Cond: map[string]string{"processor": "x"}},
	} {
		_, err := measure(context.Background(), c)
		require.Error(t, err)
	}
}
