package emcr

import (
	"emsim/ibu"
	"emsim/isa"
	"emsim/packet"
)

// A PE from event to event
//
// The plain clock (PE.Step) asks every unit what it does. Mostly that is known
// for many clocks: who has the memory port changes only when the input buffer
// wants it, when a block ends, or when the switch accepts a packet. leap goes
// through such clocks without driving the wires:
//
//	the buffer rests      EXU before FMU: work
//	  takes a packet      the same, for one clock
//	  transfers packets   EXU and FMU stand still: transfers
//
// What a unit does when it acts is in the units' own files, as for the plain
// clock. Only who acts is said here a second time, for the prototype's PE and
// without its rare cases: leap does nothing in a clock that does not fit, and
// the caller steps it.

// canLeap reports whether leap applies to PEs of these parameters: with a
// memory of its own the buffer works in parallel with the others, the queue of urgent
// packets takes one by the room that it had before the FMU took another, an
// output packet buffer moves on by itself, and a load that counts the packet in
// execution changes with every block.
func (c *Config) canLeap() bool {
	return !c.IBUOwnMemory && c.IBU.Priority == 0 && c.OutPackets == 0 && !c.LoadCountsExecution
}

// leap simulates clocks before end, beginning with the next one, until one does
// not fit. The clock in which a packet fills the prefetch register does not.
func (p *PE) leap(end uint64) {
	if p.pins.InFull && p.pins.InReady < end && p.pins.In.FillsPrefetch() {
		end = p.pins.InReady
	}
	for t := p.nextClock; t < end && p.fault == nil; t = p.nextClock {
		to := end
		arrives := p.pins.InFull && p.pins.InReady < end
		switch {
		case p.ibu.HasRoom(): // and keeps it until the packet in the intake comes in
			if arrives {
				to = max(t, p.pins.InReady) + 1
			}
			if p.workWithPort(to); arrives && p.nextClock == to {
				p.ibu.TakeIn(p.pins)
				p.setLoad()
			}
		case p.ibu.Request(p.pins, t) != ibu.None:
			p.transfers(end)
		default:
			if arrives {
				to = p.pins.InReady
			}
			p.workWithPort(to)
		}
		if p.nextClock == t {
			return
		}
	}
}

// workWithPort simulates clocks in which the input buffer leaves the memory
// port to the others: until end, or until the FMU has taken a packet after
// which a refill is due.
func (p *PE) workWithPort(end uint64) {
	e := &p.exu
	for p.nextClock < end && p.fault == nil && p.ibu.AtRest() {
		t := p.nextClock
		switch e.state {
		case exuIdle:
			if p.fmu.state == FMUReady {
				in := p.nextInstruction(p.fmu.pc, t)
				if in == nil {
					return
				}
				p.takeNode()
				p.fmu.state = FMUIdle
				p.begin(in, t)
				p.active(t + 1)
			} else if to := p.matching(t, end); to > t {
				p.active(to)
			} else {
				p.skipTo(Idle, end)
			}
		case exuFetch, exuMemory:
			if !p.block(t, end) {
				return
			}
		case exuBusy:
			p.leapBusy(t, end)
		case exuHold:
			p.leapHold(t, end)
		default:
			return
		}
	}
}

// active counts the clocks before t as ones in which FMU or EXU was active.
func (p *PE) active(t uint64) {
	p.Clocks[ExuFmu] += t - p.nextClock
	p.nextClock, p.lastActive = t, t-1
}

// skipTo counts the clocks before t as ones in which nothing happened.
func (p *PE) skipTo(s Activity, t uint64) {
	p.Clocks[s] += t - p.nextClock
	p.nextClock = t
}

// nextInstruction returns the instruction at pc if its fetch begins it, or nil.
func (p *PE) nextInstruction(pc uint32, t uint64) *op {
	if int(pc) < len(p.image.code) {
		if in := &p.image.code[pc]; in.ok && (in.class != isa.ClassSend || p.outRoomQ(t)) {
			return in
		}
	}
	return nil
}

// direct returns the packet that the FMU takes without the memory port, or nil.
func (p *PE) direct() *packet.Packet {
	if p.fmu.state == FMUIdle {
		if head := p.ibu.Head(); head != nil && head.Direct {
			return head
		}
	}
	return nil
}

// block has the EXU work with the memory port from clock t on. It reports whether
// it could.
func (p *PE) block(t, end uint64) bool {
	e, now := &p.exu, t
	headQ := p.direct()
	if headQ != nil {
		end = t + 1
	}
	if e.state == exuMemory {
		t = min(end, t+uint64(e.clocksLeft))
		if e.clocksLeft -= uint8(t - now); e.clocksLeft == 0 {
			p.finishMemory(t - 1)
			e.retire()
		}
	} else {
		for ; t < end && e.state == exuFetch && p.fault == nil; t++ {
			in := p.nextInstruction(e.pc, t)
			if in == nil {
				break
			}
			p.begin(in, t)
		}
		if t == now {
			return false
		}
	}
	if headQ != nil {
		p.takeHead(headQ, now)
	}
	p.active(t)
	return true
}

// takeHead has the idle FMU take the head packet.
func (p *PE) takeHead(headQ *packet.Packet, t uint64) {
	p.matchClock(headQ, t)
	p.ibu.Pop()
	p.setLoad()
}

// matching has the FMU work with the memory port from clock t on. It returns
// the first clock before end in which it cannot, or in which the buffer may want
// the port.
func (p *PE) matching(t, end uint64) uint64 {
	for ; t < end && p.fault == nil && p.fmu.state != FMUReady; t++ {
		if p.fmu.state != FMUIdle {
			p.matchClock(nil, t)
			continue
		}
		headQ := p.ibu.Head()
		if headQ == nil {
			return t
		}
		if p.takeHead(headQ, t); !p.ibu.AtRest() {
			return t + 1
		}
	}
	return t
}

// leapBusy has the EXU work without the memory port, in parallel with the FMU.
func (p *PE) leapBusy(t, end uint64) {
	e := &p.exu
	end = min(end, t+uint64(e.clocksLeft))
	if to := p.matching(t, end); p.fault != nil || !p.ibu.AtRest() {
		end = to
	}
	if e.clocksLeft -= uint8(end - t); e.clocksLeft == 0 {
		p.finishBusy()
		e.retire()
	}
	p.active(end)
}

// leapHold has the EXU wait until the switch accepts its packet, in parallel with the
// FMU.
func (p *PE) leapHold(t, end uint64) {
	accepted := p.pins.AcceptedAt
	if accepted == t {
		p.matching(t, t+1)
		p.exu.retire()
		p.active(t + 1)
		return
	}
	if accepted > t {
		end = min(end, accepted) // Never is later than any clock
	}
	if to := p.matching(t, end); to > t {
		p.active(to)
	} else {
		p.skipTo(NetworkWait, end)
	}
}

// transfers simulates clocks in which the input buffer has the memory port, and
// EXU and FMU wait for it or for the switch.
func (p *PE) transfers(end uint64) {
	t := p.nextClock
	switch p.exu.state {
	case exuIdle:
	case exuHold:
		if p.pins.AcceptedAt >= t {
			end = min(end, p.pins.AcceptedAt)
		}
	case exuFetch, exuMemory:
		if !p.cfg.SpillInterrupts {
			return
		}
	default:
		return
	}
	from := t
	for t < end && p.direct() == nil {
		if t+1 < end && p.ibu.StepTransfer(p.pins, t) {
			t += 2
		} else if p.ibu.Request(p.pins, t).UsesMemory() {
			p.ibu.Step(p.pins, t, true, false)
			t++
		} else {
			break
		}
	}
	if t == from {
		return
	}
	if p.exu.blocked() {
		p.IbuWaiting += t - from
	}
	p.skipTo(IbuOnly, t)
	p.lastActive = t - 1
	p.setLoad()
}
