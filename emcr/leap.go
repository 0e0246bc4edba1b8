package emcr

import (
	"emsim/ibu"
	"emsim/isa"
	"emsim/packet"
)

// Simulating a PE from event to event
//
// The plain clock (PE.Step) evaluates every unit. What the units do is usually known for many clocks ahead. The user of
// the memory port changes only when the input buffer requests the port, when a block ends, or when the switch accepts a
// packet. leap simulates such clocks without driving the wires:
//
//	the buffer rests      EXU before FMU: work
//	  takes a packet      the same, for one clock
//	  transfers packets   EXU and FMU stand still: transfers
//
// What a unit does when it acts is in the unit's own file, as for the plain clock. Only the choice of the units that
// act is repeated here, for the prototype's PE and without its rare cases. leap stops before a clock to which it does
// not apply, and the caller steps that clock.

// canLeap reports whether leap applies to PEs with these parameters. It does not if the buffer has a memory of its own,
// because the buffer then works in parallel with the other units. The queue of urgent packets, an output packet buffer,
// which moves on by itself, and a load that counts the packet in execution are not covered either.
func (c *Config) canLeap() bool {
	return !c.IBUOwnMemory && c.IBU.Priority == 0 && c.OutPackets == 0 && !c.LoadCountsExecution
}

// leap simulates clocks before end, beginning with the next one, until it reaches a clock to which it does not apply.
// The clock in which a packet fills the prefetch register is such a clock.
func (p *PE) leap(end uint64) {
	if p.pins.InFull && p.pins.InReady < end && p.pins.In.FillsPrefetch() {
		end = p.pins.InReady
	}
	for t := p.nextClock; t < end && p.fault == nil; t = p.nextClock {
		to := end
		arrives := p.pins.InFull && p.pins.InReady < end
		switch {
		case p.ibu.CanTakeIn(): // and CanTakeIn stays true until the packet in the intake comes in
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

// workWithPort simulates clocks in which the input buffer leaves the memory port to FMU and EXU. It stops at end, or
// earlier if a refill becomes due or an instruction cannot begin.
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

// active advances the PE to clock t, and counts the clocks before t as clocks in which FMU or EXU was active.
func (p *PE) active(t uint64) {
	p.Clocks[ExuFmu] += t - p.nextClock
	p.nextClock, p.lastActive = t, t-1
}

// skipTo advances the PE to clock t, and counts the clocks before t as clocks of activity s.
func (p *PE) skipTo(s Activity, t uint64) {
	p.Clocks[s] += t - p.nextClock
	p.nextClock = t
}

// nextInstruction returns the instruction at pc, or nil if it cannot begin in clock t.
func (p *PE) nextInstruction(pc uint32, t uint64) *op {
	if int(pc) < len(p.image.code) {
		if in := &p.image.code[pc]; in.ok && (in.class != isa.ClassSend || p.outFreeQ(t)) {
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

// block simulates clocks, from t on, in which the EXU works with the memory port. It reports whether the EXU could
// work.
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

// takeHead simulates clock t of the idle FMU, which takes the head packet.
func (p *PE) takeHead(headQ *packet.Packet, t uint64) {
	p.matchClock(headQ, t)
	p.ibu.Pop()
	p.setLoad()
}

// matching simulates clocks, from t on, in which the FMU works with the memory port. It returns the first clock before
// end in which the FMU cannot work, or in which the buffer may request the port; otherwise end.
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

// leapBusy simulates clocks in which the EXU works without the memory port, and the FMU works in parallel.
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

// leapHold simulates clocks in which the EXU waits for the switch to accept its packet, and the FMU works in parallel.
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

// transfers simulates clocks in which the input buffer has the memory port. EXU and FMU wait for the port, or the EXU
// for the switch.
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
