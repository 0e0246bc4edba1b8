package balance

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/portable"
	"emsim/internal/study/spread"
)

// comesTo says when units come and to whom, by worker.
func comesTo(l Workload, n int) [][]int64 {
	l.Shape, l.Work = Bag, 100
	none, _ := FindScheme("none")
	w := newWorld(&Setup{Scheme: none, Workload: l, Workers: n, Seed: 1})
	out := make([][]int64, n)
	for i := range w.workers {
		for _, u := range w.workers[i].coming {
			out[i] = append(out[i], w.units[u].come)
		}
	}
	return out
}

// Units come as the workload says: evenly to all in turn, in bursts to one worker each, as a
// trace has them; and as many as the load says.
func TestComing(t *testing.T) {
	require.Equal(t, [][]int64{{0, 200, 400}, {100, 300, 500}}, comesTo(Workload{Units: 3, Arrivals: Even, Load: 50}, 2))
	require.Equal(t, [][]int64{{0, 50, 100, 150}, nil}, comesTo(Workload{Units: 2, Arrivals: Even, Load: 100, One: true}, 2))
	slow := Workload{Units: 3, Arrivals: Even, Load: 100, Slow: []int{0}, Of: 1, Percent: 25}
	require.Equal(t, [][]int64{{0, 400, 800}}, comesTo(slow, 1), "the capacity is that of slow workers")
	slow.On, slow.Off = 300, 100
	require.Equal(t, [][]int64{{0, 133, 266}}, comesTo(slow, 1), "and that of time slices")
	require.Equal(t, [][]int64{nil, {50, 250}, {0}}, comesTo(Workload{Units: 1, Arrivals: ByTrace, Trace: []Job{{0, 1, 2}, {.5, 1, 1}, {2.5, 1, 4}}}, 3))
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
	require.NotEqual(t, comesTo(Workload{Units: 20, Arrivals: Poisson, Load: 80}, 2), comesTo(Workload{Units: 20, Arrivals: Poisson, Load: 40}, 2))
}

// The laws have the mean that they should have, no draw is beyond the bounds, and a trace that
// says when units come says in turn what they are.
func TestLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, l := range []Workload{{Law: Exponential}, {Law: Pareto, Tail: 4}, {Law: TraceLaw, Trace: []Job{{Work: .5}, {Work: 1.5}}}, {Spread: 50}, {Law: Uniform}} {
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

// Response times are those from arrival to end, without those of the warm-up at either end.
func TestResponse(t *testing.T) {
	none, _ := FindScheme("none")
	l := Workload{Shape: Bag, Units: 5, Work: 100, Arrivals: Even, Load: 100}
	run := func() *Result { return runs(t, Setup{Scheme: none, Workload: l, Workers: 1, Seed: 1}) }
	require.Equal(t, []int64{100, 100, 100, 100, 100}, run().Response)
	require.EqualValues(t, 500, run().Ideal)
	l.Warmup = 25 // of 400
	require.Len(t, run().Response, 3)
	l.Load, l.Warmup = 200, 0
	r := run()
	require.Equal(t, []int64{100, 150, 200, 250, 300}, r.Response, "one of 50 more for each")
	require.InDelta(t, .5, r.Grown, 0, "two units come after 100, and one ends after that and up to 200")
	l.Arrivals = AtStart
	require.Empty(t, run().Response)
	l = Workload{Shape: Bag, Units: 1, Work: 100, Arrivals: Even, Load: 1}
	require.EqualValues(t, 100, run().Ideal)
	l.Units = 2
	require.EqualValues(t, 10_000, run().Ideal, "no end before the last unit has come")
}

// Queues are bounded up to the load that the slowest worker can do where nothing moves, and
// where all is sent away at random, until moves have taken what is left.
func TestLimits(t *testing.T) {
	none, _ := FindScheme("none")
	anywhere, _ := FindScheme("random")
	clb, _ := FindScheme("clb")
	l := OpenWorkloads()[0]
	l.Units, l.Arrivals, l.Law = 1000, Even, Uniform
	slow := l
	slow.Name, slow.Slow, slow.Of, slow.Percent = "slow", []int{1}, 2, 50
	p := Plan{Schemes: []Scheme{none, anywhere, clb}, Workloads: []Workload{l, slow}, Workers: []int{4}, Grains: []int{3}, Seeds: 2, Fabric: Common()}
	rows, err := p.Limits(t.Context(), 2, nil)
	require.NoError(t, err)
	require.Len(t, rows, 6)
	require.InDelta(t, 100, *rows[0].Load, 2)
	require.InDelta(t, 100/(1+.75/3), *rows[1].Load, 2, "three of four units move, each for a third of its work")
	require.InDelta(t, 100*.5*4/3, *rows[3].Load, 2, "each gets a quarter of 3 times the load, the slow ones do a half")
	require.NotNil(t, rows[2].Load)
	require.InDelta(t, limitStep, *rows[0].Beyond-*rows[0].Load, 0)
	p.Grains, p.Workloads[0].Load, p.Workloads[0].Units = []int{1}, 1, 1
	p.Schemes = []Scheme{{Name: "x", Only: "graph", New: none.New}}
	rows, err = p.Limits(t.Context(), 1, nil)
	require.NoError(t, err)
	require.Contains(t, *rows[0].NA, "graph only")
	p.Workloads[0].Arrivals = ByTrace
	_, err = p.Limits(t.Context(), 1, nil)
	require.ErrorContains(t, err, "expected arrivals = even, poisson or bursty")
}

// A rule decides for every unit that is born, also for those that are born together: no unit
// of a heap stays that could be better off.
func TestEveryBirthDecides(t *testing.T) {
	two, _ := FindScheme("two-choices")
	source, _ := FindScheme("none")
	l := Workload{Shape: Bag, Units: 25, One: true}
	r := sane(t, cellOf(two, l, 8, 30, 1))
	require.Greater(t, r.Moved, 150, "of 200 units about seven eighths")
	require.Less(t, r.Time, sane(t, cellOf(source, l, 8, 30, 1)).Time/2)
	require.Equal(t, 0, r.Probes%4, "each decision asks two, and both answer")
	require.GreaterOrEqual(t, r.Probes, 4*r.Moved)
}

// While a search goes round, as on the EM-4, units go where the static policy says; when it
// has ended, the next one goes where it says.
func TestSearchDuringBirths(t *testing.T) {
	s, _ := FindScheme("mlpe")
	few, many := sane(t, cellOf(s, Workload{Shape: Bag, Units: 1, One: true}, 4, 30, 1)), sane(t, cellOf(s, Workload{Shape: Bag, Units: 100, One: true}, 4, 30, 1))
	require.Greater(t, many.Probes, 10*few.Probes, "searches go on while 400 units are born")
}

// Differences are ties if chance or the checks could make them.
func TestTies(t *testing.T) {
	row := func(scheme string, check float64, ratios ...float64) Row {
		mean := portable.Mean(ratios)
		return Row{Scheme: scheme, Mean: &mean, Check: &check, judged: ratios}
	}
	p := Plan{Against: func(a, b []float64) (low, high float64, certain bool) {
		c := spread.Compare(a, b, true)
		return c.Low, c.High, c.Verdict == spread.Slower || c.Verdict == spread.Repeats && c.Ratio > 1
	}}
	rows := []Row{row("best", 0.05, 2, 4), row("pairs", 0, 2.4, 4.8), row("chance", 0, 2, 6), row("check", 0.15, 2.4, 4.8), row("little", 0.14, 2.4, 4.8)}
	p.regrets(rows)
	for k, tie := range []bool{true, false, true, true, false} {
		require.Equal(t, tie, *rows[k].Tie, rows[k].Scheme)
	}
	require.InDelta(t, 0.2, *rows[1].Regret, 1e-12)
	require.InDelta(t, 0.2, *rows[1].RegLow, 1e-12, "in pairs there is no chance")
}

// Traces say times, work and workers, in means of the work; mistakes have places.
func TestTrace(t *testing.T) {
	jobs, err := ParseTrace("j", []byte("0 100\n50 300 7 # late\n"))
	require.NoError(t, err)
	require.Equal(t, []Job{{0, .5, -1}, {.25, 1.5, 7}}, jobs)
	for text, want := range map[string]string{"": "no jobs", "5": "ends here", "5 5\n4 5": "not before", "5 0": "amount of work", "1 1 -1": "a worker", "1 1 1 1": "end of the line"} {
		_, err := ParseTrace("j", []byte(text))
		require.ErrorContains(t, err, want)
	}
}
