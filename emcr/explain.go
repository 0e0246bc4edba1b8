package emcr

import (
	"fmt"

	"emsim/packet"
)

// Waiting is an operand in memory whose partner has not come.
type Waiting struct {
	Segment, Displacement uint32
	Have                  packet.Match
	Data                  uint64
}

// Waiting lists them by address, at most limit.
func (p *PE) Waiting(limit int) []Waiting {
	var list []Waiting
	for i := 0; i < p.seg.fresh && len(list) < limit; i++ {
		base := p.seg.base + uint32(i)*p.seg.size
		if p.mem.Tag(base)/tagWaiter == 0 {
			continue
		}
		for d := uint32(1); d < p.seg.size && len(list) < limit; d++ {
			if tag := p.mem.Tag(base + d); tag != tagEmpty {
				list = append(list, Waiting{base, d, packet.Match(tag), p.mem.Read(base + d)})
			}
		}
	}
	return list
}

// Waits tells add of every unit that waits at the start of clock t, and for
// what.
func (p *PE) Waits(t uint64, add func(unit, what string)) {
	w := p.wires(t)
	e, f := &p.exu, &p.fmu
	switch {
	case e.state == exuOut:
		add("EXU", fmt.Sprintf("the switch, to take %v", p.pins.Out))
	case e.state == exuPort:
		add("EXU", "the port, on which the host's packet stands")
	case e.state == exuBusy, e.state == exuMemory && w.exu:
		add("EXU", fmt.Sprintf("nothing: it runs, at code address %#x", e.now))
	case e.state == exuRun && w.exu:
		add("EXU", fmt.Sprintf("nothing: it runs, at code address %#x", e.pc))
	case e.state != exuIdle:
		add("EXU", fmt.Sprintf("the memory port, which the IBU has, at code address %#x", e.pc))
	}
	switch {
	case f.state == fmuIdle && w.head != nil && !w.pop:
		add("FMU", fmt.Sprintf("the memory port, to match %v", *w.head))
	case f.state == fmuReady && !w.fire:
		add("FMU", fmt.Sprintf("the EXU, to run the node at code address %#x", f.pc))
	case f.state != fmuIdle && f.state != fmuReady && !w.fmu:
		add("FMU", fmt.Sprintf("the memory port, to match %v", f.pkt))
	}
	if p.ibu.Wants(p.pins, t) && !w.ibu {
		add("IBU", fmt.Sprintf("the memory port, to spill or refill (FIFO %d words, MIB %d words)", p.ibu.FIFOWords(), p.ibu.MIBWords()))
	}
}
