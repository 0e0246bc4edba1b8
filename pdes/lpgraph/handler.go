package lpgraph

import "emsim/pdes/banyan"

// An Event is what a channel carries in one slot from or to an LP with a Handler.
type Event struct {
	Full  bool   // the channel carries something
	Value uint32 // the user's own data: a number, or an index of something larger
}

// A Handler does the work of a user's own LP in one slot. It takes the events that were sent to the LP in the
// previous slot, one for each channel in the order of Graph.Channels, and fills out, which is empty, in the same
// order. So the LP's output can depend on its input. It must depend only on its arguments and its own earlier calls;
// then hash and counts are the same on every machine. It returns the processor clocks that it took, up to MaxClocks;
// 0 means the LP's clocks.
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
