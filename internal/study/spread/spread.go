// Package spread quantifies the effect of chance on repeated measurements. It computes mean, deviation, extremes, and
// the interval of a mean, or of a ratio of two means or deviations (spread.go). It also computes effects of factors
// (effects.go) and verdicts on comparisons (verdict.go).
//
// The interval of a mean is Student's, and the interval of a ratio is Fieller's. Fieller's contains every ratio r for
// which Student's test cannot tell the mean of a from r times the mean of b. A bootstrap was tried and rejected. The
// means that it draws never lie beyond the extremes. So its interval of n values contains the median with a probability
// of at most 1 - 2/2^n: 87.5 % for four values. TestCoverage counts how often the intervals contain the true value.
package spread

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"emsim/internal/base/portable"
)

// Level is the confidence level of the intervals: the share of them that contains the true mean.
const Level = 0.95

// Spread describes a measurement that was repeated N times.
type Spread struct {
	N                  int
	Mean, SD, Min, Max float64
	Low, High          float64 // the interval of the mean; NaN for a single value
}

// Of returns the spread of one or more values. For two or more equal values, the interval is a point and the deviation
// is 0. For a single value the interval is NaN, because one value says nothing about chance.
func Of(values []float64) Spread {
	m := meanOf(values)
	reach := float64(student(m.degrees) * math.Sqrt(m.v))
	return Spread{len(values), m.mean, m.sd, slices.Min(values), slices.Max(values), m.mean - reach, m.mean + reach}
}

// Interval returns the interval of the mean of one or more values. It is NaN for a single value.
func Interval(values []float64) (low, high float64) {
	s := Of(values)
	return s.Low, s.High
}

// Ratio returns the mean of a divided by the mean of b, with Fieller's interval. The values of b are positive. The two
// samples are independent, unless paired is set: then values with the same index belong together. The interval is NaN
// if either sample has a single value, or if b scatters so widely that its mean could be 0.
func Ratio(a, b []float64, paired bool) (ratio, low, high float64) {
	of, to := meanOf(a), meanOf(b)
	ratio = of.mean / to.mean
	// The ratio r is in the interval if |a - r·b| is at most Student's t times its error. For r = ratio + d, the
	// condition is A·d² - 2·t²·k·d - t²·v <= 0. Here v is the squared error of a - ratio·b, and k is minus its
	// covariance with b.
	v, k, degrees := float64(0), float64(0), float64(0)
	if paired {
		rest := make([]float64, len(a))
		for i := range a {
			rest[i] = a[i] - float64(ratio*b[i])
		}
		m := meanOf(rest)
		v, degrees = m.v, m.degrees
		for i := range b {
			k -= float64((rest[i]-m.mean)*(b[i]-to.mean)) / float64(degrees*float64(len(b)))
		}
	} else {
		to.v = float64(square(ratio) * to.v)
		v, k, degrees = of.v+to.v, to.v/ratio, welch(of, to)
		to.v /= square(ratio)
	}
	t := square(student(degrees))
	curve := square(to.mean) - float64(t*to.v)
	if !(curve > 0) {
		return ratio, math.NaN(), math.NaN()
	}
	middle, reach := float64(t*k)/curve, math.Sqrt(square(float64(t*k))+float64(float64(curve*t)*v))/curve
	return ratio, ratio + middle - reach, ratio + middle + reach
}

// estimate is a mean with its standard error.
type estimate struct {
	mean, sd float64
	v        float64 // the square of the standard error
	degrees  float64 // of freedom of the error; NaN for a single value, whose error is not known
}

// SDRatio returns the interval of the ratio of the standard deviations of a and b. Values with the same index belong
// together. It is Student's interval of the logarithm of the ratio, over the jackknife's pseudo-values [Miller 1968],
// which need not be normal. It is NaN for fewer than three values, and if all values of a or b but one are equal.
func SDRatio(a, b []float64) (low, high float64) {
	n, pseudo := float64(len(a)), make([]float64, len(a))
	sd := func(x []float64, without int) float64 { return meanOf(slices.Concat(x[:without], x[without+1:])).sd }
	for i := range a {
		above, below := sd(a, i), sd(b, i)
		if above == 0 || below == 0 {
			return math.NaN(), math.NaN()
		}
		whole := portable.Log(meanOf(a).sd / meanOf(b).sd)
		pseudo[i] = float64(n*whole) - float64((n-1)*portable.Log(above/below))
	}
	low, high = Interval(pseudo)
	return portable.Exp(low), portable.Exp(high)
}

// meanOf returns the mean of one or more values. The mean of equal values is exact.
func meanOf(x []float64) estimate {
	n := float64(len(x))
	if n == 1 {
		return estimate{x[0], 0, 0, math.NaN()}
	}
	m := estimate{mean: x[0], degrees: n - 1}
	if slices.Min(x) != slices.Max(x) {
		m.mean, m.sd = portable.MeanSD(x)
		m.v = square(m.sd) / n
	}
	return m
}

// welch returns the degrees of freedom of the difference of two independent means [Welch 1947]. It returns NaN if one
// of them has a single value.
func welch(a, b estimate) float64 {
	if a.v+b.v == 0 {
		return a.degrees + b.degrees
	}
	return square(a.v+b.v) / (square(a.v)/a.degrees + square(b.v)/b.degrees)
}

// student returns how many standard errors the interval of a mean extends to either side. The result is rounded,
// because the last digits of gonum's functions depend on the processor.
func student(degrees float64) float64 {
	if math.IsNaN(degrees) {
		return degrees
	}
	t := distuv.StudentsT{Sigma: 1, Nu: degrees}.Quantile((1 + Level) / 2)
	return math.Round(t*1e9) / 1e9
}

func square(x float64) float64 { return float64(x * x) }
