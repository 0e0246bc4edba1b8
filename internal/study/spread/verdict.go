package spread

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"emsim/internal/base/lists"
	"emsim/internal/base/portable"
)

// Difference is the probability that chance alone makes positive values as different from
// others as these are: of Student's t of their logarithms, pair by pair if they are paired,
// otherwise by Welch. It is NaN where nothing scatters, and chance says nothing.
func Difference(a, b []float64, paired bool) float64 {
	x, y := lists.Of(a, portable.Log), lists.Of(b, portable.Log)
	if paired {
		for i := range x {
			x[i], y[i] = x[i]-y[i], 0
		}
		y = y[:1]
	}
	mean, v, perV := meanAndError(x)
	other, w, perW := meanAndError(y)
	if v+w == 0 {
		return math.NaN()
	}
	t := math.Abs(mean-other) / math.Sqrt(v+w)
	return 2 * distuv.StudentsT{Sigma: 1, Nu: square(v+w) / (perV + perW)}.CDF(-t)
}

// meanAndError is a mean with the square of its error, and the square of that per degree of
// freedom.
func meanAndError(x []float64) (mean, v, perDegree float64) {
	if n := float64(len(x)); n > 1 && slices.Min(x) != slices.Max(x) {
		mean, sd := portable.MeanSD(x)
		v = square(sd) / n
		return mean, v, square(v) / (n - 1)
	}
	return x[0], 0, 0
}

// Holm corrects the probabilities of many comparisons, so that with all of them together
// the chance of one or more wrong findings stays what each says [Holm 1979]. NaNs do not count.
func Holm(list []float64) []float64 {
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
