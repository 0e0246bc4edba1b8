package emcr

import "emsim/packet"

// wires are what the units of a PE tell each other within one clock, all of
// it made from the state at the clock's start.
type wires struct {
	buffer bool           // the IBU may do something
	ibu    bool           // the IBU has the memory port
	fmu    bool           // the FMU has it
	exu    bool           // the EXU has it
	fire   bool           // the EXU takes the FMU's node
	pop    bool           // the FMU takes the FIFO's head
	head   *packet.Packet // that packet
}

// wires makes them: the MCU gives the one memory port to one unit a clock.
// The EXU comes before the FMU, which works in the clocks that a block leaves
// free. Where the IBU stands is IBUFirst: when it interrupts a block, FMU and
// EXU stand still [003 §4.2]; when it does not, it works between blocks and
// while the EXU waits for the switch, without which a full network could
// never drain.
func (p *PE) wires(w *wires, t uint64) {
	*w = wires{}
	arrived := p.pins.InFull && p.pins.InReady <= t
	w.buffer = arrived || !p.ibu.Still()
	ibuWants := w.buffer && p.ibu.Wants(p.pins, t)
	exuWants := false
	switch p.exu.state {
	case exuIdle:
		exuWants = p.fmu.state == fmuReady
	case exuRun, exuMemory:
		exuWants = true
	case exuPort:
		exuWants = p.outRoom(t)
	}
	if p.cfg.IBUOwnMemory {
		w.ibu, ibuWants = ibuWants, false
	}
	// A new block has not begun: there the IBU goes first in any case.
	if ibuWants && (p.cfg.IBUFirst || !exuWants || p.exu.state == exuIdle) {
		w.ibu = true
	} else if exuWants {
		w.exu = true
		w.fire = p.exu.state == exuIdle
	} else {
		w.fmu = true
	}

	if p.fmu.state == fmuIdle {
		w.head = p.ibu.Head()
		w.pop = w.head != nil && (w.fmu || w.head.Direct)
	}
}
