package pdes

import (
	"fmt"

	"emsim/internal/base/agenda"
	"emsim/internal/base/moves"
	"emsim/internal/base/simerr"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// A processor is a PP. Only its own events change it.
type processor struct {
	id     int
	procs  []*process // by LP: nil unless it is on this PP
	hosted []int32    // the LPs on this PP, ascending
	places mapping.Map
	inbox  agenda.FIFO[int32] // packet slots
	slow   int64              // slow-down in parts per million
	carry  int64              // fraction of a clock left over from slow operations
	slots  int64              // clocks of the slots begun so far

	busy     bool
	now      operation
	work     int64     // clocks of the operation; operate adds the time of sending
	out      []message // messages to send when the operation ends
	apart    []message // control packets still to be sent one by one, see Timing.Apart
	finished int       // LPs whose last slot ends with the operation
	mover    mover     // the PP's side of a migration
}

// dispatch begins the next operation of an idle PP. A due migration comes first, then control packets to be sent, then
// the oldest packet in the inbox, then a slot of an LP.
func (m *Machine) dispatch(p *processor) {
	if p.busy || m.err != nil {
		return
	}
	p.work = 0
	p.now = operation{kind: "stop", lp: -1, began: m.queue.Now(), peer: moves.Outside}
	switch {
	case p.id == 0 && m.migration.due:
		m.stopAll(p)
	case len(p.apart) > 0:
		p.now.kind = "send"
		p.out, p.apart = append(p.out, p.apart[0]), p.apart[1:]
	case p.inbox.Len() > 0:
		slot := p.inbox.PopOldest()
		msg := m.messages[slot]
		m.messages[slot].body = nil
		m.fabric.Release(slot)
		p.now.kind, p.now.peer, p.now.sent = msg.kind.String(), int(msg.from), msg.at
		if msg.kind.external() || msg.kind == State {
			p.now.lp = msg.lp
		}
		p.work = m.cfg.Timing.Receive
		m.receive(p, &msg)
	case p.mover.stopped:
		return
	default:
		lp := p.nextLP(m)
		if lp == nil {
			return
		}
		m.runSlot(p, lp)
		p.work = lp.Clocks(m.cfg.Timing.Step)
		if p.work < 1 || p.work > maxTime {
			m.err = simerr.Usagef("LP %d took %d clocks for slot %d: expected 0, which stands for the LP's "+
				"own clocks, to %d", lp.id, p.work, lp.Slot()-1, int64(maxTime))
			return
		}
		p.now.kind, p.now.lp, p.now.slot = "slot", lp.id, p.work
		lp.used += p.work
		p.slots += p.work
	}
	if !m.migration.deciding {
		m.operate(p)
	}
}

// operate begins the operation that dispatch has chosen.
func (m *Machine) operate(p *processor) {
	if m.cfg.Timing.Apart && p.now.kind != "send" && len(p.out) > 0 && !p.out[0].kind.external() {
		p.apart, p.out = append(p.apart, p.out...), p.out[:0]
	}
	p.work += m.cfg.Timing.Send * int64(len(p.out))
	p.busy = true
	m.queue.Push(m.queue.Now()+p.stretch(), network.Done, int64(p.id), int32(p.id))
}

// stretch returns the operation's length on this PP. Fractions of a clock carry over to the next operation.
func (p *processor) stretch() int64 {
	if p.slow == 0 {
		return p.work
	}
	p.carry += p.work % million * p.slow
	extra := p.work/million*p.slow + p.carry/million
	p.carry %= million
	return p.work + extra
}

// nextLP returns the runnable LP with the lowest (slot, id), or nil.
func (p *processor) nextLP(m *Machine) *process {
	var best *process
	for _, lp := range p.hosted {
		q := p.procs[lp]
		if q.runnable(m.cfg.Slots) && (best == nil || q.Slot() < best.Slot()) {
			best = q
		}
	}
	return best
}

// endOperation ends a PP's operation: its messages enter the network.
func (m *Machine) endOperation(p *processor) {
	m.recordOperation(p)
	now := m.queue.Now()
	for i := range p.out {
		p.out[i].from, p.out[i].at = int32(p.id), now
		slot := m.fabric.Send(now, m.route(p.id, int(p.out[i].to)), m.cfg.Timing.length(&p.out[i]))
		m.storeMessage(slot, p.out[i])
		m.sent[p.out[i].kind]++
	}
	p.out = p.out[:0]
	m.running -= p.finished
	p.finished = 0
	p.busy = false
	if p.mover.resumes {
		m.resumed(p, now)
	}
	m.dispatch(p)
}

// runSlot runs a slot of an LP: it takes a message from each input, returns credits, and sends a message on each
// output.
func (m *Machine) runSlot(p *processor, q *process) {
	in, out := m.slots[0][:len(q.in)], m.slots[1][:len(q.out)]
	for k := range in {
		in[k] = q.in[k].PopOldest()
	}
	q.Take(in, out)
	for k, s := range out {
		c := &m.program.channels[m.program.outs[q.id][k]]
		msg := message{kind: Null, lp: c.to, port: c.input, slot: s, seq: q.out[k].sent, count: cellsIn(m.program, s)}
		if s.Full {
			msg.kind = Cell
		}
		q.out[k].credit--
		q.out[k].sent++
		q.out[k].packets++
		q.out[k].traffic += m.program.traffic(s)
		m.sendExternal(p, msg)
	}
	for k := range in {
		if q.in[k].taken++; q.in[k].taken >= m.creditAt {
			c := &m.program.channels[m.program.ins[q.id][k]]
			m.sendExternal(p, message{kind: Credit, lp: c.from, port: c.output, count: q.in[k].taken})
			q.in[k].taken = 0
		}
	}
	if q.Slot() == m.cfg.Slots {
		p.finished++
	}
}

// sendExternal sends an external message: over the network when the operation ends, or at once and at no cost if the
// receiving LP is on this PP.
func (m *Machine) sendExternal(p *processor, msg message) {
	msg.to = p.places[msg.lp]
	if int(msg.to) == p.id {
		m.local++
		m.accept(p, &msg)
		return
	}
	m.flying++
	p.out = append(p.out, msg)
}

// receive begins the operation that receives one packet.
func (m *Machine) receive(p *processor, msg *message) {
	if !msg.kind.external() {
		m.control(p, msg)
		return
	}
	m.flying--
	if p.mover.ready && !m.migration.resuming {
		m.violation("late_event", p.id, "a %v for LP %d reached PP %d after it had reported ready", msg.kind, msg.lp,
			p.id)
		return
	}
	if p.mover.stopped && m.migration.resuming {
		m.migration.report.HeldEvents++ // from a PP that resumed before this one
	}
	m.accept(p, msg)
}

// accept gives an external message to its LP.
func (m *Machine) accept(p *processor, msg *message) {
	q := p.procs[msg.lp]
	if q == nil {
		m.violation("misplaced_event", p.id, "a %v for LP %d reached PP %d, where the LP is not", msg.kind, msg.lp,
			p.id)
		return
	}
	k := msg.port
	if msg.kind == Credit {
		out := &q.out[k]
		out.credit += msg.count
		if out.credit > m.room {
			m.violation("credit", p.id, "output %d of LP %d holds %d credits, its window is %d", k, msg.lp, out.credit,
				m.room)
		}
		return
	}
	in := &q.in[k]
	if msg.seq != in.expect {
		m.violation("sequence", p.id, "input %d of LP %d got message %d, expected %d", k, msg.lp, msg.seq,
			in.expect)
		return
	}
	in.expect++
	in.Push(msg.slot)
	if int64(in.Len()) > m.room {
		m.violation("window", p.id, "input %d of LP %d holds %d messages, its window is %d", k, msg.lp, in.Len(),
			m.room)
	}
}

// violation ends the run because an invariant of the protocol does not hold. This is always a mistake in the model,
// never in its input.
func (m *Machine) violation(kind string, pp int, format string, args ...any) {
	if m.err == nil {
		m.err = &simerr.Fault{
			Machine: "pdes", Name: kind, Keys: simerr.Keys{"clock": m.queue.Now(), "pp": pp},
			Err: fmt.Errorf("pdes: "+format, args...),
		}
	}
}
