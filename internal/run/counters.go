package run

import (
	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/state"
)

// PECounters are the counters of a PE and of the links out of its switch at
// one clock.
type PECounters struct {
	emcr.Counters
	Spilled                         uint64
	SegmentsPeak, FIFOPeak, MIBPeak int             // FIFO and MIB in words
	Links                           [3]LinkCounters // by output, omega.InGroup ..
}

// LinkCounters are those of one link.
type LinkCounters struct {
	Packets uint64
	Waits   uint64 // clocks in which a packet stood ready for it and did not go, for each packet
}

// snapshot copies the counters of all PEs and links into list.
func snapshot(m *em4.Machine, list []PECounters) []PECounters {
	list = list[:0]
	for i := range m.PEs {
		p := m.PE(i)
		c := PECounters{
			Counters: p.Counters, Spilled: p.IBU().Spilled, SegmentsPeak: p.SegmentsPeak(),
			FIFOPeak: p.IBU().FIFOPeak, MIBPeak: p.IBU().MIBPeak,
		}
		for o := range c.Links {
			c.Links[o] = LinkCounters{m.Net.Hops(i, o), m.Net.WaitClocks(i, o, m.Clock())}
		}
		list = append(list, c)
	}
	return list
}

// State visits the counters.
func (p *PECounters) State(c *state.Codec) {
	state.Nums(c, p.Clocks[:])
	for _, n := range []*uint64{
		&p.IbuWaiting, &p.Instructions, &p.Blocks, &p.Calls, &p.Sent, &p.Consumed, &p.MLPESent, &p.MLPECalls, &p.Spilled,
	} {
		state.Num(c, n)
	}
	for _, n := range []*int{&p.SegmentsPeak, &p.FIFOPeak, &p.MIBPeak} {
		state.Num(c, n)
	}
	for i := range p.Links {
		state.Num(c, &p.Links[i].Packets)
		state.Num(c, &p.Links[i].Waits)
	}
}
