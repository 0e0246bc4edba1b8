package lpgraph

import "emsim/pdes/banyan"

// An Event is what a channel carries in a slot to or from an LP with a Handler.
type Event struct {
	Full  bool   // there is one
	Value uint32 // a number of one's own, or the number of something larger
}

// A Handler is what an LP of one's own does in a slot: it takes the events that were sent
// to it in the slot before, by channel in the order of Graph.Channels, and fills out, which
// is empty, likewise. So its output can depend on its input. It must depend on its
// arguments and its own earlier calls alone, then hash and counts are the same on every
// machine. It returns the clocks of a processor that this took, up to MaxClocks; 0: those
// of the LP.
type Handler func(slot int64, in, out []Event) (clocks int64)

// handled runs one slot of an LP with a handler.
func (p *Process) handled(in, out []banyan.Slot) {
	p.in, p.out = p.in[:0], p.out[:0]
	for _, s := range in {
		p.in = append(p.in, Event{s.Full, s.Born})
	}
	for range out {
		p.out = append(p.out, Event{})
	}
	if clocks := p.handle(p.slot, p.in, p.out); clocks != 0 {
		p.clocks = clocks
	}
	for k, e := range p.out {
		out[k] = banyan.Slot{}
		if e.Full {
			out[k] = banyan.Slot{Cell: banyan.Cell{Dst: 1, Src: uint16(p.id), Born: e.Value}, Full: true}
			p.counts.Injected++
		}
	}
}
