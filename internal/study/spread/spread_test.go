package spread

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/rng"
)

// Equal values have no spread, however many there are; none is invented.
func TestEqualValues(t *testing.T) {
	for _, n := range []int{1, 2, 32} {
		values := make([]float64, n)
		for i := range values {
			values[i] = 0.1
		}
		require.Equal(t, Spread{n, 0.1, 0, 0.1, 0.1, 0.1, 0.1}, Of(values))
		r, low, high := Ratio(values, []float64{0.4, 0.4}, false)
		require.Equal(t, [3]float64{0.25, 0.25, 0.25}, [3]float64{r, low, high})
	}
}

func TestNumbers(t *testing.T) {
	s := Of([]float64{2, 4, 4, 4, 5, 5, 7, 9})
	require.Equal(t, Of([]float64{2, 4, 4, 4, 5, 5, 7, 9}), s, "the same every time")
	require.Equal(t, [4]float64{8, 5, 2, 9}, [4]float64{float64(s.N), s.Mean, s.Min, s.Max})
	require.InDelta(t, math.Sqrt(32./7), s.SD, 1e-12)
	two := Of([]float64{1, 2})
	require.Equal(t, [2]float64{1, 2}, [2]float64{two.Low, two.High}, "two values say no more than that")
}

// Published tables rest on these random samples.
func TestSamples(t *testing.T) {
	var roots []float64
	for i := range 9 {
		roots = append(roots, math.Sqrt(float64(i+2)))
	}
	s := Of(roots)
	require.InDeltaSlice(t, []float64{1.9449655144381923, 2.806841610673521}, []float64{s.Low, s.High}, 1e-14)
	for _, c := range []struct {
		a, b             []float64
		ratio, low, high float64
	}{
		{[]float64{1, 1, 2}, roots, 0.5589642492946367, 0.3498827762348171, 1.1166464385231334},
		{[]float64{5}, roots, 2.096115934854888, 1.7240494617531215, 2.9931064323973957}, // one value counts as two
		{roots, []float64{5}, 0.4770728485823133, 0.33420414659853653, 0.5874486633805933},
	} {
		ratio, low, high := Ratio(c.a, c.b, false)
		require.InDeltaSlice(t, []float64{c.ratio, c.low, c.high}, []float64{ratio, low, high}, 1e-14)
	}
}

// The last digits of gonum's functions depend on the processor. They must not
// decide which of the means is the bound.
func TestTailIsFarFromAnotherMean(t *testing.T) {
	for n := 3; n <= 2000; n++ { // 2: the extremes
		at := resamples * tailShare(n)
		require.Greater(t, math.Abs(at-math.Round(at)), 1e-9, "%d", n)
	}
}

// normal draws from a normal distribution of deviation 1: twelve uniform numbers
// are close enough.
func normal(r *rng.Stream, mean float64) float64 {
	sum := mean - 6
	for range 12 {
		sum += r.Unit()
	}
	return sum
}

// The intervals contain the true mean as often as they promise, from five
// values on, and so do those of ratios. Four values or fewer cannot: no mean drawn
// from them is beyond the extremes.
func TestCoverage(t *testing.T) {
	random := rng.New(1, 1)
	for _, n := range []int{5, 8, 32} {
		const tries = 500
		inside, insideRatio := 0, 0
		for range tries {
			a, b := make([]float64, n), make([]float64, n)
			for i := range a {
				a[i], b[i] = normal(&random, 30), normal(&random, 60)
			}
			if s := Of(a); s.Low <= 30 && 30 <= s.High {
				inside++
			}
			if r, low, high := Ratio(a, b, false); low <= 0.5 && 0.5 <= high && low <= r && r <= high {
				insideRatio++
			}
		}
		require.InDelta(t, Level, float64(inside)/tries, 0.04, "%d values", n)
		require.InDelta(t, Level, float64(insideRatio)/tries, 0.04, "ratio of %d values", n)
	}
}
