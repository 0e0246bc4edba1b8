package balance

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"

	"emsim/internal/study/spread"
)

// steadyPlan returns a plan that needs response times with intervals of a tenth to either side, for a policy over a
// free network.
func steadyPlan(t *testing.T, policy string, l Workload, n int, first uint64) *Plan {
	t.Helper()
	s, ok := FindPolicy(policy)
	require.True(t, ok)
	l.Name, l.Shape, l.Warmup = "open", Bag, 20
	return &Plan{
		Policies: []Policy{s}, Workloads: []Workload{l}, Workers: []int{n}, Grains: []int{100_000}, Seeds: 8,
		First: first, Precision: 10, Interval: spread.Interval,
	}
}

// The bounds of the tests of a pilot are quantiles of their distributions.
func TestSteadyBounds(t *testing.T) {
	require.InDelta(t, distuv.StudentsT{Sigma: 1, Nu: pilots - 1}.Quantile(0.995), driftBound, 1e-6)
	require.InDelta(t, distuv.F{D1: pilots - 1, D2: pilots * (batches - 1)}.Quantile(0.99), seedsBound, 1e-3)
}

// A queue at half its capacity is soon steady, and its interval contains the exact mean. At 99 % it cannot be steady
// within the limit of units.
func TestSteady(t *testing.T) {
	l := Workload{Arrivals: Poisson, Load: 50, Law: Exponential, Units: 400}
	rows, err := steadyPlan(t, "none", l, 1, 1).Compare(t.Context(), 2, nil)
	require.NoError(t, err)
	r := rows[0]
	require.Nil(t, r.Verdict)
	require.GreaterOrEqual(t, r.Units, leastUnits)
	require.True(t, *r.RespLow < 2 && 2 < *r.RespHigh, "2 works: %g (%g-%g)", *r.Response, *r.RespLow, *r.RespHigh)
	require.Less(t, (*r.RespHigh-*r.RespLow)/2 / *r.Response, 0.2)

	l.Law, l.Tail = Pareto, 2.5
	rows, err = steadyPlan(t, "none", l, 4, 1).Compare(t.Context(), 2, nil)
	require.NoError(t, err)
	require.Equal(t, "no interval: with tail = 2.5 the response time has no variance", *rows[0].Verdict)
	require.Nil(t, rows[0].RespLow)
	require.Nil(t, rows[0].Regret, "without an interval nothing is compared")

	l.Law, l.Load = Exponential, 100
	rows, err = steadyPlan(t, "none", l, 4, 1).Compare(t.Context(), 2, nil)
	require.NoError(t, err)
	require.Equal(t, "no steady state: load 100 %", *rows[0].Verdict)
	require.Nil(t, rows[0].RespLow)
}

// partsOf returns the outcomes of runs with the given parts, as a pilot sees them.
func partsOf(parts func(run, part int) float64) (list []outcome) {
	for run := range pilots {
		r := &Result{}
		for k := range batches {
			r.Batches = append(r.Batches, parts(run, k))
		}
		list = append(list, outcome{r: r})
	}
	return list
}

// Each of the three tests finds its own defect, and nothing where there is no defect.
func TestExamine(t *testing.T) {
	noise := func(run, k int) float64 { return math.Sin(float64(131*run + 37*k*k + 11*k*run)) }
	for name, c := range map[string]struct {
		parts func(run, k int) float64
		long  bool
	}{
		"nothing":      {func(run, k int) float64 { return 100 + noise(run, k) }, true},
		"grows":        {func(run, k int) float64 { return 100 + noise(run, k) + float64(k)/3 }, false},
		"seeds differ": {func(run, k int) float64 { return 100 + noise(run, k) + 2*noise(run, 99) }, false},
		"goes in waves": {func(run, k int) float64 {
			return 100 + 0.1*noise(run, k) +
				math.Sin(float64(k+run)*2*math.Pi/5)
		}, false},
		"constant": {func(int, int) float64 { return 100 }, true},
	} {
		_, _, long := examine(partsOf(c.parts))
		require.Equal(t, c.long, long, name)
	}
	_, drift, _ := examine(partsOf(func(run, k int) float64 { return 100 + noise(run, k) + float64(k) }))
	require.Greater(t, drift, driftBound, "it grows")
	_, _, long := examine([]outcome{{r: &Result{}}})
	require.False(t, long, "no unit counts")
}

// covered repeats an experiment. It returns the share of steady results whose interval contains the exact mean, and
// the number of steady results.
func covered(t *testing.T, experiments int, policy string, l Workload, n int, exact float64) (share float64,
	steady int,
) {
	t.Helper()
	for k := range experiments {
		p := steadyPlan(t, policy, l, n, 1+uint64(k)*1_000_000)
		rows, err := p.Compare(t.Context(), 2, nil)
		require.NoError(t, err)
		r := rows[0]
		if r.Verdict == nil {
			if steady++; *r.RespLow <= exact && exact <= *r.RespHigh {
				share++
			}
		}
	}
	t.Logf("%s, %s %g %%, %d workers: %d of %d steady, %.1f %% of them cover %g", policy, l.Arrivals, l.Load, n, steady,
		experiments, 100*share/float64(max(1, steady)), exact)
	return share / float64(max(1, steady)), steady
}

// The intervals contain the exact mean in a sample of the slow test.
func TestCoverageOfResponses(t *testing.T) {
	share, steady := covered(t, 12, "none", Workload{Arrivals: Poisson, Load: 80, Law: Exponential, Units: 400}, 1, 5)
	require.Equal(t, 12, steady)
	require.GreaterOrEqual(t, share, 0.8, fmt.Sprint(share))
}
