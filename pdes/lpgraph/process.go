package lpgraph

import (
	"cmp"

	"emsim/internal/base/rng"
	"emsim/internal/base/state"
	"emsim/pdes/banyan"
)

// A Process is one LP of a graph. It counts slots and does not use the machine's time.
type Process struct {
	g      *Graph
	id     int
	first  int // index of its first channel
	slot   int64
	stream rng.Stream
	hash   uint64
	counts banyan.Counts
	clocks int64 // clocks of the last slot; 0 means the machine's step

	handle  Handler // nil: messages are sent by rate
	in, out []Event // the handler's arguments
}

// purpose separates the LPs' random streams from the streams with other purposes, see internal/base/rng.
const purpose = 5

// Start returns an LP before its first slot.
func (g *Graph) Start(id int, seed uint64) *Process {
	first := 0
	for first < len(g.Channels) && g.Channels[first].From < id {
		first++
	}
	p := &Process{g: g, id: id, first: first, stream: rng.New(seed+uint64(id)<<32, purpose), hash: uint64(id)}
	if start := g.LPs[id].Start; start != nil {
		p.handle = start()
	}
	return p
}

// Slot returns the slot that Take runs next.
func (p *Process) Slot() int64 { return p.slot }

// Clocks returns the processor time of the slot that Take has just run; step is the time of an LP without a load of
// its own.
func (p *Process) Clocks(step int64) int64 { return cmp.Or(p.clocks, step) }

// Counts returns the number of messages sent as injected, and the number of messages taken as sunk.
func (p *Process) Counts() banyan.Counts { return p.counts }

// Queued returns the number of messages that the LP itself holds, which is 0.
func (p *Process) Queued() int { return 0 }

// Take runs one slot: it takes what the inputs carry and fills the outputs. In a full slot, Dst is the number of
// messages, Src the sender, and Born the slot or, from an LP with a Handler, the Value of the Event.
func (p *Process) Take(in, out []banyan.Slot) {
	p.fingerprint(uint64(p.slot))
	for _, s := range in {
		if !s.Full {
			p.fingerprint(0)
			continue
		}
		p.fingerprint(uint64(s.Dst) | uint64(s.Src)<<16 | uint64(s.Born)<<32)
		p.counts.Sunk += int64(s.Dst)
		p.counts.Delay += int64(s.Dst) // each message was sent in the previous slot
	}
	p.clocks = p.g.ClocksOf(p.id, p.slot, 0)
	if p.handle != nil {
		p.handled(in, out)
	} else {
		p.rated(out)
	}
	p.slot++
}

// rated fills the outputs by the rates of the channels.
func (p *Process) rated(out []banyan.Slot) {
	for k := range out {
		rate := p.g.RateOf(p.first+k, p.slot)
		n := rate / million
		if part := rate % million; part > 0 && int64(p.stream.Below(million)) < part {
			n++
		}
		out[k] = banyan.Slot{}
		if n > 0 {
			out[k] = banyan.Slot{Cell: banyan.Cell{Dst: uint16(n), Src: uint16(p.id), Born: uint32(p.slot)}, Full: true}
			p.counts.Injected += n
		}
	}
}

// Codec is a walk over the state of a machine.
type Codec = state.Codec

// State visits the LP, except a Handler's own state.
func (p *Process) State(c *Codec) {
	state.Num(c, &p.slot)
	state.Num(c, &p.stream)
	state.Num(c, &p.hash)
	state.Fields(c, &p.counts)
	state.Num(c, &p.clocks)
}

func (p *Process) fingerprint(v uint64) { p.hash = rng.Mix(p.hash ^ v) }

// Fold folds the LP into the fingerprint of a run.
func (p *Process) Fold(h uint64) uint64 {
	for _, v := range []uint64{p.hash, uint64(p.slot), uint64(p.counts.Injected), uint64(p.counts.Sunk)} {
		h = rng.Mix(h ^ v)
	}
	return h
}
