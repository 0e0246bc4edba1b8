package spread

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"emsim/internal/base/lists"
)

// The verdicts on a comparison. Repeats means that the values do not vary, so no test can tell whether chance explains
// the difference.
const (
	Faster  = "faster"
	Slower  = "slower"
	Untold  = "cannot be told"
	Repeats = "repeats exactly"
)

// Comparison compares times with the times of a reference.
type Comparison struct {
	Ratio, Low, High float64 // quotient of the means, and its interval
	P                float64 // the p-value of the difference; NaN if the values do not vary
	Verdict          string
}

// Compare compares positive times with the times of a reference. If paired, times with the same index belong together,
// such as runs with the same seed. The verdict holds for a single comparison; Judge gives the verdicts of many.
func Compare(times, reference []float64, paired bool) Comparison {
	c := Comparison{P: difference(times, reference, paired)}
	c.Ratio, c.Low, c.High = Ratio(times, reference, paired)
	Judge([]*Comparison{&c})
	return c
}

// Judge corrects the P of comparisons that belong together and sets their verdicts. The probability of one or more
// wrong verdicts among all of them is at most 1 - Level. A time is faster or slower if its corrected P is below that.
func Judge(list []*Comparison) {
	for i, p := range holm(lists.Of(list, func(c *Comparison) float64 { return c.P })) {
		c := list[i]
		if c.P, c.Verdict = p, Repeats; !math.IsNaN(p) {
			c.Verdict = Verdict(c.Ratio, p < 1-Level)
		}
	}
}

// Verdict returns the verdict on a ratio of times. The flag certain says that the ratio differs significantly from 1.
func Verdict(ratio float64, certain bool) string {
	switch {
	case !certain:
		return Untold
	case ratio < 1:
		return Faster
	}
	return Slower
}

// difference returns the two-sided p-value of the difference between the means of a and b. It uses the paired t test if
// the values are paired, or else Welch's test. It returns NaN if the variance is 0, or if a sample has a single value.
func difference(a, b []float64, paired bool) float64 {
	m, other := meanOf(a), meanOf(b)
	mean, v, degrees := m.mean-other.mean, m.v+other.v, welch(m, other)
	if paired {
		apart := make([]float64, len(a))
		for i := range a {
			apart[i] = a[i] - b[i]
		}
		m = meanOf(apart)
		mean, v, degrees = m.mean, m.v, m.degrees
	}
	if v == 0 || math.IsNaN(degrees) {
		return math.NaN()
	}
	return 2 * distuv.StudentsT{Sigma: 1, Nu: degrees}.CDF(-math.Abs(mean)/math.Sqrt(v))
}

// holm corrects the p-values of many comparisons [Holm 1979]. If the comparisons whose corrected value is below a limit
// count as different, the probability that any of these findings is wrong is at most the limit. NaNs stay NaN and do
// not count as comparisons.
func holm(list []float64) []float64 {
	var order []int
	for i, p := range list {
		if !math.IsNaN(p) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, k int) int { return int(math.Copysign(1, list[i]-list[k])) })
	out, most := slices.Clone(list), 0.0
	for rank, i := range order {
		most = max(most, min(1, float64(list[i]*float64(len(order)-rank))))
		out[i] = most
	}
	return out
}
