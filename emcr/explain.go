package emcr

import (
	"fmt"

	"emsim/internal/plural"
	"emsim/packet"
	"emsim/trace"
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

// Wait is a unit of a PE that holds work, and what it does in a clock.
type Wait struct {
	Unit   string         // EXU, OUT (the output packet buffer), FMU or IBU
	Status trace.Status   // Run, or what it waits for
	For    string         // the same in words
	About  string         // which packet or instruction that concerns, in words
	Code   *uint32        // code address that it is at, when there is one
	Packet *packet.Packet // that it holds, when there is one
}

// String says what the unit waits for, and what that is about.
func (x Wait) String() string {
	if x.About == "" {
		return x.For
	}
	return x.For + ", " + x.About
}

// Waits lists the units that hold work and what each of them does in clock t,
// which is the next one; taken tells whether the switch takes the packet on Out
// in it. An EXU that runs a block is in the list whether it waits or not.
func (p *PE) Waits(t uint64, taken bool) []Wait {
	var w wires
	if was := p.pins.TakenAt; taken {
		p.pins.TakenAt = t
		defer func() { p.pins.TakenAt = was }()
	}
	p.wires(&w, t)
	var list []Wait
	if p.exu.state != exuIdle {
		list = append(list, p.exuWait(&w))
	}
	if p.cfg.OutPackets > 0 && p.pins.OutFull && !taken && p.pins.Out.Src != packet.Host {
		about := fmt.Sprintf("to take %v; %s %s behind it", p.pins.Out, plural.Of(p.out.count, "packet"), plural.Verb(p.out.count, "is", "are"))
		list = append(list, Wait{"OUT", trace.WaitSwitch, "the switch", about, nil, &p.pins.Out})
	}
	if f := &p.fmu; w.fmu.Waits() {
		switch {
		case f.state == fmuReady && w.fmu != trace.WaitEXU:
			list = append(list, Wait{"FMU", w.fmu, "the memory port, which the IBU has", fmt.Sprintf("to run the node at code address %#x", f.pc), &f.pc, nil})
		case f.state == fmuReady:
			list = append(list, Wait{"FMU", w.fmu, "the EXU", fmt.Sprintf("to run the node at code address %#x", f.pc), &f.pc, nil})
		case f.state != fmuIdle:
			list = append(list, Wait{"FMU", w.fmu, "the memory port", fmt.Sprintf("to match %v", f.pkt), nil, &f.pkt})
		case w.head != nil:
			list = append(list, Wait{"FMU", w.fmu, "the memory port", fmt.Sprintf("to match %v", *w.head), nil, w.head})
		}
	}
	switch w.ibu {
	case trace.WaitMIB:
		full := fmt.Sprintf("room in the MIB, whose %d words are full", p.ibu.MIBWords())
		list = append(list, Wait{"IBU", w.ibu, full, fmt.Sprintf("for %v", p.pins.In), nil, &p.pins.In})
	case trace.WaitMemory:
		why := fmt.Sprintf("the memory port, to spill or refill (FIFO %d words, MIB %d words)", p.ibu.FIFOWords(), p.ibu.MIBWords())
		list = append(list, Wait{"IBU", w.ibu, why, "", nil, nil})
	}
	return list
}

// exuWait is the entry of an EXU that runs a block.
func (p *PE) exuWait(w *wires) Wait {
	e := &p.exu
	code := &e.pc
	if e.state == exuMemory || e.state == exuBusy {
		code = &e.now
	}
	at := fmt.Sprintf("at code address %#x", *code)
	switch {
	case w.exu == trace.WaitSwitch:
		return Wait{"EXU", w.exu, "the switch", fmt.Sprintf("to take %v", p.pins.Out), nil, &p.pins.Out}
	case w.exu == trace.WaitPort && p.cfg.OutPackets > 0:
		return Wait{"EXU", w.exu, fmt.Sprintf("room in the output packet buffer, whose %d packets the switch has not taken", p.cfg.OutPackets), "", code, nil}
	case w.exu == trace.WaitPort:
		return Wait{"EXU", w.exu, "the port, on which the host's packet stands", "", code, nil}
	case w.exu == trace.WaitIBU:
		return Wait{"EXU", w.exu, "the memory port, which the IBU has", at, code, nil}
	}
	return Wait{"EXU", w.exu, "nothing: it runs", at, code, nil}
}
