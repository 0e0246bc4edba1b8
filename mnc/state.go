package mnc

import (
	"slices"

	"emsim/internal/base/state"
)

// Codec is a walk over the state: saving, restoring or hashing.
type Codec = state.Codec

// latest is the upper limit of the clocks in a restored state [chosen: no run comes near].
const latest = 1 << 60

// State visits everything that a run changes between two clocks; the rest follows from Config. A restore into a new
// machine fails if no machine can be in that state.
func (m *Machine) State(c *Codec) {
	state.Index(c, &m.clock, 0, latest)
	left := len(m.events)
	state.Index(c, &left, 0, len(m.events)+1)
	m.host.state(c)
	for i := range m.pes {
		m.pes[i].state(c, &m.cfg)
	}
	for q := range m.qprs {
		b := &m.qprs[q]
		state.Nums(c, b.word[:])
		for _, n := range []*int64{&b.stats.Reads, &b.stats.Writes, &b.stats.Busy, &b.stats.WriteConflicts} {
			state.Num(c, n)
		}
	}
	if c.Loading() && c.Err() == nil {
		m.events = m.events[len(m.events)-left:]
		for i := range m.pes {
			if !m.pes[i].check(m) {
				c.Fail("PE %d cannot be in this state", i)
			}
		}
	}
}

func (h *host) state(c *Codec) {
	later := len(h.later)
	state.Index(c, &later, 0, len(h.later)+1)
	for _, b := range h.births {
		state.Index(c, &b.born, 0, b.Count+1)
	}
	for k := range h.feeds {
		state.Nums(c, h.feeds[k].tail[:])
		state.Nums(c, h.feeds[k].head[:])
	}
	state.Nums(c, h.seen)
	state.Index(c, &h.delivered, 0, h.items+1)
	state.Num(c, &h.work)
	state.Index(c, &h.lastY, 0, latest)
	if c.Loading() {
		come := len(h.later) - later
		h.source, h.later = unfinished(append(h.source, h.later[:come]...)), h.later[come:]
	}
}

// unfinished returns the births from the first incomplete one on.
func unfinished(list []*birth) []*birth {
	for len(list) > 0 && list[0].born == list[0].Count {
		list = list[1:]
	}
	return list
}

func (e *pe) state(c *Codec, cfg *Config) {
	datum := func(d *Datum) {
		state.Num(c, &d.ID)
		state.Num(c, &d.Value)
	}
	e.x.State(c, cfg.XCap, datum)
	e.y.State(c, cfg.YCap, datum)
	end := 2 * cfg.Slots // end of the range of a ring's indices
	for k := range e.n {
		own := &e.control[k]
		for _, index := range []*uint8{&own.headX, &own.tailX, &own.headY, &own.tailY} {
			state.Index(c, index, 0, end)
		}
		state.Index(c, &e.ability.pa[k], 1, int(max(One, cfg.AbilityMax))+1)
		state.Num(c, &e.ability.acc[k])
		state.Num(c, &e.ability.e[k])
	}
	state.Index(c, &e.srcHead, 0, end)
	state.Index(c, &e.snkTail, 0, end)
	for _, n := range []*int64{
		&e.ability.last, &e.ability.updated, &e.ability.lowest, &e.ability.highest, &e.wait,
		&e.percent,
	} {
		state.Index(c, n, 0, latest)
	}
	state.Index(c, &e.rot, 0, max(1, e.n))
	state.Bool(c, &e.dead)
	if cfg.Guard > 0 {
		state.Index(c, &e.passed, 0, cfg.Guard+1)
	}
	a := &e.act
	state.Index(c, &a.kind, 0, int(actionKinds))
	state.Nums(c, a.amount[:])
	state.Num(c, &a.total)
	for _, n := range []*int64{&a.start, &a.work, &a.end} {
		state.Num(c, n)
	}
	s := &e.stats
	for _, n := range []*int64{&s.Proc, &s.Transfer, &s.Overhead, &s.Idle, &s.Processed, &s.ToHost, &s.Busy} {
		state.Num(c, n)
	}
	state.Nums(c, s.Actions[:])
	state.Nums(c, s.Moved[:])
	if c.Loading() {
		e.ability.sumAbilities(e.n)
		e.unborn = unfinished(e.unborn)
	}
}

// check reports whether a PE can be in its state. It rejects rings with more data than they can hold, indices that
// differ from those on the boards, and actions that move more data than there are.
func (e *pe) check(m *Machine) bool {
	a, slots := &e.act, m.cfg.Slots
	sum, most := int(a.amount[hostRing]), 0
	switch {
	case a.kind == XGet && e.src.board >= 0:
		most = slots
	case a.kind == YPut && e.snk.board >= 0:
		most = slots
	}
	ok := sum <= most && a.start <= a.work && a.work <= a.end && a.end >= m.clock
	for k, amount := range a.amount[:hostRing] {
		n := int(amount)
		if sum += n; k >= e.n {
			ok = ok && (n == 0 || a.kind == Proc)
			continue
		}
		nb, own, q := &e.nb[k], e.control[k], &m.qprs[e.nb[k].board]
		his := controlOf(q.Peek(controlBase + int(nb.toMe)))
		held := [...]int{
			XPut: nb.xOut.dataHeld(his.headX, own.tailX), XGet: nb.xIn.dataHeld(own.headX, his.tailX),
			YPut: nb.yOut.dataHeld(his.headY, own.tailY), YGet: nb.yIn.dataHeld(own.headY, his.tailY),
		}
		ok = ok && q.Peek(controlBase+int(nb.toHim)) == own.packed() && slices.Max(held[:]) <= slots
		switch a.kind {
		case XPut, YPut:
			ok = ok && held[a.kind]+n <= slots
		case XGet, YGet:
			ok = ok && n <= held[a.kind]
		}
	}
	if e.src.board >= 0 {
		f := &m.host.feeds[e.feed]
		ok = ok && f.head[e.src.port] == e.srcHead &&
			m.qprs[e.src.board].Peek(hostBase+e.src.port) == uint32(f.tail[e.src.port])
	}
	has := [...]int{Idle: 0, Proc: e.x.Len(), XPut: e.x.Len(), XGet: sum, YPut: e.y.Len(), YGet: sum}
	return ok && sum == a.total && sum <= has[a.kind]
}
