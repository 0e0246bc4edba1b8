package emcr

import (
	"emsim/ibu"
	"emsim/packet"
	"emsim/trace"
)

// Lag is a PE that is evaluated late, in the hands of a scheduler.
//
// In hardware every unit works in every clock. But a PE touches nothing except
// its pins, and its switch looks at them only when a packet wants out or in, or
// when a passing MLPE packet asks for the load. So what a PE does between two
// such moments can be worked out afterwards, in one go, while it is in the
// host's cache: this file turns the machine inside out. It has no rules of its
// own about what a unit does; it asks the same wires as a clock does.
//
//	Due      by when must the PE be evaluated, at the latest?
//	Advance  evaluate it up to a clock
//
// Advance passes through every clock that was missed. Two shortcuts make it
// fast. Where no unit acts, nothing can change before a packet comes or is
// taken: these clocks are added up at once. Where the IBU alone acts, the two
// clocks of a packet's transfer are done together.
//
// Due looks ahead over the program: the loader has worked out for every
// instruction how many clocks lie before the next one that may send
// (Image.quiet). It may be too early, which costs time; it must never be too
// late. Tests hold both against a PE that is evaluated in every clock.
type Lag PE

func (l *Lag) pe() *PE { return (*PE)(l) }

// maxLate is the most clocks that a PE with something to do is behind, without
// the clocks of its last instruction and of the injection [chosen].
const maxLate = 24

// Next returns the next clock to evaluate.
func (l *Lag) Next() uint64 { return l.next }

// SetNext tells a PE that does not start at clock 0 which clock is the next.
func (l *Lag) SetNext(t uint64) { l.next = t }

// Moved returns the last clock, of those that were evaluated, in which a unit
// did anything.
func (l *Lag) Moved() uint64 { return l.moved }

// Advance evaluates the clocks up to and including t. A PE with a fault stays
// as the fault left it.
func (l *Lag) Advance(t uint64) {
	p := l.pe()
	for p.next <= t {
		if p.fault != nil {
			p.next = t + 1
			return
		}
		if p.watch != nil {
			p.Clock(p.next)
			continue
		}
		var w wires
		now := p.next
		p.wires(&w, now)
		if still := p.still(&w, t+1); still > now {
			s := Idle
			if p.exu.waits() {
				s = NetworkWait
			}
			p.Clocks[s] += still - now
			p.next = still
			continue
		}
		if now < t && p.transfer(&w) {
			continue
		}
		p.next = now + 1
		p.work(&w, now)
	}
}

// still returns the first clock before end in which a unit may act, when none
// acts in the one that the wires are of; otherwise that one.
func (p *PE) still(w *wires, end uint64) uint64 {
	if acts(w.exu) || acts(w.fmu) || acts(w.ibu) || w.exu == trace.WaitPort || w.op != ibu.None || p.out.count > 0 {
		return p.next
	}
	if w.exu == trace.WaitSwitch && p.pins.TakenAt >= p.next {
		end = min(end, p.pins.TakenAt) // Never is later than any
	}
	if p.pins.InFull {
		end = min(end, p.pins.InReady)
	}
	return max(end, p.next)
}

// transfer does the two clocks of a spill or refill that begins now, when nobody
// else acts in either of them.
func (p *PE) transfer(w *wires) bool {
	e := &p.exu
	switch {
	case w.ibu != trace.Spill && w.ibu != trace.Refill, acts(w.exu), acts(w.fmu), p.cfg.IBUOwnMemory, p.out.count > 0:
		return false
	case e.state == exuOut && p.pins.TakenAt == p.next+1:
		return false
	case e.state != exuIdle && e.state != exuOut && !p.cfg.IBUFirst: // it may want the port back
		return false
	case !p.ibu.Both(p.pins, p.next):
		return false
	}
	p.Clocks[IbuOnly] += 2
	if e.waits() {
		p.IbuWaiting += 2
	}
	p.moved = p.next + 1
	p.next += 2
	p.setLoad()
	return true
}

// Due returns the last clock by which the PE must be evaluated: its next packet
// can be visible to the switch one clock later. packet.Never means that nothing
// leaves the PE before a packet comes to it (Arrived) or is taken from it (Taken).
func (l *Lag) Due() uint64 {
	p := l.pe()
	e, f := &p.exu, &p.fmu
	portFree := !p.pins.OutFull || p.pins.TakenAt+1 == p.next
	if p.out.count > 0 && portFree {
		return p.next // the next one goes to the port
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
		case fmuTemplate:
			base, _ := p.seg.of(f.pkt.Addr)
			wait = 1 + p.image.quiet(uint32(p.mem.Read(base))+f.pkt.Addr-base, 0)
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
	return p.next + wait + p.cfg.InjectClocks - 1
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
	return 2
}

// Arrived returns Due for a PE that was asleep until clock t, in which a packet
// came: taken in, matched, fired.
func (l *Lag) Arrived(t uint64) uint64 {
	p := l.pe()
	return t + 1 + matching(&p.pins.In) + p.cfg.InjectClocks
}

// Taken returns Due for a PE whose packet was taken in clock t.
func (l *Lag) Taken(t uint64) uint64 {
	p, wait := l.pe(), uint64(0)
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

// Blocked reports whether the EXU goes on only after the switch has taken a
// packet.
func (l *Lag) Blocked() bool { return l.exu.waits() }
