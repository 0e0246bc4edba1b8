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

// SD is the population standard deviation, as the seed's table 1 has it.
func SD(x []float64) float64 {
	m, sum := Mean(x), 0.0
	for _, v := range x {
		sum += float64((v - m) * (v - m))
	}
	return math.Sqrt(sum / float64(len(x)))
}

// Correlation is Pearson's r, 0 when one of the two does not vary.
func Correlation(x, y []float64) float64 {
	mx, my, sum := Mean(x), Mean(y), 0.0
	for i := range x {
		sum += float64((x[i] - mx) * (y[i] - my))
	}
	d := SD(x) * SD(y) * float64(len(x))
	if d == 0 {
		return 0
	}
	return sum / d
}
