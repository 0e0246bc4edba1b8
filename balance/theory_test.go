package balance

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/study/spread"
)

// freely runs an open workload with free messages, and returns a row with intervals.
func freely(t *testing.T, s Policy, l Workload, n, seeds int) Row {
	t.Helper()
	l.Name, l.Shape, l.Warmup = "open", Bag, 20
	p := Plan{
		Policies: []Policy{s}, Workloads: []Workload{l}, Workers: []int{n}, Grains: []int{100_000}, Seeds: seeds,
		Interval: spread.Interval,
	}
	rows, err := p.Compare(t.Context(), 2, nil)
	require.NoError(t, err)
	require.Nil(t, rows[0].NA)
	return rows[0]
}

// If every worker has its own queue and nothing moves, a queue is M/M/1, M/D/1, M/G/1 or, with bursts, a queue with
// arrivals in groups. Mean response times follow the formula of Pollaczek and Khinchin, and response times of M/M/1
// are exponential. Each of the eight workers has one queue.
func TestSingleQueues(t *testing.T) {
	none, _ := FindPolicy("none")
	wait := func(load, square float64) float64 { return 1 + load*square/(2*(1-load)) } // square: mean square of a work
	for _, c := range []struct {
		name string
		l    Workload
		want float64
	}{
		{"M/M/1 50", Workload{Arrivals: Poisson, Load: 50, Law: Exponential}, wait(.5, 2)},
		{"M/M/1 80", Workload{Arrivals: Poisson, Load: 80, Law: Exponential}, wait(.8, 2)},
		{"M/D/1", Workload{Arrivals: Poisson, Load: 80}, wait(.8, 1)},
		{"M/G/1, uniform", Workload{Arrivals: Poisson, Load: 70, Spread: 90}, wait(.7, 1+.81/3)},
		{"M/G/1, Pareto", Workload{Arrivals: Poisson, Load: 50, Law: Pareto, Tail: 5}, wait(.5, 16./15)},
		{"M/G/1, trace", Workload{
			Arrivals: Poisson, Load: 60, Law: TraceLaw,
			Trace: []Job{{Work: .5}, {Work: .5}, {Work: 2}},
		}, wait(.6, 1.5)},
		{"bursts of 4", Workload{Arrivals: Bursty, Burst: 4, Load: 60, Law: Exponential}, 5 / (2 * .4)},
	} {
		c.l.Units = 2000
		r := freely(t, none, c.l, 8, 24)
		t.Logf("%-15s %.4f: %.4f (%.4f-%.4f)", c.name, c.want, *r.Response, *r.RespLow, *r.RespHigh)
		require.LessOrEqual(t, *r.RespLow, c.want, c.name)
		require.GreaterOrEqual(t, *r.RespHigh, c.want, c.name)
		if c.name == "M/M/1 50" { // with mean 2
			for part, got := range map[float64]float64{.5: *r.P50, .95: *r.P95, .99: *r.P99} {
				require.InEpsilon(t, -2*math.Log(1-part), got, 0.02)
			}
		}
	}
}

// A rule that asks d - 1 others at the birth of a unit is the supermarket model of d choices [Mitzenmacher 2001],
// because the worker itself is one of them. The mean response time is the sum of load^((d^i - d) / (d - 1)), i from
// 1.
func TestSupermarket(t *testing.T) {
	for _, c := range []struct{ choices, load float64 }{{2, 90}, {3, 90}, {2, 70}} {
		r := DefaultRule()
		r.Information, r.Trigger, r.Amount, r.Probes = "probe", "birth", "one", int(c.choices)-1
		want := float64(0)
		for i := range 20 {
			want += math.Pow(c.load/100, (math.Pow(c.choices, float64(i+1))-c.choices)/(c.choices-1))
		}
		row := freely(t, r.Policy(), Workload{Arrivals: Poisson, Load: c.load, Law: Exponential, Units: 120}, 256, 8)
		t.Logf("%g choices at %g: %.4f: %.4f (%.4f-%.4f)", c.choices, c.load, want, *row.Response, *row.RespLow,
			*row.RespHigh)
		require.LessOrEqual(t, *row.RespLow, want)
		require.GreaterOrEqual(t, *row.RespHigh, want)
	}
}
