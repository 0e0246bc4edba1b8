package machines

// The answers of all machines share five keys, each in the machine's own terms:
//
//	time        until the last one was done, in the machine's unit
//	efficiency  share of the processors' time until then that went into the work itself
//	transfers   units of work that changed processor
//	messages    what processors sent each other, data and control
//	imbalance   work of the busiest processor over the mean; 1 is even

// imbalance is the largest number over the mean, 1 if all are 0.
func imbalance[T int64 | float64](list []T) float64 {
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

// share is the part of the processors' time that a sum of work is.
func share[T int64 | float64](work []T, time float64) float64 {
	if len(work) == 0 || time <= 0 {
		return 0
	}
	sum := 0.
	for _, v := range work {
		sum += float64(v)
	}
	return sum / (float64(len(work)) * time)
}
