package emcr

import (
	"emsim/isa"
	"emsim/packet"
	"emsim/trace"
)

// Watch tells r of every clock from now on; nil ends it. A PE that is watched
// has to be given every clock, asleep or not.
func (p *PE) Watch(r *trace.Recorder) {
	p.watch, p.operands = r, 0
	if r == nil {
		return
	}
	for i := range p.seg.fresh {
		p.operands += int(p.mem.Tag(p.seg.base+uint32(i)*p.seg.size) / tagWaiter)
	}
}

// before is what has to be known of a clock's start to say what happened in it.
type before struct {
	in      packet.Packet // in the intake
	head    packet.Packet // that the FMU takes
	ibu     int           // words in the MIB
	spilled uint64
	done    uint64 // instructions
	sent    uint64
	fmu     fmuState
	exu     exuState
	inFull  bool
	fault   bool
}

// watched is work with somebody watching. What the units do in the clock
// follows from the wires, what has happened from what has changed.
func (p *PE) watched(w *wires, t uint64) State {
	was := before{
		in: p.pins.In, inFull: p.pins.InFull, ibu: p.ibu.MIBWords(), spilled: p.ibu.Spilled, done: p.Instructions,
		sent: p.Sent, fmu: p.fmu.state, exu: p.exu.state, fault: p.fault != nil,
	}
	if w.pop {
		was.head = *w.head
	}
	p.tellLevels(t)
	exu, fmu, ibu := p.exuStatus(w, t), p.fmuStatus(w), p.ibuStatus(w, t)
	s := p.work(w, t)
	p.watch.Status(t, p.index, trace.PE, trace.ExuFmu+trace.Status(s))
	p.watch.Status(t, p.index, trace.IBU, ibu)
	p.watch.Status(t, p.index, trace.FMU, fmu)
	p.watch.Status(t, p.index, trace.EXU, exu)
	p.tellIBU(&was, t)
	p.tellFMU(&was, w, t)
	p.tellEXU(&was, w, t)
	if p.fault != nil && !was.fault {
		p.tell(t, trace.PE, trace.Faulted, trace.Event{PC: p.fault.PC, Text: p.fault.Text})
	}
	return s
}

func (p *PE) tell(t uint64, u trace.Unit, k trace.Kind, e trace.Event) {
	e.Clock, e.PE, e.Unit, e.Kind = t, p.index, u, k
	p.watch.Event(e)
}

func (p *PE) tellLevels(t uint64) {
	for l, v := range [trace.Levels]int{p.ibu.FIFOWords(), p.ibu.MIBWords(), int(p.pins.Load), p.operands, p.seg.used} {
		p.watch.Level(t, p.index, trace.Level(l), uint64(v))
	}
}

// ibuStatus says what the IBU does in the clock.
func (p *PE) ibuStatus(w *wires, t uint64) trace.Status {
	arrived := p.pins.InFull && p.pins.InReady <= t
	switch {
	case w.ibu && p.ibu.Spills(p.pins, t):
		return trace.Spill
	case w.ibu:
		return trace.Refill
	case p.ibu.Wants(p.pins, t):
		return trace.WaitMemory
	case w.pop || arrived && (p.ibu.MIBWords() == 0 || p.ibu.Urgent(p.pins)):
		return trace.Run
	case p.ibu.FIFOWords()+p.ibu.UrgentWords() > 0:
		return trace.WaitFMU
	}
	return trace.Idle
}

// fmuStatus says what the FMU does in the clock.
func (p *PE) fmuStatus(w *wires) trace.Status {
	noMemory := trace.WaitMemory
	if w.ibu && !p.cfg.IBUOwnMemory {
		noMemory = trace.WaitIBU
	}
	switch p.fmu.state {
	case fmuIdle:
		switch {
		case w.pop:
			return trace.Match
		case w.head != nil:
			return noMemory
		case p.ibu.MIBWords() > 0:
			return trace.WaitMIB
		}
		return trace.Idle
	case fmuReady:
		switch {
		case w.fire:
			return trace.Fire
		case p.exu.state == exuIdle:
			return noMemory
		}
		return trace.WaitEXU
	}
	if w.fmu {
		return trace.Match
	}
	return noMemory
}

// exuStatus says what the EXU does in the clock.
func (p *PE) exuStatus(w *wires, t uint64) trace.Status {
	e := &p.exu
	switch {
	case e.state == exuBusy, e.state == exuOut && p.pins.TakenAt == t:
		return trace.Run
	case e.state == exuOut:
		return trace.WaitSwitch
	case e.state == exuPort && !p.outRoom(t):
		return trace.WaitPort
	case e.state == exuIdle:
		return p.noNode(w, t)
	case !w.exu:
		return trace.WaitIBU
	case e.state == exuRun && p.sendsNext() && !p.outRoom(t):
		return trace.WaitPort
	}
	return trace.Run
}

// sendsNext reports whether the instruction to be fetched is a send.
func (p *PE) sendsNext() bool {
	pc := int(p.exu.pc)
	return pc < len(p.image.code) && p.image.code[pc].ok && p.image.code[pc].class == isa.ClassSend
}

// noNode says why the EXU runs no block.
func (p *PE) noNode(w *wires, t uint64) trace.Status {
	switch {
	case w.fire:
		return trace.Run
	case p.fmu.state == fmuReady:
		return trace.WaitIBU
	case p.fmu.state != fmuIdle || w.head != nil:
		return trace.WaitFMU
	case p.ibu.MIBWords() > 0:
		return trace.WaitMIB
	case p.operands > 0:
		return trace.WaitOperand
	}
	return trace.Idle
}

// tellIBU says which packets came into the buffer.
func (p *PE) tellIBU(was *before, t uint64) {
	if p.ibu.Spilled > was.spilled {
		p.tell(t, trace.IBU, trace.Spilled, trace.Event{Packet: was.in})
		return
	}
	if was.inFull && !p.pins.InFull {
		p.tell(t, trace.IBU, trace.Queued, trace.Event{Packet: was.in})
	}
	if p.ibu.MIBWords() < was.ibu { // beside an urgent packet, too
		p.tell(t, trace.IBU, trace.Refilled, trace.Event{Packet: *p.ibu.Last()})
	}
}

// tellFMU says what became of operands.
func (p *PE) tellFMU(was *before, w *wires, t uint64) {
	f := &p.fmu
	if w.pop {
		p.tell(t, trace.FMU, trace.Taken, trace.Event{Packet: was.head})
	}
	switch {
	case was.fmu == fmuWrite && w.fmu:
		p.operands++
		p.tell(t, trace.FMU, trace.Stored, trace.Event{Packet: f.pkt})
	case was.fmu == fmuErase && w.fmu:
		p.operands--
		p.tell(t, trace.FMU, trace.Matched, trace.Event{Packet: f.pkt})
	}
	if f.state == fmuReady && was.fmu != fmuReady {
		p.tell(t, trace.FMU, trace.Fired, trace.Event{Packet: f.pkt, PC: f.pc})
	}
}

// tellEXU says what the block did.
func (p *PE) tellEXU(was *before, w *wires, t uint64) {
	if w.fire {
		p.tell(t, trace.EXU, trace.Begun, trace.Event{Packet: p.fmu.pkt, PC: p.fmu.pc})
	}
	if p.Instructions > was.done {
		p.tell(t, trace.EXU, trace.Fetched, trace.Event{PC: p.exu.now})
	}
	if p.Sent > was.sent {
		p.tell(t, trace.EXU, trace.Made, trace.Event{Packet: *p.made(), PC: p.exu.now})
	}
	if p.exu.state == exuIdle && (was.exu != exuIdle || w.fire) {
		p.tell(t, trace.EXU, trace.Ended, trace.Event{PC: p.exu.now})
	}
}
