package pdes

import (
	"emsim/internal/base/state"
	"emsim/pdes/banyan"
	"emsim/pdes/mapping"
)

// Limits of the values in a restored state [chosen: larger than in any run].
const (
	longest   = 1 << 48 // clocks of an operation, bytes of an LP
	most      = 1 << 30
	mostCells = 1 << 16 // cells of a message
	never     = 1 << 62
)

// state visits everything that can differ between two runs of the same Config at the same event. A restore rejects
// values that are out of range for the model's lists.
func (m *Machine) state(c *state.Codec) {
	if m.cfg.Migrate != nil {
		m.coordinatorState(c)
	}
	packets := 0
	m.fabric.State(c, func(slot int32) []int32 {
		if packets = int(slot) + 1; c.Loading() {
			m.storeMessage(slot, message{})
		}
		x := &m.messages[slot]
		if m.messageState(c, x); c.Err() != nil {
			return nil
		} else if x.kind == foreign {
			return m.background.flows[x.lp].route
		}
		return m.route(int(x.from), int(x.to))
	})
	for i := range m.pps {
		m.processorState(c, &m.pps[i], packets)
	}
	state.Num(c, &m.running)
	state.Num(c, &m.flying)
	state.Num(c, &m.local)
	state.Nums(c, m.sent[:])
	for i := range m.latency {
		for k := range m.latency[i] {
			state.Below(c, never, &m.latency[i][k].Messages, &m.latency[i][k].Clocks)
		}
	}
	state.Num(c, &m.background.rng)
}

func (m *Machine) coordinatorState(c *state.Codec) {
	x := &m.migration
	state.Bool(c, &x.due)
	state.List(c, &m.reports, most, func(r **Report) {
		if c.Loading() {
			*r = &Report{PPs: make([]Pause, len(m.pps))}
		}
		state.Fields(c, *r)
	})
	if len(m.reports) > 0 {
		x.report = m.reports[len(m.reports)-1]
		state.Bool(c, &x.active, &x.resuming, &x.deciding)
		state.Below(c, most, &x.acks, &x.readies, &x.reports, &x.involved, &x.moved, &x.resumed)
		m.countsState(c, &x.counts)
		m.placesState(c, &x.places)
	}
}

func (m *Machine) countsState(c *state.Codec, b *body) {
	state.List(c, &b.traffic, most, func(x *counted) {
		state.Below(c, len(m.program.channels), &x.channel)
		state.Below(c, longest, &x.traffic, &x.packets)
	})
	state.List(c, &b.work, most, func(x *lpWork) {
		state.Below(c, m.program.LPs(), &x.lp)
		state.Below(c, longest, &x.clocks)
	})
}

// placesState visits a map, which may not exist yet.
func (m *Machine) placesState(c *state.Codec, p *mapping.Map) {
	there := *p != nil
	if state.Bool(c, &there); there && c.Loading() {
		*p = make(mapping.Map, m.program.LPs())
	}
	for lp := range *p {
		state.Below(c, len(m.pps), &(*p)[lp])
	}
}

func (m *Machine) messageState(c *state.Codec, x *message) {
	pps, lps, ports := len(m.pps), m.program.LPs(), 1
	state.Below(c, int(kinds), &x.kind)
	if x.kind == foreign {
		lps = len(m.background.flows)
	} else if !x.kind.external() && len(m.reports) == 0 {
		c.Fail("a packet %v before any migration", x.kind)
	}
	switch state.Below(c, lps, &x.lp); x.kind {
	case Cell, Null:
		ports = len(m.program.ins[x.lp])
	case Credit:
		ports = len(m.program.outs[x.lp])
	}
	state.Below(c, ports, &x.port)
	state.Below(c, pps, &x.from, &x.to)
	state.Num(c, &x.at)
	x.slot.State(c)
	state.Num(c, &x.seq)
	state.Below(c, mostCells, &x.count)
	state.Below(c, longest, &x.bytes)
	if c.Loading() && x.kind >= Traffic && x.kind <= Resume {
		x.body = &body{}
	}
	switch x.kind {
	case Traffic:
		m.countsState(c, x.body)
	case Notify:
		state.List(c, &x.body.moves, lps, func(v *move) {
			state.Below(c, lps, &v.lp)
			state.Below(c, pps, &v.to)
		})
	case State:
		m.processState(c, &x.body.state, x.lp)
	case Resume:
		m.placesState(c, &x.body.places)
	}
}

func (m *Machine) processorState(c *state.Codec, p *processor, packets int) {
	next, lps := 0, m.program.LPs()
	if c.Loading() {
		clear(p.procs)
	}
	state.List(c, &p.hosted, lps, func(lp *int32) {
		state.Index(c, lp, next, lps)
		m.processState(c, &p.procs[*lp], *lp)
		next = min(int(*lp)+1, lps-1)
	})
	for lp := range p.places {
		state.Below(c, len(m.pps), &p.places[lp])
	}
	p.inbox.State(c, packets, func(slot *int32) { state.Below(c, packets, slot) })
	state.Below(c, million, &p.carry)
	state.Bool(c, &p.busy)
	state.Text(c, &p.now.kind, len("traffic"))
	state.Num(c, &p.now.lp)
	state.Num(c, &p.now.peer)
	state.Below(c, longest, &p.slots, &p.now.began, &p.now.slot, &p.now.sent, &p.work)
	for _, list := range []*[]message{&p.out, &p.apart} {
		state.List(c, list, most, func(x *message) { m.messageState(c, x) })
	}
	state.Below(c, lps+1, &p.finished)
	if v := &p.mover; len(m.reports) > 0 {
		state.Bool(c, &v.stopped, &v.ready, &v.resumes, &v.notified)
		state.Below(c, most, &v.flushes, &v.expected, &v.received)
	}
}

func (m *Machine) processState(c *state.Codec, q **process, lp int32) {
	if c.Loading() {
		*q = newProcess(m.program, int(lp), m.cfg.Window)
	}
	p := *q
	p.State(c)
	for k := range p.in {
		x := &p.in[k]
		x.FIFO.State(c, int(m.room), func(s *banyan.Slot) { s.State(c) })
		state.Below(c, never, &x.expect, &x.taken)
	}
	for k := range p.out {
		x := &p.out[k]
		state.Below(c, never, &x.credit, &x.sent, &x.packets, &x.traffic)
	}
	state.Below(c, never, &p.used)
}
