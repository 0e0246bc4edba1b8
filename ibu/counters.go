package ibu

// Counters are the statistics of one input buffer since ClearCounters.
type Counters struct {
	Spilled  uint64 // packets written to the MIB
	MIBPeak  uint64 // most words in the MIB at once
	FIFOPeak uint64 // most words in the FIFO at once
}

// ClearCounters zeroes the count; peaks start from the present values.
func (u *IBU) ClearCounters() {
	u.Counters = Counters{MIBPeak: uint64(u.MIBWords()), FIFOPeak: uint64(u.FIFOWords())}
}
