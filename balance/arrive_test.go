package balance

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/portable"
	"emsim/internal/study/spread"
)

// comesTo returns, by worker, the times at which units come.
func comesTo(l Workload, n int) [][]int64 {
	l.Shape, l.Work = Bag, 100
	none, _ := FindPolicy("none")
	w := newWorld(&Setup{Policy: none, Workload: l, Workers: n, Seed: 1})
	out := make([][]int64, n)
	for i := range w.workers {
		for _, u := range w.workers[i].coming {
			out[i] = append(out[i], w.units[u].come)
		}
	}
	return out
}

// Units come as the workload says: evenly to all workers in turn, in bursts to one worker each, or as in a trace.
// Their rate is the load.
func TestComing(t *testing.T) {
	require.Equal(t, [][]int64{{0, 200, 400}, {100, 300, 500}},
		comesTo(Workload{Units: 3, Arrivals: Even, Load: 50}, 2))
	require.Equal(t, [][]int64{{0, 50, 100, 150}, nil},
		comesTo(Workload{Units: 2, Arrivals: Even, Load: 100, One: true}, 2))
	slow := Workload{Units: 3, Arrivals: Even, Load: 100, Slow: []int{0}, Of: 1, Percent: 25}
	require.Equal(t, [][]int64{{0, 400, 800}}, comesTo(slow, 1), "the capacity is that of slow workers")
	slow.On, slow.Off = 300, 100
	require.Equal(t, [][]int64{{0, 133, 266}}, comesTo(slow, 1), "and that of time slices")
	require.Equal(t, [][]int64{nil, {50, 250}, {0}},
		comesTo(Workload{Units: 1, Arrivals: ByTrace, Trace: []Job{{0, 1, 2}, {.5, 1, 1}, {2.5, 1, 4}}}, 3))
	bursts := comesTo(Workload{Units: 50, Arrivals: Bursty, Burst: 5, Load: 50}, 4)
	last := int64(0)
	for _, list := range bursts {
		require.Zero(t, len(list)%5)
		for k, at := range list {
			require.Equal(t, list[k-k%5], at)
			last = max(last, at)
		}
	}
	require.InEpsilon(t, 200*100/(4*.5), last, 0.5, "200 units of 100 at half of the load of 4 workers")
	one := comesTo(Workload{Units: 2000, Arrivals: Poisson, Load: 80, One: true}, 2)
	require.Len(t, one[0], 4000)
	require.InEpsilon(t, 4000*100/(2*.8), one[0][3999], 0.05)
	require.NotEqual(t, comesTo(Workload{Units: 20, Arrivals: Poisson, Load: 80}, 2),
		comesTo(Workload{Units: 20, Arrivals: Poisson, Load: 40}, 2))
}

// Each law has the specified mean and stays within its bounds. If a trace gives the arrivals, the units take their work
// from its jobs in order.
func TestLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, l := range []Workload{
		{Law: Exponential},
		{Law: Pareto, Tail: 4},
		{Law: TraceLaw, Trace: []Job{{Work: .5}, {Work: 1.5}}},
		{Spread: 50},
		{Law: Uniform},
	} {
		l.Work = 1000
		sum, least, most := int64(0), int64(math.MaxInt64), int64(0)
		for u := range 40_000 {
			x := l.drawWork(rng, u)
			sum, least, most = sum+x, min(least, x), max(most, x)
		}
		require.InEpsilon(t, 1000, float64(sum)/40_000, 0.02, l.Law)
		switch {
		case l.Law == Pareto:
			require.EqualValues(t, 750, least)
			require.Greater(t, most, int64(7000))
		case l.Law == TraceLaw:
			require.Equal(t, [2]int64{500, 1500}, [2]int64{least, most})
		}
	}
	heavy := Workload{Work: maxWork, Law: Pareto, Tail: 1.01}
	for u := range 100_000 {
		require.LessOrEqual(t, heavy.drawWork(rng, u), int64(mostDrawn))
	}
	turn := Workload{Work: 10, Law: TraceLaw, Arrivals: ByTrace, Trace: []Job{{Work: .01}, {Work: 1.99}}}
	require.Equal(t, [2]int64{1, 20}, [2]int64{turn.drawWork(rng, 0), turn.drawWork(rng, 1)})
}

// Response times are from arrival to end, without units of the warm-up at either end.
func TestResponse(t *testing.T) {
	none, _ := FindPolicy("none")
	l := Workload{Shape: Bag, Units: 5, Work: 100, Arrivals: Even, Load: 100}
	run := func() *Result { return runs(t, Setup{Policy: none, Workload: l, Workers: 1, Seed: 1}) }
	require.Equal(t, []int64{100, 100, 100, 100, 100}, run().Response)
	require.EqualValues(t, 500, run().Ideal)
	l.Warmup = 25 // per cent of the 400 ticks
	require.Len(t, run().Response, 3)
	l.Load, l.Warmup = 200, 0
	r := run()
	require.Equal(t, []int64{100, 150, 200, 250, 300}, r.Response, "one of 50 more for each")
	require.Equal(t, [2]float64{2, 1}, [2]float64{r.Came, r.Ended},
		"two units of 100 come after 100, and one ends after that and up to 200")
	l.Arrivals = AtStart
	require.Empty(t, run().Response)
	l = Workload{Shape: Bag, Units: 1, Work: 100, Arrivals: Even, Load: 1}
	require.EqualValues(t, 100, run().Ideal)
	l.Units = 2
	require.EqualValues(t, 10_000, run().Ideal, "no end before the last unit has come")
}

// A rule makes a decision for every unit, also for units that are born together: no unit stays in a crowd if it would
// be better off elsewhere.
func TestEveryBirthDecides(t *testing.T) {
	two, _ := FindPolicy("three-choices")
	source, _ := FindPolicy("none")
	l := Workload{Shape: Bag, Units: 25, One: true}
	r := sane(t, cellOf(two, l, 8, 30, 1))
	require.Greater(t, r.Moved, 150, "of 200 units about seven eighths")
	require.Less(t, r.Time, sane(t, cellOf(source, l, 8, 30, 1)).Time/2)
	require.Equal(t, 0, r.Probes%4, "each decision asks two, and both answer")
	require.GreaterOrEqual(t, r.Probes, 4*r.Moved)
}

// Searches continue while units are born: 400 births need more than ten times as many probes as 4.
func TestSearchDuringBirths(t *testing.T) {
	s, _ := FindPolicy("mlpe")
	few, many := sane(t, cellOf(s, Workload{Shape: Bag, Units: 1, One: true}, 4, 30, 1)),
		sane(t, cellOf(s, Workload{Shape: Bag, Units: 100, One: true}, 4, 30, 1))
	require.Greater(t, many.Probes, 10*few.Probes, "searches go on while 400 units are born")
}

// A difference is a tie if chance or the errors of the checks could explain it.
func TestTies(t *testing.T) {
	row := func(policy string, check float64, ratios ...float64) Row {
		mean := portable.Mean(ratios)
		return Row{Policy: policy, Mean: &mean, Check: &check, judged: ratios}
	}
	p := Plan{Against: func(a, b []float64) (low, high float64, certain bool) {
		_, low, high = spread.Ratio(a, b, true)
		return low, high, low > 1
	}}
	rows := []Row{
		row("best", 0.05, 2, 4, 3), row("pairs", 0, 2.4, 4.8, 3.6), row("chance", 0, 2, 6, 3),
		row("check", 0.15, 2.4, 4.8, 3.6), row("little", 0.14, 2.4, 4.8, 3.6),
	}
	p.regrets(rows)
	for k, tie := range []bool{true, false, true, true, false} {
		require.Equal(t, tie, *rows[k].Tie, rows[k].Policy)
	}
	require.InDelta(t, 0.2, *rows[1].Regret, 1e-12)
	require.InDelta(t, 0.2, *rows[1].RegLow, 1e-12, "in pairs there is no chance")
	rows = []Row{row("best", 0, 2), row("other", 0, 3), row("same", 0, 2)}
	p.regrets(rows)
	for _, r := range rows {
		require.Nil(t, r.Tie, "one seed says nothing about chance")
		require.Nil(t, r.RegLow)
		require.False(t, r.Skewed())
	}
	require.InDelta(t, 0.5, *rows[1].Regret, 1e-12)
	slanted := row("one far out", 0, 1, 1, 1, 1, 2, 1, 1, 9)
	even := row("both sides", 0, 1, 2, 3, 4, 5, 6, 7, 8)
	require.True(t, slanted.Skewed())
	require.False(t, even.Skewed())
}

// Traces give times, work and workers; times are in multiples of the mean work. Mistakes are reported with their
// place.
func TestTrace(t *testing.T) {
	jobs, err := ParseTrace("j", []byte("0 100\n50 300 7 # late\n"))
	require.NoError(t, err)
	require.Equal(t, []Job{{0, .5, -1}, {.25, 1.5, 7}}, jobs)
	for text, want := range map[string]string{
		"": "no jobs", "5": "ends here", "5 5\n4 5": "not before",
		"5 0": "amount of work", "1 1 -1": "a worker", "1 1 1 1": "end of the line",
	} {
		_, err := ParseTrace("j", []byte(text))
		require.ErrorContains(t, err, want)
	}
}
