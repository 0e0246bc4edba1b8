package balance

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/study/spread"
)

// limitOf estimates one limit with eight seeds.
func limitOf(t *testing.T, policy string, l Workload, n, grain int) Limit {
	t.Helper()
	s, ok := FindPolicy(policy)
	require.True(t, ok)
	p := Plan{
		Policies: []Policy{s}, Workloads: []Workload{l}, Workers: []int{n}, Grains: []int{grain}, Seeds: 8,
		Fabric: Common(), Numbers: DefaultNumbers(), Interval: spread.Interval,
	}
	rows, err := p.Limits(t.Context(), 2, nil)
	require.NoError(t, err)
	require.Len(t, rows, 1)
	require.Nil(t, rows[0].NA)
	return rows[0]
}

// exactLimit is a case with a known limit.
type exactLimit struct {
	name, policy string
	change       func(l *Workload)
	n, grain     int
	exact        float64
}

// exactLimits returns limits that are known from theory. Without moves, the slowest worker sets the limit. If units
// are sent to random workers, the limit is the capacity that is left after 15 of 16 units have been moved, at 1/grain
// of their work each.
func exactLimits() []exactLimit {
	same := func(*Workload) {}
	slow := func(l *Workload) { l.Slow, l.Of, l.Percent = []int{1, 3, 6}, 7, 30 }
	return []exactLimit{
		{"none, 1 worker", "none", same, 1, 30, 100},
		{"none, 4 workers", "none", same, 4, 30, 100},
		{"none, 16 workers", "none", same, 16, 30, 100},
		{"unequal speeds", "none", slow, 7, 30, 100 * .3 * 7 / (4 + 3*.3)},
		{"random, grain 30", "random", same, 16, 30, 96.97},
		{"random, grain 3", "random", same, 16, 3, 76.19},
		{"none, 64 workers", "none", same, 64, 30, 100},
		{"constant work", "none", func(l *Workload) { l.Law, l.Spread = Uniform, 25 }, 16, 30, 100},
		{"bursts", "none", func(l *Workload) { l.Arrivals, l.Burst = Bursty, 10 }, 16, 30, 100},
		{"stealing, grain 30", "stealing", same, 16, 30, 100},
	}
}

// Exact limits are inside the interval, and the interval is narrow. A slow test checks all of them.
func TestExactLimits(t *testing.T) { testLimits(t, exactLimits()[:6]) }

// testLimits compares limits with the exact ones. Of ten 95 % intervals, one or two miss in every second series of
// seeds; so the test accepts one and a half times their reach.
func testLimits(t *testing.T, list []exactLimit) {
	for _, c := range list {
		l := OpenWorkloads()[0]
		c.change(&l)
		r := limitOf(t, c.policy, l, c.n, c.grain)
		t.Logf("%-20s %.2f: %.2f (%.2f-%.2f) %d units", c.name, c.exact, *r.Load, *r.Low, *r.High, r.Units)
		reach := *r.High - *r.Load
		require.InDelta(t, c.exact, *r.Load, 1.5*reach+.05, c.name)
		require.Less(t, reach, 1.5, c.name)
	}
}

// Limits rejects a workload whose arrivals do not follow a load, and gives the reason if a policy has no value.
func TestNoLimit(t *testing.T) {
	none, _ := FindPolicy("none")
	l := OpenWorkloads()[0]
	p := Plan{
		Policies: []Policy{{Name: "x", Only: "graph", New: none.New}}, Workloads: []Workload{l}, Workers: []int{2},
		Grains: []int{1}, Seeds: 1, Fabric: Common(),
	}
	rows, err := p.Limits(t.Context(), 1, nil)
	require.NoError(t, err)
	require.Contains(t, *rows[0].NA, "graph only")
	require.Nil(t, rows[0].Load)
	p.Workloads[0].Arrivals = ByTrace
	_, err = p.Limits(t.Context(), 1, nil)
	require.ErrorContains(t, err, "expected arrivals = even, poisson or bursty")
	p.Policies, p.Workloads = []Policy{none}, slices.Clone(OpenWorkloads()[:1])
	p.Interval = spread.Interval
	rows, err = p.Limits(t.Context(), 1, nil)
	require.NoError(t, err)
	require.NotNil(t, rows[0].Load)
	require.Nil(t, rows[0].Low, "one seed has no interval")
}

// A load below the limit is confirmed, and a load above it is not: there the second halves of runs of any length are
// longer.
func TestConfirm(t *testing.T) {
	none, _ := FindPolicy("none")
	p := Plan{
		Policies: []Policy{none}, Workloads: OpenWorkloads()[:1], Workers: []int{4}, Grains: []int{30}, Seeds: 8,
		Fabric: Common(), Numbers: DefaultNumbers(), Interval: spread.Interval,
	}
	for limit, holds := range map[float64]bool{60: true, 100: true, 106: false} {
		row := Limit{Load: &limit}
		require.True(t, p.confirm(t.Context(), cell{}, &row))
		require.Equal(t, holds, *row.Holds, limit)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	load := float64(60)
	require.False(t, p.confirm(ctx, cell{}, &Limit{Load: &load}))
	require.InDelta(t, 0.8, p.Workloads[0].Load/100, 1e-9, "the plan stays as it is")
}
