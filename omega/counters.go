package omega

// Counters are the statistics of one switching unit since ClearCounters, each
// by output: InGroup, OutGroup, Own.
type Counters struct {
	Packets    [3]uint64 // packets sent
	WaitClocks [3]uint64 // clocks in which a packet was ready and did not move, summed over the packets
}

// Counters returns the counts of unit i at the start of clock t. They include the
// clocks that its waiting packets have waited so far.
func (n *Network) Counters(i int, t uint64) Counters {
	c := n.su[i].Counters
	n.eachWaiting(i, t, func(o int, clocks uint64) { c.WaitClocks[o] += clocks })
	return c
}

// ClearCounters zeroes the counts of all units at the start of clock t.
func (n *Network) ClearCounters(t uint64) {
	for i := range n.su {
		su := &n.su[i]
		su.Counters = Counters{}
		// The clocks that a waiting packet has waited so far will be added
		// when it moves; the count starts below 0 to make up for them.
		n.eachWaiting(i, t, func(o int, clocks uint64) { su.WaitClocks[o] -= clocks })
	}
}
