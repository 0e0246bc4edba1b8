package machines

import (
	"emsim/internal/base/answer"
	"emsim/internal/base/lists"
)

// Numbers returns the numbers in a machine's answers, without values.
func Numbers(name string) []*answer.Field {
	x := &answer.Answer{}
	models[name].Describe(x)
	return x.Numbers()
}

// imbalance returns the largest number divided by the mean, or 1 if all are 0.
func imbalance(list []int64) float64 {
	sum, most := 0., 0.
	for _, v := range list {
		sum += float64(v)
		most = max(most, float64(v))
	}
	if sum == 0 {
		return 1
	}
	return most * float64(len(list)) / sum
}

// share returns the sum of the processors' work as a share of their total time.
func share(work []int64, time float64) float64 {
	if len(work) == 0 || time <= 0 {
		return 0
	}
	sum := lists.Sum(work, func(v int64) float64 { return float64(v) })
	return sum / (float64(len(work)) * time)
}
