package spread

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/rng"
)

// Student's sleep data. R gives Welch's t = -1.8608, df = 17.776, p = 0.07939, and the paired t = -4.0621, df = 9, p =
// 0.002833.
func TestDifference(t *testing.T) {
	a := []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2}
	b := []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	require.InDelta(t, 0.07939, difference(a, b, false), 5e-6)
	require.InDelta(t, 0.07939, difference(b, a, false), 5e-6)
	require.InDelta(t, 0.002833, difference(a, b, true), 5e-7)
	require.Equal(t, 1.0, difference([]float64{1, 2}, []float64{1, 2}, false))
	require.True(t, math.IsNaN(difference([]float64{3, 3}, []float64{4, 4}, false)), "nothing scatters")
	require.True(t, math.IsNaN(difference([]float64{3, 6}, []float64{4, 7}, true)), "nor do the differences")
	require.True(t, math.IsNaN(difference([]float64{3, 3.1, 2.9}, []float64{9}, false)),
		"a single value says nothing about chance")
	require.Less(t, difference([]float64{3, 3.1, 2.9}, []float64{9, 9}, false), 0.01, "one side alone scatters")
}

// A difference is less often significant among many comparisons than alone.
func TestJudge(t *testing.T) {
	a, b := []float64{10, 10.4, 9.8, 10.2, 9.9}, []float64{10.7, 10.8, 10.3, 10.9, 10.5}
	faster, slower := Compare(a, b, false), Compare(b, a, false)
	require.Equal(t, []string{Faster, Slower}, []string{faster.Verdict, slower.Verdict})
	require.InDelta(t, 1, faster.Ratio*slower.Ratio, 1e-12)
	require.True(t, faster.Low < faster.Ratio && faster.Ratio < faster.High && faster.High < 1)
	same := Compare([]float64{4, 4}, []float64{5, 5}, true)
	require.Equal(t, Repeats, same.Verdict)
	list := []*Comparison{&same}
	for range 29 {
		c := faster
		list = append(list, &c)
	}
	Judge(list)
	require.Equal(t, []string{Repeats, Untold}, []string{list[0].Verdict, list[29].Verdict})
	require.InDelta(t, 29*faster.P, list[1].P, 1e-12)
}

// One in twenty comparisons of equal distributions finds a difference. After the correction for many comparisons,
// hardly any does.
func TestChance(t *testing.T) {
	random := rng.New(7, 7)
	found, any := 0, 0
	const tries = 400
	for range tries / 20 {
		var list []float64
		for range 20 {
			a, b := make([]float64, 8), make([]float64, 8)
			for i := range a {
				a[i], b[i] = math.Exp(normal(&random, 0)/9), math.Exp(normal(&random, 0)/9)
			}
			list = append(list, difference(a, b, false))
		}
		for i, p := range holm(list) {
			if list[i] < 0.05 {
				found++
			}
			if p < 0.05 {
				any++
			}
		}
	}
	require.InDelta(t, 0.05, float64(found)/tries, 0.03)
	require.LessOrEqual(t, any, 2)
}

// Holm's correction gives the same results as R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
func TestHolm(t *testing.T) {
	got := holm([]float64{0.01, 0.04, math.NaN(), 0.03, 0.005, 0.9})
	for i, want := range []float64{0.04, 0.09, math.NaN(), 0.09, 0.025, 0.9} {
		if i != 2 {
			require.InDelta(t, want, got[i], 1e-12, i)
		}
	}
	require.True(t, math.IsNaN(got[2]))
	require.Equal(t, []float64{1, 1}, holm([]float64{0.8, 0.9}))
	require.Empty(t, holm(nil))
}

// If paired values rise and fall together, their ratio hardly scatters.
func TestPairedRatio(t *testing.T) {
	a, b := []float64{10, 21, 30, 41, 50}, []float64{5, 10, 15, 20, 25}
	ratio, low, high := Ratio(a, b, true)
	require.InDelta(t, 2.027, ratio, 1e-3)
	require.Less(t, high-low, 0.15)
	_, low, high = Ratio(a, b, false)
	require.Greater(t, high-low, 0.5)
}
