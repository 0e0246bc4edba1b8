package ibu

// Counters are the statistics of one input buffer since the last ClearCounters.
type Counters struct {
	Spilled  uint64 // packets written to the MIB
	MIBPeak  uint64 // most words in the MIB at once
	FIFOPeak uint64 // most words in the FIFO at once
}

// ClearCounters sets Spilled to zero, and the peaks to the present values.
func (u *IBU) ClearCounters() {
	u.Counters = Counters{MIBPeak: uint64(u.MIBWords()), FIFOPeak: uint64(u.FIFOWords())}
}
