package study

import (
	"math"

	"emsim/internal/base/portable"
)

// SD returns the population standard deviation, as in the paper's table 1.
func SD(x []float64) float64 {
	m, sum := portable.Mean(x), 0.0
	for _, v := range x {
		sum += float64((v - m) * (v - m))
	}
	return math.Sqrt(sum / float64(len(x)))
}

// Correlation returns Pearson's r, or 0 if x or y does not vary.
func Correlation(x, y []float64) float64 {
	mx, my, sum := portable.Mean(x), portable.Mean(y), 0.0
	for i := range x {
		sum += float64((x[i] - mx) * (y[i] - my))
	}
	d := float64(SD(x) * SD(y) * float64(len(x)))
	if d == 0 {
		return 0
	}
	return sum / d
}
