package emcr

import (
	"emsim/packet"
	"emsim/trace"
)

// Watch reports every clock from now on to r. If r is nil, it stops reporting. A watched PE must be simulated in every
// clock, even if it is quiet.
func (p *PE) Watch(r *trace.Recorder) {
	p.watch, p.operands = r, 0
	if r != nil {
		p.operands = p.CountWaitingOperands()
	}
}

// startOfClock holds values at the start of a clock, from which the trace events of the clock are derived.
type startOfClock struct {
	inQ           packet.Packet // packet in the intake
	headQ         packet.Packet // packet that the FMU takes
	mibWordsQ     int
	spilledQ      uint64
	instructionsQ uint64
	sentQ         uint64
	fmuQ          FMUStep
	exuQ          exuState
	inFullQ       bool
	faultQ        bool
}

// stepWatched works like stepUnits, and reports trace events. The wires say what the units do in the clock; the state
// before and after it shows what happened.
func (p *PE) stepWatched(w *wires, t uint64) Activity {
	was := startOfClock{
		inQ: p.pins.In, inFullQ: p.pins.InFull, mibWordsQ: p.ibu.MIBWords(), spilledQ: p.ibu.Spilled,
		instructionsQ: p.Instructions,
		sentQ:         p.Sent, fmuQ: p.fmu.state, exuQ: p.exu.state, faultQ: p.fault != nil,
	}
	if w.pop {
		was.headQ = *w.headQ
	}
	p.traceLevels(t)
	exu := w.exu
	switch {
	case w.fire:
		exu = trace.Run // the EXU takes its node, even if there is no free place yet for the node's packet
	case exu == trace.Idle:
		exu = p.whyNoNode(w, p.operands)
	}
	s := p.stepUnits(w, t, 0)
	p.watch.Status(t, p.index, trace.PE, trace.ExuFmu+trace.Status(s))
	p.watch.Status(t, p.index, trace.IBU, w.ibu)
	p.watch.Status(t, p.index, trace.FMU, w.fmu)
	p.watch.Status(t, p.index, trace.EXU, exu)
	p.traceIBU(&was, w, t)
	p.traceFMU(&was, w, t)
	p.traceEXU(&was, w, t)
	if p.fault != nil && !was.faultQ {
		p.emitEvent(t, trace.PE, trace.Faulted, trace.Event{PC: p.fault.PC, Text: p.fault.Text})
	}
	return s
}

func (p *PE) emitEvent(t uint64, u trace.Unit, k trace.Kind, e trace.Event) {
	e.Clock, e.PE, e.Unit, e.Kind = t, p.index, u, k
	p.watch.Event(e)
}

func (p *PE) traceLevels(t uint64) {
	for l, v := range [trace.Levels]int{
		p.ibu.FIFOWords(), p.ibu.MIBWords(), int(p.pins.LoadQ), p.operands,
		p.seg.used,
	} {
		p.watch.Level(t, p.index, trace.Level(l), uint64(v))
	}
}

// traceIBU reports the packets that entered the FIFO, the MIB or the prefetch register.
func (p *PE) traceIBU(was *startOfClock, w *wires, t uint64) {
	if p.ibu.Spilled > was.spilledQ {
		p.emitEvent(t, trace.IBU, trace.Spilled, trace.Event{Packet: was.inQ})
		return
	}
	switch {
	case w.fill:
		p.emitEvent(t, trace.IBU, trace.Filled, trace.Event{Packet: was.inQ})
	case was.inFullQ && !p.pins.InFull:
		p.emitEvent(t, trace.IBU, trace.Queued, trace.Event{Packet: was.inQ})
	}
	if p.ibu.MIBWords() < was.mibWordsQ { // an urgent packet may have arrived in the same clock
		p.emitEvent(t, trace.IBU, trace.Refilled, trace.Event{Packet: *p.ibu.Last()})
	}
}

// traceFMU reports the FMU's events: packets taken, operands stored and matched, nodes fired.
func (p *PE) traceFMU(was *startOfClock, w *wires, t uint64) {
	f := &p.fmu
	if w.pop {
		p.emitEvent(t, trace.FMU, trace.Taken, trace.Event{Packet: was.headQ})
	}
	switch {
	case was.fmuQ == FMUWrite && w.fmu == trace.Match:
		p.operands++
		p.emitEvent(t, trace.FMU, trace.Stored, trace.Event{Packet: f.pkt})
	case was.fmuQ == FMUTemplate && w.fmu == trace.Match:
		p.operands--
		p.emitEvent(t, trace.FMU, trace.Matched, trace.Event{Packet: f.pkt})
	}
	if f.state == FMUReady && was.fmuQ != FMUReady {
		p.emitEvent(t, trace.FMU, trace.Fired, trace.Event{Packet: f.pkt, PC: f.pc})
	}
}

// traceEXU reports the EXU's events.
func (p *PE) traceEXU(was *startOfClock, w *wires, t uint64) {
	if w.fire {
		p.emitEvent(t, trace.EXU, trace.Begun, trace.Event{Packet: p.fmu.pkt, PC: p.fmu.pc})
	}
	if p.Instructions > was.instructionsQ {
		p.emitEvent(t, trace.EXU, trace.Fetched, trace.Event{PC: p.exu.current})
	}
	if p.Sent > was.sentQ {
		p.emitEvent(t, trace.EXU, trace.Made, trace.Event{Packet: *p.lastSent(), PC: p.exu.current})
	}
	if p.exu.state == exuIdle && (was.exuQ != exuIdle || w.fire) {
		p.emitEvent(t, trace.EXU, trace.Ended, trace.Event{PC: p.exu.current})
	}
}
