package emcr

import "emsim/packet"

// A PE touches nothing but its pins, and the switch looks at them only now and
// then. So a PE need not be evaluated in every clock: it is brought up to date
// (Advance) before the switch looks, at the latest at Due. It then passes
// through the same states, clock by clock.

// maxLate is the most clocks that a PE with something to do is behind, without
// the clocks of its last instruction and of the injection [chosen].
const maxLate = 24

// Now returns the next clock to evaluate.
func (p *PE) Now() uint64 { return p.now }

// SetClock tells a PE that does not start at clock 0 which clock is the next.
func (p *PE) SetClock(t uint64) { p.now = t }

// Moved returns the last clock, of those that were evaluated, in which a unit
// did anything.
func (p *PE) Moved() uint64 { return p.moved }

// Advance evaluates the clocks up to and including t. A PE with a fault stays
// as the fault left it.
func (p *PE) Advance(t uint64) {
	for p.now <= t {
		if p.fault != nil {
			p.now = t + 1
			return
		}
		if next := p.still(t + 1); next > p.now {
			s := Idle
			if p.exu.waits() {
				s = NetworkWait
			}
			p.Clocks[s] += next - p.now
			if p.now = next; next > t {
				return
			}
		}
		for p.now <= t && p.fault == nil {
			if p.now < t && p.transfer() {
				continue
			}
			if p.Clock(p.now) > IbuOnly {
				break // it may stand still for longer
			}
		}
	}
}

// transfer does the next two clocks when the IBU has them for a spill or a
// refill and nobody else can do anything.
func (p *PE) transfer() bool {
	t := p.now
	e := &p.exu
	switch {
	case p.ibu.Still() && !(p.pins.InFull && p.pins.InReady <= t), p.watch != nil, p.cfg.IBUOwnMemory, p.out.count > 0:
		return false
	case e.state == exuOut:
		if p.pins.TakenAt == t || p.pins.TakenAt == t+1 {
			return false
		}
	case e.state == exuBusy, e.state != exuIdle && !p.cfg.IBUFirst:
		return false
	}
	if head := p.ibu.Head(); p.fmu.state == fmuIdle && head != nil && head.Direct || !p.ibu.Both(p.pins, t) {
		return false
	}
	p.Clocks[IbuOnly] += 2
	if e.waits() {
		p.IbuWaiting += 2
	}
	p.moved = t + 1
	p.now = t + 2
	p.setLoad()
	return true
}

// still returns the first clock before end in which a unit may do anything.
func (p *PE) still(end uint64) uint64 {
	switch p.exu.state {
	case exuIdle:
		if p.fmu.state != fmuIdle || p.ibu.Head() != nil {
			return p.now
		}
	case exuOut:
		if p.fmu.state != fmuReady && (p.fmu.state != fmuIdle || p.ibu.Head() != nil) {
			return p.now
		}
		if taken := p.pins.TakenAt; taken >= p.now {
			end = min(end, taken) // Never is later than any
		}
	default:
		return p.now
	}
	if !p.ibu.Still() || p.out.count > 0 {
		return p.now
	}
	if p.pins.InFull {
		end = min(end, p.pins.InReady)
	}
	return end
}

// Due returns the clock at whose end the PE has to have been evaluated: the
// switch may look at a packet from it in the clock behind that one. packet.Never
// means when a packet comes (Arrived), or is taken from it (Taken).
func (p *PE) Due() uint64 {
	e, f := &p.exu, &p.fmu
	portFree := !p.pins.OutFull || p.pins.TakenAt+1 == p.now
	if p.out.count > 0 && portFree {
		return p.now // the next one goes to the port
	}
	wait := uint64(0) // clocks until the next instruction that may be a send
	switch e.state {
	case exuOut:
		return packet.Never
	case exuPort:
		if !portFree && p.out.count == len(p.out.ring) {
			return packet.Never
		}
	case exuRun:
		wait = p.image.quiet(e.pc, p.nextBlock())
	case exuMemory, exuBusy:
		wait = uint64(e.left)
		if e.end {
			wait += p.nextBlock()
		} else {
			wait += p.image.quiet(e.pc, p.nextBlock())
		}
	case exuIdle:
		switch f.state {
		case fmuReady:
			wait = p.nextBlock()
		case fmuErase:
			wait = 1 + p.image.quiet(f.pc, 0)
		case fmuRead: // erased and fired, or written and the next one fired
			wait = 2 + min(1, p.image.quiet(f.pc, 0))
		case fmuWrite:
			wait = 2
		case fmuIdle:
			if p.Asleep() {
				return packet.Never
			}
			wait = 1
			if head := p.ibu.Head(); head != nil && p.cfg.IBU.Priority == 0 { // nothing overtakes it
				wait = matching(head)
			}
		}
	}
	switch stall := p.stall(); {
	case e.state == exuIdle && f.state == fmuIdle: // a packet in direct mode is taken meanwhile
		wait = max(wait, stall)
	default:
		wait += stall
	}
	return p.now + wait + p.cfg.InjectClocks - 1
}

// stall returns the clocks for which the IBU is certain to have the memory port,
// without which no instruction is fetched.
func (p *PE) stall() uint64 {
	if s := p.exu.state; s == exuBusy || s != exuIdle && !p.cfg.IBUFirst || p.cfg.IBUOwnMemory {
		return 0
	}
	return min(maxLate, p.ibu.Takes())
}

// nextBlock returns the clocks from the first one of the next block to its
// first instruction that may be a send.
func (p *PE) nextBlock() uint64 {
	if p.fmu.state == fmuReady {
		return p.image.quiet(p.fmu.pc, 0)
	}
	return 0
}

// matching returns the clocks from the one in which the FMU takes a packet to
// the one in which a node fires.
func matching(pk *packet.Packet) uint64 {
	if pk.Direct || pk.Match == packet.One {
		return 1
	}
	return 3
}

// Arrived returns Due for a PE that was asleep until clock t, in which a packet
// came: taken in, matched, fired.
func (p *PE) Arrived(t uint64) uint64 {
	return t + 1 + matching(&p.pins.In) + p.cfg.InjectClocks
}

// Taken returns Due for a PE whose packet was taken in clock t.
func (p *PE) Taken(t uint64) uint64 {
	wait := uint64(0)
	switch e := &p.exu; {
	case p.out.count > 0:
		return t + 1 // the next one goes to the port
	case e.state != exuOut:
	case e.end:
		wait = p.nextBlock()
	default:
		wait = p.image.quiet(e.pc, p.nextBlock())
	}
	return t + wait + p.cfg.InjectClocks
}

// Blocked reports whether the EXU does not go on before the switch has taken a
// packet.
func (p *PE) Blocked() bool { return p.exu.waits() }
