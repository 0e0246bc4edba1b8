package ibu

// Counters are the statistics of one input buffer since ClearCounters.
type Counters struct {
	Spilled  uint64 // packets written to the MIB
	MIBPeak  uint64 // most words at once in the MIB
	FIFOPeak uint64 // most words at once in the FIFO
}

// ClearCounters zeroes the counts and sets the peaks to what is now.
func (u *IBU) ClearCounters() {
	u.Counters = Counters{MIBPeak: uint64(u.MIBWords()), FIFOPeak: uint64(u.FIFOWords())}
}
