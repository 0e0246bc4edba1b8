package oracle

// MeanWait is the mean number of slots that a cell waits in a 2x2 switch with
// unbounded output queues, when each of the two inputs carries a cell in a
// slot with probability p: p/(4(1-p)), the discrete queue with binomial
// arrivals (Karol, Hluchyj, Morgan 1987, for 2 inputs).
func MeanWait(p float64) float64 { return p / (4 * (1 - p)) }
