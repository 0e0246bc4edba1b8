package emcr

import (
	"fmt"

	"emsim/packet"
)

// Place is a code address. Whoever has the program's symbols fills in the rest.
type Place struct {
	Code   uint32 `json:"code"`
	Name   string `json:"name,omitempty"`   // of the nearest symbol, as in main+2
	Source string `json:"source,omitempty"` // as in prog.s:4
}

// Known returns name and source line in brackets, or nothing.
func (p *Place) Known() string {
	switch {
	case p == nil || p.Name == "" && p.Source == "":
		return ""
	case p.Source == "":
		return " (" + p.Name + ")"
	case p.Name == "":
		return " (" + p.Source + ")"
	}
	return " (" + p.Name + ", " + p.Source + ")"
}

// Waiting is an operand in memory whose partner has not come.
type Waiting struct {
	Segment, Displacement uint32
	Template              uint32 // code address of the segment's template
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
				list = append(list, Waiting{base, d, uint32(p.mem.Read(base)), packet.Match(tag), p.mem.Read(base + d)})
			}
		}
	}
	return list
}

// WaitingOperands counts them.
func (p *PE) WaitingOperands() int {
	n := 0
	for i := range p.seg.fresh {
		n += int(p.mem.Tag(p.seg.base+uint32(i)*p.seg.size) / tagWaiter)
	}
	return n
}

// Node returns the code address that a packet for this PE leads to, when it
// is known: word 0 of its operand segment names the template.
func (p *PE) Node(pk *packet.Packet) (code uint32, ok bool) {
	if pk.Direct {
		return pk.Addr, !pk.ToHost
	}
	base, ok := p.seg.of(pk.Addr)
	if !ok || base == pk.Addr || p.mem.Tag(base)&tagUse == tagFree {
		return 0, false
	}
	return uint32(p.mem.Read(base)) + pk.Addr - base, true
}

// Waits tells add of every unit that waits at the start of clock t, for what,
// and at which code address or for which packet, when there is one.
func (p *PE) Waits(t uint64, add func(unit, what string, code *uint32, pk *packet.Packet)) {
	var w wires
	p.wires(&w, t)
	e, f := &p.exu, &p.fmu
	switch {
	case e.state == exuOut:
		add("EXU", fmt.Sprintf("the switch, to take %v", p.pins.Out), nil, &p.pins.Out)
	case e.state == exuPort && p.cfg.OutPackets > 0:
		add("EXU", fmt.Sprintf("room in the output packet buffer, whose %d packets the switch has not taken", p.cfg.OutPackets), &e.pc, nil)
	case e.state == exuPort:
		add("EXU", "the port, on which the host's packet stands", &e.pc, nil)
	case e.state == exuBusy, e.state == exuMemory && w.exu:
		add("EXU", fmt.Sprintf("nothing: it runs, at code address %#x", e.now), &e.now, nil)
	case e.state == exuRun && w.exu:
		add("EXU", fmt.Sprintf("nothing: it runs, at code address %#x", e.pc), &e.pc, nil)
	case e.state == exuMemory:
		add("EXU", fmt.Sprintf("the memory port, which the IBU has, at code address %#x", e.now), &e.now, nil)
	case e.state != exuIdle:
		add("EXU", fmt.Sprintf("the memory port, which the IBU has, at code address %#x", e.pc), &e.pc, nil)
	}
	if p.cfg.OutPackets > 0 && p.pins.OutFull && p.pins.Out.Src != packet.Host {
		add("OUT", fmt.Sprintf("the switch, to take %v; %d packets are behind it", p.pins.Out, p.out.count), nil, &p.pins.Out)
	}
	switch {
	case f.state == fmuIdle && w.head != nil && !w.pop:
		add("FMU", fmt.Sprintf("the memory port, to match %v", *w.head), nil, w.head)
	case f.state == fmuReady && !w.fire && e.state == exuIdle:
		add("FMU", fmt.Sprintf("the memory port, which the IBU has, to run the node at code address %#x", f.pc), &f.pc, nil)
	case f.state == fmuReady && !w.fire:
		add("FMU", fmt.Sprintf("the EXU, to run the node at code address %#x", f.pc), &f.pc, nil)
	case f.state != fmuIdle && f.state != fmuReady && !w.fmu:
		add("FMU", fmt.Sprintf("the memory port, to match %v", f.pkt), nil, &f.pkt)
	}
	switch {
	case p.ibu.Full(p.pins, t):
		add("IBU", fmt.Sprintf("room in the MIB, whose %d words are full, for %v", p.ibu.MIBWords(), p.pins.In), nil, &p.pins.In)
	case p.ibu.Wants(p.pins, t) && !w.ibu:
		add("IBU", fmt.Sprintf("the memory port, to spill or refill (FIFO %d words, MIB %d words)", p.ibu.FIFOWords(), p.ibu.MIBWords()), nil, nil)
	}
}
