package emcr

import (
	"emsim/ibu"
	"emsim/isa"
	"emsim/packet"
	"emsim/trace"
)

// Lazy is a PE that its scheduler simulates later than the machine's clock, but always before other units read its
// pins. em4/schedule.go explains why, and why the states are the same. What a unit does when it acts is not repeated
// here: Lazy calls the unit's own functions.
//
//	Deadline   returns the last clock by which the PE must be simulated
//	CatchUp    simulates the PE up to a clock
//
// CatchUp advances from event to event (leap.go), and steps the clocks to which leap does not apply. While no unit can
// act, nothing changes until a packet arrives or is accepted. Such clocks are counted all at once.
//
// Deadline looks ahead in the program (lookahead.go). It may be too early, which costs time, but must never be too
// late.
type Lazy PE

func (l *Lazy) pe() *PE { return (*PE)(l) }

// maxLookahead is the largest number of clocks by which a busy PE can lag, not counting the clocks of its last
// instruction and of the injection [chosen].
const maxLookahead = 24

// NextClock returns the first clock that has not been simulated.
func (l *Lazy) NextClock() uint64 { return l.nextClock }

// SetNextClock sets the next clock of a PE that does not start at clock 0.
func (l *Lazy) SetNextClock(t uint64) { l.nextClock = t }

// LastActive returns the last simulated clock in which a unit did anything.
func (l *Lazy) LastActive() uint64 { return l.lastActive }

// Stepped returns the number of clocks that were simulated one by one, with every unit evaluated, since the PE was
// made.
func (l *Lazy) Stepped() uint64 { return l.stepped }

// CatchUp simulates the clocks up to and including t. A PE with a fault stays as
// the fault left it.
func (l *Lazy) CatchUp(t uint64) {
	p := l.pe()
	for end := t + 1; p.nextClock < end; {
		if p.leaps && p.watch == nil {
			p.leap(end)
		}
		switch {
		case p.fault != nil:
			p.nextClock = end
		case p.nextClock == end:
		case p.watch != nil:
			p.Step(p.nextClock)
		default:
			p.stepOrRest(end)
		}
	}
}

// stepOrRest simulates the next clock or, if no unit can act, all clocks before end until one may act.
func (p *PE) stepOrRest(end uint64) {
	var w wires
	now := p.nextClock
	p.driveWires(&w, now)
	if end := p.quietUntil(&w, end); end > now {
		activity := Idle
		if p.exu.blocked() {
			activity = NetworkWait
		}
		p.skipTo(activity, end)
		return
	}
	p.nextClock = now + 1
	p.stepUnits(&w, now, 0)
}

// quietUntil returns the next clock in which a unit may act, at most end. w holds the wires of the PE's next clock.
func (p *PE) quietUntil(w *wires, end uint64) uint64 {
	if isActive(w.exu) || isActive(w.fmu) || isActive(w.ibu) || w.exu == trace.WaitPort || w.ibuOp != ibu.None ||
		p.out.count > 0 {
		return p.nextClock
	}
	if w.exu == trace.WaitSwitch && p.pins.AcceptedAt >= p.nextClock {
		end = min(end, p.pins.AcceptedAt) // Never is later than any clock
	}
	if p.pins.InFull {
		end = min(end, p.pins.InReady)
	}
	return max(end, p.nextClock)
}

// Deadline returns the last clock by which the PE must be simulated, because its next packet can be visible to the
// switch one clock later. It returns packet.Never if nothing can leave the PE before a packet is delivered to it (see
// DeadlineOnDelivery) or accepted from it (see DeadlineOnAccept).
func (l *Lazy) Deadline() uint64 {
	p := l.pe()
	e, f := &p.exu, &p.fmu
	portFree := !p.pins.OutFull || p.pins.AcceptedAt+1 == p.nextClock
	if p.out.count > 0 && portFree {
		return p.nextClock // the oldest buffered packet moves to the port
	}
	wait := uint64(0) // clocks until the next instruction that can send
	switch e.state {
	case exuHold:
		return packet.Never
	case exuOutFull:
		if !portFree && p.out.count == len(p.out.ring) {
			return packet.Never
		}
	case exuFetch:
		wait = p.image.clocksToSend(e.pc, p.nextBlockToSend())
	case exuMemory, exuBusy:
		wait = uint64(e.clocksLeft) + p.afterBranch()
	case exuIdle:
		switch f.state {
		case FMUReady:
			wait = p.nextBlockToSend()
		case FMUTemplate:
			base, _ := p.seg.baseOf(f.pkt.Addr)
			wait = 1 + p.image.clocksToSend(uint32(p.mem.Read(base))+f.pkt.Addr-base, 0)
		case FMUWrite, FMURead:
			wait = 2
		case FMUIdle:
			if p.Quiet() {
				return packet.Never
			}
			wait = 1
			if head := p.ibu.Head(); head != nil && p.cfg.IBU.Priority == 0 { // no packet overtakes it
				wait = matchClocks(head)
			}
		}
	}
	switch stall := p.ibuStall(); {
	case e.state == exuIdle && f.state == FMUIdle: // the FMU takes a packet in direct mode even during the stall
		wait = max(wait, stall)
	default:
		wait += stall
	}
	return p.nextClock + wait + p.cfg.InjectClocks - 1
}

// ibuStall returns the number of clocks for which the IBU will certainly have the memory port, so that no instruction
// can be fetched.
func (p *PE) ibuStall() uint64 {
	if s := p.exu.state; s == exuBusy || s != exuIdle && !p.cfg.SpillInterrupts || p.cfg.IBUOwnMemory {
		return 0
	}
	return min(maxLookahead, p.ibu.CommittedClocks())
}

// afterInstruction returns the fewest clocks from the end of the instruction in progress to the next instruction that
// can send. It assumes that the instruction in progress is not a taken branch.
func (p *PE) afterInstruction() uint64 {
	if p.exu.lastInBlock {
		return p.nextBlockToSend()
	}
	return p.image.clocksToSend(p.exu.pc, p.nextBlockToSend())
}

// afterBranch works like afterInstruction, but also allows for a taken branch: whether a branch is taken is known only
// in its last clock.
func (p *PE) afterBranch() uint64 {
	wait := p.afterInstruction()
	if in := &p.image.code[p.exu.current]; in.class == isa.ClassBranch {
		wait = min(wait, p.image.clocksToSend(uint32(in.Imm), p.nextBlockToSend()))
	}
	return wait
}

// nextBlockToSend returns the fewest clocks from the first clock of the next block to the block's first instruction
// that can send.
func (p *PE) nextBlockToSend() uint64 {
	if p.fmu.state == FMUReady {
		return p.image.clocksToSend(p.fmu.pc, 0)
	}
	return 0
}

// matchClocks returns the fewest clocks from the clock in which the FMU takes a packet to the clock in which a node
// fires.
func matchClocks(pk *packet.Packet) uint64 {
	if pk.Direct || pk.Match == packet.One {
		return 1
	}
	return 2
}

// DeadlineOnDelivery returns the deadline of a PE that was quiet until a packet was delivered in clock t. The packet
// must be taken in and matched, and its node must fire.
func (c *Config) DeadlineOnDelivery(pk *packet.Packet, t uint64) uint64 {
	return t + 2 + matchClocks(pk) + c.InjectClocks
}

// DeadlineOnAccept returns the deadline of a PE from which the switch accepted a packet in clock t.
func (l *Lazy) DeadlineOnAccept(t uint64) uint64 {
	p, wait := l.pe(), uint64(0)
	switch e := &p.exu; {
	case p.out.count > 0:
		return t + 1 // the oldest buffered packet moves to the port
	case e.state == exuHold:
		wait = p.afterInstruction()
	}
	return t + wait + p.cfg.InjectClocks
}

// IntakeFree returns the first clock at whose start the intake can be empty, if the intake is full now. The switch need
// not check earlier.
func (l *Lazy) IntakeFree() uint64 { return l.ibu.EmptiesIntake(l.pins, l.nextClock) }

// Blocked reports whether the EXU can continue only after the switch has accepted a
// packet.
func (l *Lazy) Blocked() bool { return l.exu.blocked() }
