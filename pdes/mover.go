package pdes

import (
	"slices"

	"emsim/pdes/mapping"
)

// mover is a PP's side of a migration.
type mover struct {
	stopped  bool
	ready    bool
	resumes  bool // the current operation ends the PP's pause
	notified bool
	flushes  int // FLUSHes received
	expected int // LPs to receive, once notified
	received int // LPs received
}

// control begins the operation that receives a control packet.
func (m *Machine) control(p *processor, msg *message) {
	c := &m.migration
	switch msg.kind {
	case Stop:
		m.stopLPs(p)
	case Ack:
		c.acks++
		m.startAll(p)
	case Flush:
		if !p.mover.stopped {
			c.report.EarlyFlushes++
		}
		p.mover.flushes++
		m.readyNow(p)
	case Ready:
		c.readies++
		m.startAll(p)
	case Start:
		p.out = append(p.out, message{kind: Traffic, to: 0, body: m.traffic(p)})
	case Traffic:
		m.collect(p, msg.body)
	case Notify:
		m.sendAway(p, msg.body.moves, int(msg.count))
	case State:
		m.takeIn(p, msg)
	case Moved:
		m.arrived(p)
	case Resume:
		m.resume(p, msg.body.places)
	}
}

// stopLPs does step 2b: it stops the PP, on which no LP runs from now on, and sends ACK and FLUSHes.
func (m *Machine) stopLPs(p *processor) {
	p.mover.stopped = true
	m.migration.report.PPs[p.id].Stopped = m.queue.Now()
	p.out = append(p.out, message{kind: Ack, to: 0})
	for to := 1; to < len(m.pps); to++ {
		if to != p.id {
			p.out = append(p.out, message{kind: Flush, to: int32(to)})
		}
	}
	m.readyNow(p)
}

// readyNow does step 2c: it sends READY if the PP is stopped and the channels from all PPs are flushed. STOP itself
// was the flush from PP 0.
func (m *Machine) readyNow(p *processor) {
	if !p.mover.stopped || p.mover.flushes < len(m.pps)-2 {
		return
	}
	p.mover.ready = true
	m.migration.report.PPs[p.id].Ready = m.queue.Now()
	p.out = append(p.out, message{kind: Ready, to: 0})
}

// traffic returns the PP's report of step 4: the counts of its LP kernels since the last migration.
func (m *Machine) traffic(p *processor) *body {
	m.recordReport(p)
	b := &body{}
	for _, lp := range p.hosted {
		q := p.procs[lp]
		b.work = append(b.work, lpWork{lp, q.used})
		q.used = 0
		for k := range q.out {
			o := &q.out[k]
			b.traffic = append(b.traffic, counted{m.program.outs[lp][k], o.traffic, o.packets})
			o.traffic, o.packets = 0, 0
		}
	}
	return b
}

// sendAway does steps 5 and 6: it serialises and sends the departing LPs.
func (m *Machine) sendAway(p *processor, moves []move, expected int) {
	p.mover.notified = true
	p.mover.expected = expected
	for _, mv := range moves {
		q := p.procs[mv.lp]
		if q == nil {
			m.violation("misplaced_lp", p.id, "PP %d was told to send away LP %d, which is not on it", p.id,
				mv.lp)
			return
		}
		n := q.bytes()
		p.procs[mv.lp] = nil
		p.hosted = slices.DeleteFunc(p.hosted, func(lp int32) bool { return lp == mv.lp })
		p.work += m.cfg.Timing.Serialise * n
		m.migration.report.StateBytes += n
		m.recordLeaving(p, mv)
		p.out = append(p.out, message{kind: State, to: mv.to, lp: mv.lp, bytes: n, body: &body{state: q}})
	}
	m.movedNow(p)
}

// takeIn does step 7: it restores an LP that has arrived.
func (m *Machine) takeIn(p *processor, msg *message) {
	if !p.mover.notified {
		m.migration.report.EarlyStates++
	}
	if m.record != nil {
		m.record.Take(msg.lp, m.queue.Now())
	}
	p.procs[msg.lp] = msg.body.state
	p.hosted = append(p.hosted, msg.lp)
	slices.Sort(p.hosted)
	p.work += m.cfg.Timing.Serialise * msg.bytes
	p.mover.received++
	m.movedNow(p)
}

// movedNow ends step 7 once all LPs have been sent and received.
func (m *Machine) movedNow(p *processor) {
	if !p.mover.notified || p.mover.received < p.mover.expected {
		return
	}
	if p.id == 0 {
		m.arrived(p)
		return
	}
	p.out = append(p.out, message{kind: Moved, to: 0})
}

// resume updates a PP's map, and ends the PP's pause at the end of the current operation.
func (m *Machine) resume(p *processor, places mapping.Map) {
	copy(p.places, places)
	p.work += m.cfg.Timing.Entry * int64(len(places))
	p.mover = mover{resumes: true}
}

// resumed records the end of the operation that ended a PP's pause.
func (m *Machine) resumed(p *processor, now int64) {
	p.mover.resumes = false
	c := &m.migration
	c.report.PPs[p.id].Resumed = now
	if c.resumed++; c.resumed == len(m.pps) {
		c.active = false
		c.report.Ended = now
		m.again(now)
	}
}
