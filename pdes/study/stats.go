package study

import "math"

// Mean is the arithmetic mean.
func Mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// SD is the population standard deviation, as in the paper's table 1.
func SD(x []float64) float64 {
	m, sum := Mean(x), 0.0
	for _, v := range x {
		sum += float64((v - m) * (v - m))
	}
	return math.Sqrt(sum / float64(len(x)))
}

// Correlation is Pearson's r, 0 if either does not vary.
func Correlation(x, y []float64) float64 {
	mx, my, sum := Mean(x), Mean(y), 0.0
	for i := range x {
		sum += float64((x[i] - mx) * (y[i] - my))
	}
	d := float64(SD(x) * SD(y) * float64(len(x)))
	if d == 0 {
		return 0
	}
	return sum / d
}

// PermutationP is the exact two-sided permutation test of a difference in
// means: the share of all divisions of the values into two groups of these
// sizes whose means differ at least as much. For samples of a few values.
func PermutationP(x, y []float64) float64 {
	all := append(append([]float64(nil), x...), y...)
	total := 0.0
	for _, v := range all {
		total += v
	}
	nx, ny := float64(len(x)), float64(len(y))
	seen := math.Abs(Mean(x)-Mean(y)) - 1e-9
	reached, ways := 0, 0
	var deal func(next, taken int, sum float64)
	deal = func(next, taken int, sum float64) {
		if taken == len(x) {
			ways++
			if math.Abs(sum/nx-(total-sum)/ny) >= seen {
				reached++
			}
			return
		}
		for i := next; i <= len(all)-(len(x)-taken); i++ {
			deal(i+1, taken+1, sum+all[i])
		}
	}
	deal(0, 0, 0)
	return float64(reached) / float64(ways)
}
