package emcr

import (
	"emsim/ibu"
	"emsim/isa"
	"emsim/packet"
	"emsim/trace"
)

// wires are the signals between the units of a PE within one clock: which unit has the memory port, what passes from
// unit to unit, and a verdict for each unit. All of them are driven from the state at the clock's start.
//
// A verdict is what the unit does in this clock, or what it waits for. The unit acts on it, and traces, the debugger,
// deadlock reports and the scheduler read it.
type wires struct {
	ibu, fmu, exu trace.Status // the verdicts; without a node the EXU's verdict is Idle, and whyNoNode gives the reason

	grant   memoryGrant    // memory port
	ibuBusy bool           // the IBU has work: a packet has arrived, or the IBU is not at rest
	ibuOp   ibu.Op         // the transfer for which the IBU requests the memory port
	fire    bool           // FMU to EXU: the EXU takes the node
	pop     bool           // FMU to IBU: the FMU takes the head packet
	fill    bool           // IBU to prefetch register: the packet in the intake fills it
	headQ   *packet.Packet // IBU to FMU: the head packet, or nil
}

// memoryGrant has one wire to each unit that uses the memory. At most one wire is true, unless the IBU has a memory of
// its own.
type memoryGrant struct{ ibu, fmu, exu bool }

// driveWires does the work of the MCU: it grants the one memory port to one unit per clock. The EXU has precedence over
// the FMU, which works in the clocks that a block leaves free [chosen].
//
// "In these cases memory access is limited to the IBU, so that FMU and EXU, which cannot match or fetch instructions,
// are unable to work" [003 §4.2]. With SpillInterrupts the IBU has precedence even within a block. Otherwise it waits
// while the block requests the port. The block does not request it while the EXU waits for the switch: otherwise a full
// network could never drain.
func (p *PE) driveWires(w *wires, t uint64) {
	*w = wires{headQ: p.ibu.Head()}
	arrivedQ := p.pins.InFull && p.pins.InReady <= t
	if w.ibuBusy = arrivedQ || !p.ibu.AtRest(); w.ibuBusy {
		w.ibuOp = p.ibu.Request(p.pins, t)
		w.fill = p.ibu.FillsQ(p.pins, t)
	}
	ibuRequest := w.ibuOp.UsesMemory()
	var exuRequest bool
	w.exu, exuRequest = p.exuRequest(t)
	if p.cfg.IBUOwnMemory {
		w.grant.ibu, ibuRequest = ibuRequest, false
	}
	// If no block has begun (exuIdle), there is none to interrupt: the IBU goes first even without SpillInterrupts.
	if ibuRequest && (p.cfg.SpillInterrupts || !exuRequest || p.exu.state == exuIdle) {
		w.grant.ibu = true
	} else if exuRequest {
		w.grant.exu = true
		w.fire = p.exu.state == exuIdle
	} else {
		w.grant.fmu = true
	}
	if exuRequest && !w.grant.exu {
		w.exu = trace.WaitIBU
		if p.exu.state == exuIdle {
			w.exu = trace.Idle // its node stays in the FMU
		}
	}
	w.fmu = p.fmuVerdict(w)
	w.ibu = p.ibuVerdict(w, arrivedQ)
}

// exuRequest returns what the EXU does if it gets the memory port or does not need it, and whether it requests the
// port.
func (p *PE) exuRequest(t uint64) (verdict trace.Status, memory bool) {
	e := &p.exu
	switch e.state {
	case exuIdle:
		if p.fmu.state != FMUReady {
			return trace.Idle, false
		}
		return p.fetchVerdict(p.fmu.pc, t), true
	case exuFetch:
		return p.fetchVerdict(e.pc, t), true
	case exuMemory:
		return trace.Run, true
	case exuOutFull:
		if !p.outFreeQ(t) {
			return trace.WaitPort, false
		}
		return trace.Run, true
	case exuHold:
		if p.pins.AcceptedAt != t {
			return trace.WaitSwitch, false
		}
	}
	return trace.Run, false
}

// fetchVerdict returns WaitPort if the instruction at pc is a send without a free place for its packet, otherwise Run.
// The EXU finds this out only by fetching the instruction, in a clock in which it has the memory port.
func (p *PE) fetchVerdict(pc uint32, t uint64) trace.Status {
	if int(pc) < len(p.image.code) && p.image.code[pc].class == isa.ClassSend && !p.outFreeQ(t) {
		return trace.WaitPort
	}
	return trace.Run
}

// fmuVerdict returns the FMU's verdict.
func (p *PE) fmuVerdict(w *wires) trace.Status {
	noMemory := trace.WaitMemory
	if w.grant.ibu && !p.cfg.IBUOwnMemory {
		noMemory = trace.WaitIBU
	}
	switch p.fmu.state {
	case FMUIdle:
		switch {
		case w.headQ == nil && p.ibu.MIBWords() > 0:
			return trace.WaitMIB
		case w.headQ == nil:
			return trace.Idle
		case w.grant.fmu || w.headQ.Direct:
			w.pop = true
			return trace.Match
		}
		return noMemory
	case FMUReady:
		switch {
		case w.fire:
			return trace.Fire
		case p.exu.state == exuIdle:
			return noMemory
		}
		return trace.WaitEXU
	}
	if w.grant.fmu {
		return trace.Match
	}
	return noMemory
}

// ibuVerdict returns the IBU's verdict. arrivedQ says whether a packet is in the intake.
func (p *PE) ibuVerdict(w *wires, arrivedQ bool) trace.Status {
	switch {
	case w.ibuOp == ibu.Full:
		return trace.WaitMIB
	case w.ibuOp != ibu.None && !w.grant.ibu:
		return trace.WaitMemory
	case w.ibuOp == ibu.Spill:
		return trace.Spill
	case w.ibuOp == ibu.Refill:
		return trace.Refill
	case w.pop || w.fill || arrivedQ && (p.ibu.MIBWords() == 0 || p.ibu.IntakeIsUrgent(p.pins)):
		return trace.Run
	case w.headQ != nil:
		return trace.WaitFMU
	}
	return trace.Idle
}

// isActive reports whether a unit with this verdict does work in the clock.
func isActive(verdict trace.Status) bool { return verdict >= trace.Run && verdict <= trace.Refill }

// whyNoNode returns the reason why the EXU runs no block. operands is the number of operands that wait in memory.
func (p *PE) whyNoNode(w *wires, operands int) trace.Status {
	switch {
	case p.fmu.state == FMUReady:
		return trace.WaitIBU
	case p.fmu.state != FMUIdle || w.headQ != nil:
		return trace.WaitFMU
	case p.ibu.MIBWords() > 0:
		return trace.WaitMIB
	case operands > 0:
		return trace.WaitOperand
	}
	return trace.Idle
}
