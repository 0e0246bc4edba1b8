package verify

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/emcr"
)

// The claims in words are tested with numbers just on both sides of their bounds.
func TestRelationsHold(t *testing.T) {
	cases := map[string][]struct {
		numbers []float64
		want    string
	}{
		"c.t1.fastest": {
			{[]float64{1, 2, 3}, holds},
			{[]float64{2, 2, 3}, "fails: 2, 2, 3 clocks"},
			{[]float64{1, 3, 3}, "fails: 1, 3, 3 clocks"},
		},
		"c.t1.circuits": {
			{[]float64{1, 2, 3, 4, 5}, holds},
			{[]float64{3, 2, 1, 5, 4}, holds},
			{[]float64{4, 2, 3, 4, 5}, "fails: clocks 4 against 4"},
			{[]float64{1, 4, 3, 4, 5}, "fails: clocks 4 against 4"},
			{[]float64{1, 2, 4, 5, 4}, "fails: clocks 4 against 4"},
		},
		"c.t1.line": {
			{[]float64{10, 69}, holds},
			{[]float64{10, 91}, holds},
			{[]float64{10, 67}, "fails: 6.70 times"},
			{[]float64{10, 93}, "fails: 9.30 times"},
		},
		"c.t1.util": {{[]float64{70.25, 71}, holds}, {[]float64{71, 71}, "fails: % 71 against 71"}},
		"c.f5.faster": {
			{[]float64{26, 10}, holds},
			{[]float64{34, 10}, holds},
			{[]float64{25, 10}, "fails: 2.50 times"},
			{[]float64{35, 10}, "fails: 3.50 times"},
		},
		"c.f5.start": {
			{[]float64{0.5, 0.25}, holds},
			{[]float64{0.5, 0.5}, "fails: gain 0.500 in the first third, 0.500 in the last"},
		},
		"c.f6.busy": {{[]float64{70, 71}, holds}, {[]float64{72, 71}, "fails: % 72 against 71"}},
		"c.f6.steady": {
			{[]float64{0.1, 0.2}, holds},
			{[]float64{0.2, 0.1}, "fails: coefficient of variation 0.2 against 0.1"},
		},
		"c.f7.start": {
			{[]float64{9, 8}, holds},
			{[]float64{8, 8}, "fails: 8.0 per 1000 clocks in the first fifth, 8.0 after"},
		},
		"c.f7.bars": {{[]float64{9, 8}, holds}, {[]float64{8, 8}, "fails: 8.0 in the first bar, 8.0 in another"}},
		"c.f8.ibu":  {{[]float64{1, 2}, holds}, {[]float64{2, 1}, "fails: % 2 against 1"}},
		"c.f8.wait": {{[]float64{1, 2}, holds}, {[]float64{2, 1}, "fails: % 2 against 1"}},
		"c.s41.software": {
			{[]float64{100, 111}, holds},
			{[]float64{100, 110}, "fails: clocks 100 against 110"},
		},
		"c.s41.mlpe": {{[]float64{5, 6}, holds}, {[]float64{6, 6}, "fails: clocks 6 against 6"}},
	}
	relations := relations003()
	require.ElementsMatch(t, slices.Collect(maps.Keys(relations)), slices.Collect(maps.Keys(cases)))
	for id, list := range cases {
		for _, c := range list {
			require.Equal(t, c.want, relations[id].holds(c.numbers).Text, "%s %v", id, c.numbers)
		}
	}
}

// windows returns a run whose windows have these clocks of work, and these numbers of MLPE calls, if calls has them.
func windows(busy []uint64, calls ...uint64) em4.Result {
	var r em4.Result
	for i, b := range busy {
		w := em4.Totals{Clocks: 1000}
		w.Counters.Clocks[emcr.ExuFmu] = b
		w.Counters.Clocks[emcr.NetworkWait] = 100 - b
		if i < len(calls) {
			w.MLPECalls = calls[i]
		}
		r.Series = append(r.Series, w)
		r.Totals = r.Totals.Plus(w)
	}
	return r
}

// Readings of a run's series use the right windows for a part of the run.
func TestReadingsOfSeries(t *testing.T) {
	r := windows([]uint64{10, 20, 30, 40, 50, 60})
	for _, c := range []struct{ from, to, want float64 }{
		{0, 1, 0.35},
		{0, 1. / 3, 0.15},
		{2. / 3, 1, 0.55},
		{0.25, 0.75, 0.3}, // from the window with its middle at 0.25, to before the window with its middle at 0.75
		{0.26, 0.76, 0.4},
	} {
		require.InDelta(t, c.want, busyShare(r, c.from, c.to), 1e-12, "%v to %v", c.from, c.to)
	}

	steady := windows([]uint64{10, 10, 10, 10, 10, 10})
	require.InDeltaSlice(t, []float64{0.05, 0.45}, startGain([]em4.Result{steady, r}), 1e-12)

	// Of ten windows the first and the last are left out, but their neighbours are not.
	require.InDelta(t, 0, variation(windows([]uint64{0, 50, 50, 50, 50, 50, 50, 50, 50, 50})), 1e-9)
	require.InDelta(t, 0.5, variation(windows([]uint64{
		99, 20, 60, 20, 60, 20, 60, 20, 60, 20, 60, 20, 60, 20, 60, 20,
		60, 20, 60, 99,
	})), 1e-9)
	require.Positive(t, variation(windows([]uint64{10, 20, 10, 10, 10, 10, 10, 10, 10, 10})))
	require.Positive(t, variation(windows([]uint64{10, 10, 10, 10, 10, 10, 10, 10, 20, 10})))

	// A window whose middle is at 10 % counts, a window whose middle is at 90 % does not.
	require.InDelta(t, 0.5, variation(windows([]uint64{10, 30, 30, 10, 99})), 1e-9)

	rates := mlpeRates([]em4.Result{windows(make([]uint64, 10), 8, 4, 1, 1, 1, 1, 1, 1, 1, 9)})
	require.InDeltaSlice(t, []float64{6, 2}, rates, 1e-12)
	require.Equal(t, []float64{5, 4}, mlpeBars([]em4.Result{windows(make([]uint64, 4), 5, 3, 1, 4)}))
	rates = mlpeRates([]em4.Result{windows(make([]uint64, 4), 8, 3, 3, 3)})
	require.InDeltaSlice(t, []float64{8, 3}, rates, 1e-12)
	require.Equal(t, []float64{6000, 6000},
		eachRun(func(r em4.Result) float64 { return float64(r.Clocks) })([]em4.Result{r, steady}))
	require.False(t, math.IsNaN(rates[0]))
}

// Relations give shares in per cent.
func TestSharesOfRelations(t *testing.T) {
	runs := []em4.Result{windows([]uint64{10, 30}), windows([]uint64{40, 40})}
	relations := relations003()
	require.InDeltaSlice(t, []float64{20, 40}, relations["c.t1.util"].numbers(runs), 1e-9)
	require.InDeltaSlice(t, []float64{80, 60}, relations["c.f8.wait"].numbers(runs), 1e-9)
	require.InDeltaSlice(t, []float64{0, 0}, relations["c.f8.ibu"].numbers(runs), 1e-9)
}
