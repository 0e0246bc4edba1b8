// Package spread says how much chance there is in a measurement that was
// repeated: mean, deviation, extremes, and a bootstrap interval of the mean.
//
// The interval is that of Efron's bootstrap: what the means of samples drawn
// from the measured values look like. Neither gonum/stat nor
// golang.org/x/perf/benchmath has it: the former has no resampling, the latter
// has intervals of medians and of normal distributions, and run times are not
// normal. What is here is the resampling; the rest is gonum's.
package spread

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"emsim/internal/base/portable"
	"emsim/internal/base/rng"
)

// Level is the share of such intervals that contain the true mean.
const Level = 0.95

// resamples is how many samples the bootstrap draws.
const resamples = 2000

// Spread describes a measurement that was repeated N times.
type Spread struct {
	N                  int
	Mean, SD, Min, Max float64
	Low, High          float64 // the interval of the mean
}

// Of returns the spread of one or more values. Equal values have none: the
// interval is a point, and the deviation 0.
func Of(values []float64) Spread {
	s := Spread{N: len(values), Min: slices.Min(values), Max: slices.Max(values)}
	if s.Min == s.Max {
		s.Mean, s.Low, s.High = s.Min, s.Min, s.Min
		return s
	}
	s.Mean, s.SD = portable.MeanSD(values)
	s.Low, s.High = interval(s.N, means(values, rng.New(uint64(s.N), purpose)))
	return s
}

// Ratio returns the mean of some values divided by that of others, with its
// interval. Those of b are positive. The values are independent of each other, unless they
// are paired: then values of one index go together, and both means are of the same sample.
func Ratio(a, b []float64, paired bool) (ratio, low, high float64) {
	of, to := Of(a), Of(b)
	ratio = of.Mean / to.Mean
	if of.SD == 0 && to.SD == 0 {
		return ratio, ratio, ratio
	}
	list, other := means(a, rng.New(uint64(len(a)), purpose)), uint64(purpose)
	if !paired {
		other++
	}
	for i, m := range means(b, rng.New(uint64(len(b)), other)) {
		list[i] /= m
	}
	low, high = interval(min(len(a), len(b)), list)
	return ratio, low, high
}

// purpose separates these random numbers from others.
const purpose = 0xb007

// means returns the means of samples drawn from the values.
func means(values []float64, random rng.Stream) []float64 {
	list, sample := make([]float64, resamples), make([]float64, len(values))
	for i := range list {
		for k := range sample {
			sample[k] = values[random.Below(len(values))]
		}
		list[i] = portable.Mean(sample)
	}
	return list
}

// interval cuts the tails off the bootstrap's means of n values.
func interval(n int, list []float64) (low, high float64) {
	part := tailShare(max(n, 2)) // one value may be divided by many
	slices.Sort(list)
	return stat.Quantile(part, stat.Empirical, list, nil), stat.Quantile(1-part, stat.Empirical, list, nil)
}

// tailShare returns the part of the bootstrap's means of n values that is cut off on
// either side. For few values the plain percentiles are too narrow, so the
// tails are thinner: as much as makes the interval of normal values that of
// Student's distribution (Hesterberg's expanded percentiles).
func tailShare(n int) float64 {
	student := distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}
	return distuv.UnitNormal.CDF(float64(-math.Sqrt(float64(n)/float64(n-1)) * student.Quantile((1+Level)/2)))
}
