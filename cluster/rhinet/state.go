package rhinet

import (
	"math"
	"slices"

	"emsim/internal/base/state"
)

// Limits of the values in a restored state [chosen: larger than in any run].
const (
	never = 1 << 62 // ticks
	most  = 1 << 32
)

// state visits everything that can differ between two runs of the same Config at the same event. A restore rejects
// values that are out of range for the model's lists.
func (s *sim) state(c *state.Codec) {
	s.compute()
	state.Below(c, never, &s.now)
	switches := 1
	if t, ok := s.fab.(*torus); ok {
		switches = len(t.free)
		for sw := range t.free {
			for port := range t.free[sw] {
				state.Below(c, never, &t.free[sw][port])
			}
		}
	}
	s.networkState(c, switches)
	s.app.state(c)
	state.List(c, &s.epochs, most, func(e *Epoch) {
		if c.Loading() {
			e.First, e.Rows = make([]int, s.cfg.Nodes), make([]int, s.cfg.Nodes)
		}
		state.Fields(c, e)
	})
	for i := range s.ranks {
		s.rankState(c, &s.ranks[i])
	}
}

// networkState visits the messages, the list of free message slots, and the future events. A free slot holds an empty
// message.
func (s *sim) networkState(c *state.Codec, switches int) {
	n, nodes := &s.net, s.cfg.Nodes
	for i := range n.tx {
		state.Below(c, never, &n.tx[i], &n.rx[i])
	}
	state.List(c, &n.messages, most, func(m *message) {
		p := &m.payload
		state.Below(c, nodes, &m.src, &m.dst, &p.first)
		state.Below(c, math.MaxInt32+1, &m.bytes)
		state.Below(c, math.MaxInt32, &m.packets)
		state.Below(c, never, &m.at, &m.firstID)
		state.Float(c, &p.value)
		state.List(c, &p.infos, nodes, func(x *info) { s.infoState(c, x) })
		s.splitState(c, &p.split)
		state.Bool(c, &p.end)
	})
	state.List(c, &n.free, len(n.messages), func(id *int32) { state.Below(c, len(n.messages), id) })
	n.events.State(c, s.now, func(e *event) {
		state.Below(c, max(1, len(n.messages)), &e.msg)
		state.Num(c, &e.index)
		state.Index(c, &e.sw, int(deliver), switches)
		state.Bool(c, &e.fresh)
	})
	state.Below(c, never, &n.packets, &n.sent, &n.wait)
	state.Num(c, &n.inAir)
}

func (s *sim) infoState(c *state.Codec, x *info) {
	s.spanState(c, &x.own, 0)
	state.Fields(c, &x.Report)
}

func (s *sim) spanState(c *state.Codec, x *span, least int) {
	rows := s.cfg.distributedRows()
	state.Below(c, rows+1-least, &x.lo)
	state.Index(c, &x.hi, x.lo+least, rows+1)
}

// spansState visits the rows of each rank, and returns the ranks that have rows. Under WLB the other ranks rest.
func (s *sim) spansState(c *state.Codec, list *[]span) (flat []int) {
	least := 1
	if s.cfg.Policy == WLB {
		least = 0
	}
	if c.Loading() {
		*list = make([]span, s.cfg.Nodes)
	}
	for i := range *list {
		if s.spanState(c, &(*list)[i], least); least == 0 && (*list)[i].rowCount() > 0 {
			flat = append(flat, i)
		}
	}
	return flat
}

func (s *sim) splitState(c *state.Codec, p **split) {
	there := *p != nil
	if state.Bool(c, &there); !there {
		return
	}
	if c.Loading() {
		*p = &split{}
	}
	s.spansState(c, &(*p).old)
	(*p).flat = s.spansState(c, &(*p).spans)
	state.Num(c, &(*p).loop)
}

func (s *sim) rankState(c *state.Codec, r *rank) {
	nodes, p, left := s.cfg.Nodes, &r.cpu, len(r.cpu.busy)
	state.Num(c, &p.rnd)
	state.Num(c, &p.onEnd)
	state.Below(c, never, &p.offEnd)
	state.Below(c, left+1, &left)
	p.busy = p.busy[len(p.busy)-left:]
	ops := r.ops[r.pc:]
	state.List(c, &ops, most, func(o *op) {
		state.Below(c, int(opDone)+1, &o.kind)
		state.Below(c, int(theEnd)+1, &o.what)
		state.Below(c, nodes, &o.peer, &o.first)
		state.Below(c, nodes+1-int(o.first), &o.count)
		state.Below(c, math.MaxInt32+1, &o.bytes)
		state.Below(c, 1+nodes*int(ticksOf(max(s.cfg.Host.Gap, s.cfg.Host.Decide))), &o.ticks)
	})
	state.Bool(c, &r.busy)
	state.Bool(c, &r.done)
	state.Below(c, maxLoop+2, &r.loop, &r.lastLoops)
	state.Index(c, &r.phase, 0, len(s.epochs)+1)
	state.Below(c, never, &r.began, &r.took, &r.since, &r.phaseStart, &r.phaseWait, &r.calc, &r.lb, &r.lbWait, &r.wait,
		&r.finish, &r.lastCalc, &r.lastWait, &r.longest, &r.probe)
	state.Float(c, &r.delta, &r.edge[0], &r.edge[1])
	state.List(c, &r.inbox, len(s.net.messages), func(id *int32) { state.Below(c, len(s.net.messages), id) })
	state.Index(c, &r.waitFor, -1, nodes)
	flat := s.spansState(c, &r.spans)
	if c.Loading() {
		if r.ops, r.pc = ops, 0; flat != nil {
			r.flat, r.at = flat, slices.Index(flat, r.id)
			r.resting = r.at < 0
		}
	}
	if r.balancing() {
		for i := range r.known {
			s.infoState(c, &r.known[i])
		}
		s.splitState(c, &r.split)
	}
}

// balancing reports whether a phase has begun and is not over. Reports and splits are discarded between phases.
func (r *rank) balancing() bool {
	left := r.ops[r.pc:]
	has := func(kind opKind) bool { return slices.ContainsFunc(left, func(o op) bool { return o.kind == kind }) }
	return !has(opPhase) && (has(opAdopt) || has(opResume))
}

func (a *sor) state(c *state.Codec) {
	for i := range a.x {
		state.Float(c, &a.x[i], &a.g[i])
	}
	if c.Loading() {
		a.recursions()
	}
}

func (a *heat) state(c *state.Codec) {
	for i := range a.f {
		state.Float(c, &a.f[i])
	}
}
