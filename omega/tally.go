package omega

// Tally is what a network under traffic has carried up to a clock, or since an
// earlier one.
type Tally struct {
	Clocks   uint64
	Offered  uint64 // packets that the PEs wanted to send
	Injected uint64 // of these, sent into the network
	Arrived  uint64 // packets delivered
	Latency  uint64 // summed over them, as Traffic.Latency
}

// Tally returns what the network has carried so far.
func (tr *Traffic) Tally() Tally {
	return Tally{tr.clock, tr.Offered, tr.Offered - tr.Queued(), tr.Arrived, tr.Latency}
}

// Since returns what came after an earlier tally.
func (t Tally) Since(begin Tally) Tally {
	return Tally{
		t.Clocks - begin.Clocks, t.Offered - begin.Offered, t.Injected - begin.Injected,
		t.Arrived - begin.Arrived, t.Latency - begin.Latency,
	}
}

// CountAnew begins the counts of the links and the slowest packet from 0, and
// returns the tally so far.
func (tr *Traffic) CountAnew() Tally {
	tr.Net.ClearCounters(tr.clock)
	tr.Slowest = 0
	return tr.Tally()
}
