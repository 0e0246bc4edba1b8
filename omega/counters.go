package omega

// Counters are the statistics of one switching unit since the last ClearCounters, each by output: InGroup, OutGroup,
// Own.
type Counters struct {
	Packets    [3]uint64 // packets sent
	WaitClocks [3]uint64 // clocks in which a packet was ready and did not move, summed over all packets
}

// Counters returns the counts of unit i at the start of clock t. They include the clocks that packets which still wait
// have waited so far.
func (n *Network) Counters(i int, t uint64) Counters {
	c := n.su[i].Counters
	n.eachWaiting(i, t, func(o int, clocks uint64) { c.WaitClocks[o] += clocks })
	return c
}

// ClearCounters sets the counts of all units to zero at the start of clock t.
func (n *Network) ClearCounters(t uint64) {
	for i := range n.su {
		su := &n.su[i]
		su.Counters = Counters{}
		// When a waiting packet moves, all its clocks of waiting are added. The count starts below 0, to cancel the
		// clocks before t.
		n.eachWaiting(i, t, func(o int, clocks uint64) { su.WaitClocks[o] -= clocks })
	}
}
