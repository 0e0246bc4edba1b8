package verify

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/study/ensemble"
)

// small003 returns a bench on a machine of 12 PEs.
func small003() *Bench003 {
	return newBench003(Setup003{Config: em4.Small12(), Seed: 3}, ensemble.New(0))
}

// Runs follow each other on one machine, and each seed has its own machine.
func TestConsecutiveRuns(t *testing.T) {
	b := small003()
	r := Run003{Policy: "random", N: 12, Runs: 3, Seeds: 2}
	all, err := b.results(t.Context(), r)
	require.NoError(t, err)
	require.Len(t, all, 2)
	for i, series := range all {
		require.Len(t, series, 3)
		b.setup.Seed = 3 + uint64(i)
		m, err := b.Machine(t.Context(), r)
		require.NoError(t, err)
		for _, want := range series {
			got, err := m.Run(t.Context(), []uint64{12}, em4.RunOptions{Window: window003})
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	}
	require.NotEqual(t, all[0][0].Clocks, all[0][1].Clocks, "the random sequence goes on")
	require.NotEqual(t, all[0][0].Clocks, all[1][0].Clocks, "the seed matters")

	b.setup.Seed = 3
	best, err := b.Best(t.Context(), r)
	require.NoError(t, err)
	for _, x := range slices.Concat(all...) {
		require.LessOrEqual(t, best.Clocks, x.Clocks)
	}
	short := newBench003(Setup003{Config: em4.Small12(), Seed: 3, Runs: 2, Seeds: 1}, ensemble.New(0))
	fewer, err := short.results(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, [][]em4.Result{all[0][:2]}, fewer)
}

// Runs that are compared are combined by seed and by number.
func TestTogether(t *testing.T) {
	b := small003()
	random, line := Run003{Policy: "random", N: 10, Runs: 2, Seeds: 3}, Run003{Policy: "line", N: 10, Runs: 2, Seeds: 1}
	list, seeds, err := b.together(t.Context(), line, random)
	require.NoError(t, err)
	require.Equal(t, 3, seeds)
	a, err := b.results(t.Context(), line)
	require.NoError(t, err)
	c, err := b.results(t.Context(), random)
	require.NoError(t, err)
	require.Equal(t, [][]em4.Result{
		{a[0][0], c[0][0]},
		{a[0][1], c[0][1]},
		{a[0][0], c[1][0]},
		{a[0][1], c[1][1]},
		{a[0][0], c[2][0]},
		{a[0][1], c[2][1]},
	}, list)
}

// The judged value is the mean over all runs. The first runs are the runs after boot.
func TestSpread(t *testing.T) {
	run := func(clocks, calls uint64) []em4.Result {
		t := em4.Totals{Clocks: clocks}
		t.Calls = calls
		return []em4.Result{{Totals: t}}
	}
	list := [][]em4.Result{run(9, 1), run(5, 4), run(8, 3), run(7, 8)}
	v := spread(list, 2, func(r []em4.Result) float64 { return float64(r[0].Calls) })
	require.InDelta(t, 4, v.Number, 1e-12)
	require.InDeltaSlice(t, []float64{4, 4, 1, 8, 2},
		[]float64{v.Spread.Best, v.Spread.Mean, v.Spread.Min, v.Spread.Max, v.Spread.First}, 1e-12)
	require.Equal(t, [2]int{4, 2}, [2]int{v.Spread.Runs, v.Spread.Seeds})

	r := Compare(within, v)
	require.InDelta(t, 4, r.Model, 1e-12)
	require.InDeltaSlice(t, []float64{4, 4, 1, 8, 2}, []float64{*r.Best, *r.Mean, *r.Min, *r.Max, *r.First}, 1e-12)
	require.Equal(t, [2]int{4, 2}, [2]int{r.Runs, r.Seeds})
	require.Nil(t, r.Held)

	// An exact number must be exact in every run.
	exact := func(calls ...uint64) Verdict {
		var list [][]em4.Result
		for _, n := range calls {
			list = append(list, run(1, n))
		}
		return Compare(count, spread(list, 1, func(r []em4.Result) float64 { return float64(r[0].Calls) })).Verdict
	}
	require.Equal(t, Inside, exact(46367, 46367))
	require.Equal(t, Outside, exact(46366, 46368))
}

// A claim in words is judged by the means, and the row gives the number of runs in which it holds.
func TestRelationsInBands(t *testing.T) {
	b := small003()
	for id, x := range relations003() {
		for i := range x.runs {
			x.runs[i].N = 8
		}
		list, seeds, err := b.together(t.Context(), x.runs...)
		require.NoError(t, err, id)
		require.Len(t, list, seeds*Runs003, id)
		require.NotEmpty(t, x.holds(x.numbers(list[0])).Text, id)
	}
	_, err := b.relation(t.Context(), Claim{ID: "003.c.nosuch", PaperNo: "003"})
	require.ErrorContains(t, err, "nosuch")
	require.Empty(t, runsOf(Claim{ID: "003.c.nosuch", PaperNo: "003", Quantity: "relation"}))
	require.Empty(t, runsOf(Claim{}))
}

// After a fault the machine does not run again, and the outcome gives the number of runs before it.
func TestOutcome(t *testing.T) {
	run := [][]em4.Result{{{}, {}}}
	for _, c := range []struct {
		all  [][]em4.Result
		err  error
		want string
		held int
		runs int
	}{
		{run, nil, "runs", 2, 2},
		{[][]em4.Result{nil}, kinded("segment_overflow"), "segment overflow", 1, 1},
		{run, kinded("deadlock"), "runs 2 times, then deadlock", 1, 3},
	} {
		v, err := outcome003(c.all, c.err)
		require.NoError(t, err)
		require.Equal(t, c.want, v.Text)
		require.Equal(t, [2]int{c.held, c.runs}, [2]int{*v.Spread.Held, v.Spread.Runs})
	}
	_, err := outcome003(nil, errors.New("broken"))
	require.Error(t, err)

	config := em4.Small12()
	config.Segments = 8
	b := newBench003(Setup003{Config: config, Seed: 1}, ensemble.New(0))
	v, err := outcome003(b.results(t.Context(), Run003{Policy: "line", N: 15, Runs: 8}))
	require.NoError(t, err)
	require.Equal(t, "segment overflow", v.Text)
}

// Measuring in advance gives the same rows. If its context ends, no run is left in progress.
func TestMeasureAhead(t *testing.T) {
	claims, err := Claims("003")
	require.NoError(t, err)
	claims = slices.DeleteFunc(claims, func(c Claim) bool {
		return c.Cond["program"] != "fib(20)" &&
			c.Quantity != "instruction_overhead"
	})
	for i := range claims {
		claims[i].Cond["program"] = "fib(9)"
	}
	rows := func(b *Bench003) (rows []Row) {
		for _, c := range claims {
			v, err := b.measure(t.Context(), c)
			require.NoError(t, err, c.ID)
			rows = append(rows, Compare(c, v))
		}
		return rows
	}
	want := rows(small003())
	b := small003()
	b.begin(t.Context(), b.machinesFor(claims))
	require.Equal(t, want, rows(b))

	b = small003()
	ctx, cancel := context.WithCancel(t.Context())
	b.begin(ctx, b.machinesFor(claims))
	cancel()
	_, err = b.measure(ctx, claims[len(claims)-1])
	if err != nil {
		require.ErrorIs(t, err, context.Canceled)
	}
	require.Equal(t, want, rows(b), "whoever has more time measures what was given up")
}
