package spread

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/portable"
	"emsim/internal/base/rng"
)

// Two or more equal values have exactly no spread. A single value says nothing about chance.
func TestSingleValues(t *testing.T) {
	for _, n := range []int{2, 32} {
		values := make([]float64, n)
		for i := range values {
			values[i] = 0.1
		}
		require.Equal(t, Spread{n, 0.1, 0, 0.1, 0.1, 0.1, 0.1}, Of(values))
		r, low, high := Ratio(values, []float64{0.4, 0.4}, false)
		require.Equal(t, [3]float64{0.25, 0.25, 0.25}, [3]float64{r, low, high})
	}
	one := Of([]float64{3})
	require.Equal(t, [2]float64{3, 0}, [2]float64{one.Mean, one.SD})
	none := func(low, high float64) { require.True(t, math.IsNaN(low) && math.IsNaN(high)) }
	none(one.Low, one.High)
	for _, paired := range []bool{false, true} {
		_, low, high := Ratio([]float64{3}, []float64{4}, paired)
		none(low, high)
	}
	_, low, high := Ratio([]float64{3, 4, 5}, []float64{4}, false)
	none(low, high)
	_, low, high = Ratio([]float64{3, 4}, []float64{1, 5}, false)
	none(low, high) // the mean of b could be 0
}

// Deviations have no ratio without the only value that differs, and two values always lack it.
func TestNoSDRatio(t *testing.T) {
	for _, b := range [][]float64{{1, 2}, {5, 5, 5}, {5, 5, 9, 5}} {
		low, high := SDRatio([]float64{1, 2, 4, 7}[:len(b)], b)
		require.True(t, math.IsNaN(low) && math.IsNaN(high), b)
	}
	low, high := SDRatio([]float64{2, 4, 8, 14}, []float64{1, 2, 4, 7})
	require.InDeltaSlice(t, []float64{2, 2}, []float64{low, high}, 1e-9)
}

// Student's sleep data. In R, t.test(extra) of group 1 gives the mean 0.75 and the interval -0.5297804 to 2.0297804.
func TestStudent(t *testing.T) {
	s := Of([]float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2})
	require.InDeltaSlice(t, []float64{0.75, -0.5297804, 2.0297804, 1.78901}, []float64{s.Mean, s.Low, s.High, s.SD},
		1e-6)
	require.Equal(t, [3]float64{10, -1.6, 3.7}, [3]float64{float64(s.N), s.Min, s.Max})
	low, high := Interval([]float64{1, 2})
	require.InDeltaSlice(t, []float64{1.5 - 12.7062047/2, 1.5 + 12.7062047/2}, []float64{low, high}, 1e-6)
}

// At either end of a ratio's interval, Student's test just distinguishes a from the ratio times b.
func TestFieller(t *testing.T) {
	a, b := []float64{10, 21, 30, 41, 50, 66}, []float64{5, 9, 17, 20, 24, 31}
	errors := func(r float64, paired bool) float64 { // distance of the means of a and r·b in standard errors
		times, rest := make([]float64, len(b)), make([]float64, len(b))
		for i, x := range b {
			times[i], rest[i] = r*x, a[i]-r*x
		}
		if m := meanOf(rest); paired {
			return math.Abs(m.mean) / math.Sqrt(m.v)
		}
		return math.Abs(meanOf(a).mean-meanOf(times).mean) / math.Sqrt(meanOf(a).v+meanOf(times).v)
	}
	for _, paired := range []bool{false, true} {
		ratio, low, high := Ratio(a, b, paired)
		require.InDelta(t, 218./106, ratio, 1e-12)
		require.True(t, low < ratio && ratio < high)
		require.InDelta(t, errors(low, paired), errors(high, paired), 1e-8)
		reach := 2.570582 // for 5 degrees of freedom, from R
		if !paired {
			reach = 2.228139 // for the 10 degrees of freedom of equal deviations; 2 to 1 is also the ratio of the means
		}
		require.InDelta(t, reach, errors(low, paired), 1e-3)
	}
	ratio, low, high := Ratio([]float64{9, 12, 15}, []float64{3, 4, 5}, true)
	require.InDeltaSlice(t, []float64{3, 3, 3}, []float64{ratio, low, high}, 1e-12)
}

// normal draws from a normal distribution with deviation 1. A sum of twelve uniform numbers is close enough.
func normal(r *rng.Stream, mean float64) float64 {
	sum := mean - 6
	for range 12 {
		sum += r.Unit()
	}
	return sum
}

// gamma draws from a gamma distribution with shape 4 and mean 4, whose skewness is 1.
func gamma(r *rng.Stream) (sum float64) {
	for range 4 {
		sum -= portable.Log(1 - r.Unit())
	}
	return sum
}

// The intervals contain the true mean as often as they promise, for any number of values from two on. So do the
// intervals of ratios, paired or not, and of ratios of deviations. For skewed values they contain it in 91 to 95 % of the cases.
func TestCoverageOfOf(t *testing.T) {
	random := rng.New(1, 1)
	const tries = 1500 // 1500 tries measure 0.95 to within 1.1 %
	for _, n := range []int{2, 3, 4, 8, 32} {
		var inside [5]float64
		count := func(k int, truth, low, high float64) {
			if low <= truth && truth <= high {
				inside[k] += 1. / tries
			}
		}
		for range tries {
			a, b, c, skewed := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range a {
				a[i], b[i], skewed[i] = normal(&random, 30), normal(&random, 60), gamma(&random)
				c[i] = 2*a[i] + normal(&random, 30) // correlated with a; its mean is 3 times as large
			}
			low, high := Interval(a)
			count(0, 30, low, high)
			low, high = Interval(skewed)
			count(1, 4, low, high)
			_, low, high = Ratio(a, b, false)
			count(2, 0.5, low, high)
			_, low, high = Ratio(c, a, true)
			count(3, 3, low, high)
			low, high = SDRatio(c, a)
			count(4, math.Sqrt(5), low, high)
		}
		t.Logf("%d values: mean %.3f, skewed %.3f, ratio %.3f, in pairs %.3f, of deviations %.3f", n, inside[0], inside[1],
			inside[2], inside[3], inside[4])
		require.InDelta(t, Level, inside[0], 0.02, "%d values", n)
		require.InDelta(t, 0.935, inside[1], 0.025, "%d skewed values", n)
		require.InDelta(t, Level, inside[2], 0.035, "ratio of %d values", n)
		require.InDelta(t, Level, inside[3], 0.02, "ratio of %d pairs", n)
		if n == 2 {
			require.Zero(t, inside[4], "two values have no interval of their deviation")
		} else {
			require.InDelta(t, 0.94, inside[4], 0.03, "ratio of deviations of %d pairs", n)
		}
	}
}
