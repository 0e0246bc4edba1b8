package balance

import (
	"math"

	"emsim/internal/base/lists"
	"emsim/internal/base/portable"
)

// How many seeds intervals need [measured: internal/study/spread, TestCoverage]: FewSkewed where
// the seeds differ to one side.
const (
	FewSeeds  = 8
	FewSkewed = 16
)

// skewness is from where on values count as skewed: the skewness of a gamma distribution of shape 4, of
// whose intervals with few seeds 93 in 100 hold the mean [chosen].
const skewness = 1

// Skewed reports whether the values of the seeds are more spread to one side than to the
// other that an interval needs FewSkewed of them.
func (r *Row) Skewed() bool {
	if len(r.judged) < 2 {
		return false
	}
	mean, sd := portable.MeanSD(r.judged)
	cubes := lists.Sum(r.judged, func(x float64) float64 { return portable.Power((x-mean)/sd, 3) })
	return math.Abs(cubes)/float64(len(r.judged)) > skewness
}
