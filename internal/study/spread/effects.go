package spread

import (
	"math"

	"emsim/internal/base/portable"
)

// Cell is one combination in a factorial experiment, which has all combinations of the two levels of its factors. The
// bits of Second are the factors at their second level. Spread describes the positive values measured in the cell.
type Cell struct {
	Second uint
	Spread Spread
}

// Effect is the factor by which a change multiplies the measured values, as a logarithm with its standard error.
type Effect struct {
	Log, Error float64
	perDegree  float64 // sum of the squares of the parts of Error², each divided by its degrees of freedom
}

// EffectOf returns the effect of the factors that are given as bits. The effect of one factor is the ratio of its
// second level to its first, as the geometric mean over all combinations of the other factors. The effect of two
// factors is how much the second level of one multiplies the ratio of the other, and so on. The error is computed only
// from the variance in each cell.
func EffectOf(cells []Cell, factors uint) Effect {
	e, half := Effect{}, float64(len(cells))
	for f := factors; f != 0; f &= f - 1 {
		half /= 2
	}
	for _, c := range cells {
		sign := 1.0
		for f := factors &^ c.Second; f != 0; f &= f - 1 {
			sign = -sign
		}
		e.Log += float64(sign * portable.Log(c.Spread.Mean))
		if v := square(c.Spread.SD/c.Spread.Mean) / float64(c.Spread.N); v > 0 {
			e.Error += v
			e.perDegree += square(v) / float64(c.Spread.N-1)
		}
	}
	return Effect{e.Log / half, math.Sqrt(e.Error) / half, e.perDegree / square(square(half))}
}

// MeanEffect returns the geometric mean of independent effects.
func MeanEffect(list []Effect) Effect {
	var e Effect
	for _, x := range list {
		e.Log += x.Log
		e.Error += square(x.Error)
		e.perDegree += x.perDegree
	}
	n := float64(len(list))
	return Effect{e.Log / n, math.Sqrt(e.Error) / n, e.perDegree / square(square(n))}
}

// Ratio returns the effect as a ratio with its interval, by Student's distribution with Welch's degrees of freedom. If
// the values do not vary, the interval is a point.
func (e Effect) Ratio() (ratio, low, high float64) {
	reach := float64(0)
	if e.Error > 0 {
		reach = float64(student(square(square(e.Error))/e.perDegree) * e.Error)
	}
	return portable.Exp(e.Log), portable.Exp(e.Log - reach), portable.Exp(e.Log + reach)
}

// Certain reports whether the interval excludes 1, so that the effect is significant.
func (e Effect) Certain() bool {
	_, low, high := e.Ratio()
	return low > 1 || high < 1
}
