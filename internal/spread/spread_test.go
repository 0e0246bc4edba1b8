package spread

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/rng"
)

// Equal values have no spread, however many there are; none is invented.
func TestEqualValues(t *testing.T) {
	for _, n := range []int{1, 2, 32} {
		values := make([]float64, n)
		for i := range values {
			values[i] = 0.1
		}
		require.Equal(t, Spread{n, 0.1, 0, 0.1, 0.1, 0.1, 0.1}, Of(values))
		r, low, high := Ratio(values, []float64{0.4, 0.4})
		require.Equal(t, [3]float64{0.25, 0.25, 0.25}, [3]float64{r, low, high})
	}
}

func TestNumbers(t *testing.T) {
	s := Of([]float64{2, 4, 4, 4, 5, 5, 7, 9})
	require.Equal(t, Of([]float64{2, 4, 4, 4, 5, 5, 7, 9}), s, "the same every time")
	require.Equal(t, [4]float64{8, 5, 2, 9}, [4]float64{float64(s.N), s.Mean, s.Min, s.Max})
	require.InDelta(t, math.Sqrt(32./7), s.SD, 1e-12)
	// Published tables rest on these random samples.
	require.Equal(t, [2]float64{3.5, 7}, [2]float64{s.Low, s.High})
	ratio, low, high := Ratio([]float64{2, 4, 4, 4, 5, 5, 7, 9}, []float64{8, 10, 10, 11})
	require.Equal(t, [3]float64{5 / 9.75, 12. / 41, 61. / 72}, [3]float64{ratio, low, high})
	_, low, high = Ratio([]float64{5}, []float64{8, 10, 10, 11, 9, 7, 7, 12, 13, 14})
	require.Equal(t, [2]float64{5 / 12.3, 5 / 7.7}, [2]float64{low, high}, "one value counts as two")
	_, low, high = Ratio([]float64{8, 10, 10, 11}, []float64{5})
	require.Equal(t, [2]float64{1.6, 2.2}, [2]float64{low, high}, "and so below")
	two := Of([]float64{1, 2})
	require.Equal(t, [2]float64{1, 2}, [2]float64{two.Low, two.High}, "two values say no more than that")
}

func TestApart(t *testing.T) {
	at := func(low, high float64) Spread { return Spread{Low: low, High: high} }
	for _, c := range []struct {
		a, b  Spread
		apart bool
	}{
		{at(1, 2), at(3, 4), true},
		{at(1, 3), at(3, 4), false},
		{at(1, 9), at(3, 4), false},
		{at(2, 2), at(2, 2), false},
		{at(2, 2), at(2.5, 2.5), true},
	} {
		require.Equal(t, c.apart, c.a.Apart(c.b))
		require.Equal(t, c.apart, c.b.Apart(c.a))
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
			if r, low, high := Ratio(a, b); low <= 0.5 && 0.5 <= high && low <= r && r <= high {
				insideRatio++
			}
		}
		require.InDelta(t, Level, float64(inside)/tries, 0.04, "%d values", n)
		require.InDelta(t, Level, float64(insideRatio)/tries, 0.04, "ratio of %d values", n)
	}
}
