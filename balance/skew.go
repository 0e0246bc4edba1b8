package balance

import (
	"math"

	"emsim/internal/base/lists"
	"emsim/internal/base/portable"
)

// The numbers of seeds that intervals need [measured: internal/study/spread, TestCoverage]. FewSkewed is for
// skewed values.
const (
	FewSeeds  = 8
	FewSkewed = 16
)

// skewness is the least skewness that counts as skewed: it is the skewness of a gamma distribution of shape 4, for
// which 93 of 100 intervals with few seeds contain the mean [chosen].
const skewness = 1

// Skewed reports whether the values of the seeds are so skewed that an interval needs FewSkewed of them.
func (r *Row) Skewed() bool {
	if len(r.judged) < 2 {
		return false
	}
	mean, sd := portable.MeanSD(r.judged)
	cubes := lists.Sum(r.judged, func(x float64) float64 { return portable.Power((x-mean)/sd, 3) })
	return math.Abs(cubes)/float64(len(r.judged)) > skewness
}
