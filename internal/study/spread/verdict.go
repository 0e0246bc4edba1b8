package spread

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"emsim/internal/base/lists"
)

// The verdicts on a comparison. Repeats says that all values repeat themselves, so that
// nothing scatters by which the difference could be judged.
const (
	Faster  = "faster"
	Slower  = "slower"
	Untold  = "cannot be told"
	Repeats = "repeats exactly"
)

// Comparison is how times compare with the times of a reference.
type Comparison struct {
	Ratio, Low, High float64 // mean by mean, and its interval
	P                float64 // of such a difference by chance: NaN where nothing scatters
	Verdict          string
}

// Compare compares positive times with the times of a reference, in pairs of one index if
// they are paired: runs of one seed. The verdict holds for one comparison alone; Judge
// gives the verdicts of many.
func Compare(times, reference []float64, paired bool) Comparison {
	c := Comparison{P: difference(times, reference, paired)}
	c.Ratio, c.Low, c.High = Ratio(times, reference, paired)
	Judge([]*Comparison{&c})
	return c
}

// Judge corrects comparisons that belong together, so that the chance of one or more wrong
// verdicts among all of them is no larger than 1 - Level: with a corrected P below that a
// time is faster or slower.
func Judge(list []*Comparison) {
	for i, p := range holm(lists.Of(list, func(c *Comparison) float64 { return c.P })) {
		c := list[i]
		if c.P, c.Verdict = p, Repeats; !math.IsNaN(p) {
			c.Verdict = Verdict(c.Ratio, p < 1-Level)
		}
	}
}

// Verdict returns the verdict on a ratio of times that certainly differs from 1.
func Verdict(ratio float64, certain bool) string {
	switch {
	case !certain:
		return Untold
	case ratio < 1:
		return Faster
	}
	return Slower
}

// difference returns the probability that chance alone makes the means of values as different as
// these are: of Student's t, pair by pair if they are paired, otherwise by Welch. It is NaN
// if no values scatter, or a side is a single value.
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

// holm corrects the probabilities of many comparisons, so that with all of them together
// the chance of one or more wrong findings stays what each says [Holm 1979]. NaNs do not count.
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
