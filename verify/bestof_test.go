package verify

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/machine/run"
)

// The expectation is the mean over all choices of k runs.
func TestExpectedBest(t *testing.T) {
	values := fastestFirst([]int{30, 10, 20, 40}, func(x int) uint64 { return uint64(x) },
		func(x int) float64 { return float64(x * x) })
	require.Equal(t, []float64{100, 400, 900, 1600}, values)
	for k := 1; k <= len(values); k++ {
		sum, n := 0.0, 0
		for set := range 1 << len(values) { // every subset
			members, first := 0, -1
			for i := range values {
				if set>>i&1 == 1 {
					if members++; first < 0 {
						first = i
					}
				}
			}
			if members == k {
				sum, n = sum+values[first], n+1
			}
		}
		require.InDelta(t, sum/float64(n), expectedBest(values, k), 1e-9, "best of %d", k)
	}
}

// A row that prints a best run is compared with the best of 2, 4 and 8 runs, if there are enough runs. No other row is.
func TestBestOf(t *testing.T) {
	c := Claim{
		Paper: "10", Unit: "%", Rule: Within, Tolerance: 2, Class: Fitted,
		Cond: map[string]string{"best": "yes"},
	}
	v := Value{Number: 15, Spread: &Spread{Band: run.Band{Mean: 15}, fastest: []float64{9, 13, 17, 21}}}
	r := Compare(c, v)
	require.Equal(t, Inside, r.Verdict, "it is judged by the best of four")
	require.Equal(t, 9.0, r.Model)
	require.Equal(t, 15.0, *r.Mean)
	require.Len(t, r.BestOf, 2)
	require.Equal(t, BestOf{Runs: 4, Model: 9, Deviation: -1, Inside: true}, r.BestOf[1])
	require.Equal(t, 2, r.BestOf[0].Runs)
	require.InDelta(t, (3*9.+2*13+17)/6, r.BestOf[0].Model, 1e-12)
	require.True(t, r.BestOf[0].Inside)
	require.Empty(t, Compare(c, Number(15)).BestOf)
	c.Cond = nil
	require.Empty(t, Compare(c, v).BestOf)
	require.Equal(t, 15.0, Compare(c, v).Model)
}
