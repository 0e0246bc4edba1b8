package omega

// Tally holds the statistics of a network under traffic, from the start or since an earlier Tally.
type Tally struct {
	Clocks   uint64
	Offered  uint64 // packets that the PEs wanted to send
	Injected uint64 // offered packets that were sent into the network
	Arrived  uint64 // packets delivered
	Latency  uint64 // latency in clocks, summed over the delivered packets, as in Traffic.Latency
}

// Tally returns the statistics so far.
func (tr *Traffic) Tally() Tally {
	return Tally{tr.clock, tr.Offered, tr.Offered - tr.Queued(), tr.Arrived, tr.Latency}
}

// Since returns the difference from an earlier tally.
func (t Tally) Since(begin Tally) Tally {
	return Tally{
		t.Clocks - begin.Clocks, t.Offered - begin.Offered, t.Injected - begin.Injected,
		t.Arrived - begin.Arrived, t.Latency - begin.Latency,
	}
}

// CountAnew restarts the counts of the links and of the slowest packet from 0, and returns the tally so far.
func (tr *Traffic) CountAnew() Tally {
	tr.Net.ClearCounters(tr.clock)
	tr.Slowest = 0
	return tr.Tally()
}
