package emcr

import (
	"emsim/ibu"
	"emsim/isa"
	"emsim/packet"
	"emsim/trace"
)

// wires are what the units of a PE tell each other within one clock, all of it
// made from the state at the clock's start: who has the memory port, what
// passes from unit to unit, and a verdict for each unit.
//
// A verdict is what the unit does in this clock, or what it waits for. The unit
// acts on it, the scheduler finds from it how long nothing can change
// (schedule.go), and traces, the debugger and deadlock reports show it.
type wires struct {
	ibu, fmu, exu trace.Status // the verdicts; an EXU without a node is Idle, and noNode says why

	memory port           // who has the memory port
	buffer bool           // a packet has come, or the IBU is not at rest
	op     ibu.Op         // what the IBU wants it for
	fire   bool           // the EXU takes the FMU's node
	pop    bool           // the FMU takes the FIFO's head
	head   *packet.Packet // the packet that the FMU takes next
}

// port is one wire to each unit that can have the memory. At most one of them
// is on, but where the IBU has a memory of its own.
type port struct{ ibu, fmu, exu bool }

// wires makes them. The MCU gives the one memory port to one unit a clock. The
// EXU comes before the FMU, which works in the clocks that a block leaves free.
// Where the IBU comes is IBUFirst: when it interrupts a block, FMU and EXU stand
// still [003 §4.2]; when it does not, it works between blocks and while the EXU
// waits for the switch, without which a full network could never drain.
func (p *PE) wires(w *wires, t uint64) {
	*w = wires{head: p.ibu.Head()}
	arrived := p.pins.InFull && p.pins.InReady <= t
	if w.buffer = arrived || !p.ibu.Still(); w.buffer {
		w.op = p.ibu.Wish(p.pins, t)
	}
	ibuWants := w.op.Transfer()
	var exuWants bool
	w.exu, exuWants = p.exuWish(t)
	if p.cfg.IBUOwnMemory {
		w.memory.ibu, ibuWants = ibuWants, false
	}
	// A new block has not begun: there the IBU goes first in any case.
	if ibuWants && (p.cfg.IBUFirst || !exuWants || p.exu.state == exuIdle) {
		w.memory.ibu = true
	} else if exuWants {
		w.memory.exu = true
		w.fire = p.exu.state == exuIdle
	} else {
		w.memory.fmu = true
	}
	if exuWants && !w.memory.exu {
		w.exu = trace.WaitIBU
		if p.exu.state == exuIdle {
			w.exu = trace.Idle // its node can wait in the FMU
		}
	}
	w.fmu = p.fmuVerdict(w)
	w.ibu = p.ibuVerdict(w, arrived)
}

// exuWish returns what the EXU does when it gets the memory port, or need not
// have it, and whether it wants the port.
func (p *PE) exuWish(t uint64) (verdict trace.Status, memory bool) {
	e := &p.exu
	switch e.state {
	case exuIdle:
		if p.fmu.state != fmuReady {
			return trace.Idle, false
		}
		return p.fetchVerdict(p.fmu.pc, t), true
	case exuRun:
		return p.fetchVerdict(e.pc, t), true
	case exuMemory:
		return trace.Run, true
	case exuPort:
		if !p.outRoom(t) {
			return trace.WaitPort, false
		}
		return trace.Run, true
	case exuOut:
		if p.pins.TakenAt != t {
			return trace.WaitSwitch, false // the wait for the network
		}
	}
	return trace.Run, false
}

// fetchVerdict says whether the instruction at pc can begin: a send needs room
// for its packet. That is found out with the instruction, in the EXU's clock of
// the memory port.
func (p *PE) fetchVerdict(pc uint32, t uint64) trace.Status {
	if p.outRoom(t) {
		return trace.Run
	}
	if int(pc) < len(p.image.code) && p.image.code[pc].ok && p.image.code[pc].class == isa.ClassSend {
		return trace.WaitPort
	}
	return trace.Run
}

// fmuVerdict decides for the FMU.
func (p *PE) fmuVerdict(w *wires) trace.Status {
	noMemory := trace.WaitMemory
	if w.memory.ibu && !p.cfg.IBUOwnMemory {
		noMemory = trace.WaitIBU
	}
	switch p.fmu.state {
	case fmuIdle:
		switch {
		case w.head == nil && p.ibu.MIBWords() > 0:
			return trace.WaitMIB
		case w.head == nil:
			return trace.Idle
		case w.memory.fmu || w.head.Direct:
			w.pop = true
			return trace.Match
		}
		return noMemory
	case fmuReady:
		switch {
		case w.fire:
			return trace.Fire
		case p.exu.state == exuIdle:
			return noMemory
		}
		return trace.WaitEXU
	}
	if w.memory.fmu {
		return trace.Match
	}
	return noMemory
}

// ibuVerdict decides for the IBU.
func (p *PE) ibuVerdict(w *wires, arrived bool) trace.Status {
	switch {
	case w.op == ibu.Full:
		return trace.WaitMIB
	case w.op != ibu.None && !w.memory.ibu:
		return trace.WaitMemory
	case w.op == ibu.Spill:
		return trace.Spill
	case w.op == ibu.Refill:
		return trace.Refill
	case w.pop || arrived && (p.ibu.MIBWords() == 0 || p.ibu.Urgent(p.pins)):
		return trace.Run
	case w.head != nil:
		return trace.WaitFMU
	}
	return trace.Idle
}

// acts reports whether a unit with this verdict does something in the clock.
func acts(verdict trace.Status) bool { return verdict >= trace.Run && verdict <= trace.Refill }

// noNode says why the EXU runs no block; operands wait in memory.
func (p *PE) noNode(w *wires, operands int) trace.Status {
	switch {
	case p.fmu.state == fmuReady:
		return trace.WaitIBU
	case p.fmu.state != fmuIdle || w.head != nil:
		return trace.WaitFMU
	case p.ibu.MIBWords() > 0:
		return trace.WaitMIB
	case operands > 0:
		return trace.WaitOperand
	}
	return trace.Idle
}
