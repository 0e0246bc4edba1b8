package emcr

import (
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

// watched is work with somebody watching. What the units do in the clock is in
// the wires; what has happened follows from what has changed.
func (p *PE) watched(w *wires, t uint64) State {
	was := before{
		in: p.pins.In, inFull: p.pins.InFull, ibu: p.ibu.MIBWords(), spilled: p.ibu.Spilled, done: p.Instructions,
		sent: p.Sent, fmu: p.fmu.state, exu: p.exu.state, fault: p.fault != nil,
	}
	if w.pop {
		was.head = *w.head
	}
	p.tellLevels(t)
	exu := w.exu
	switch {
	case w.fire:
		exu = trace.Run // it takes its node, even if there is no room yet for what that sends
	case exu == trace.Idle:
		exu = p.noNode(w, p.operands)
	}
	s := p.work(w, t)
	p.watch.Status(t, p.index, trace.PE, trace.ExuFmu+trace.Status(s))
	p.watch.Status(t, p.index, trace.IBU, w.ibu)
	p.watch.Status(t, p.index, trace.FMU, w.fmu)
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
	case was.fmu == fmuWrite && w.fmu == trace.Match:
		p.operands++
		p.tell(t, trace.FMU, trace.Stored, trace.Event{Packet: f.pkt})
	case was.fmu == fmuTemplate && w.fmu == trace.Match:
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
