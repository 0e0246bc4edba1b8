package emcr

import (
	"fmt"

	"emsim/internal/base/plural"
	"emsim/packet"
	"emsim/trace"
)

// CodeLocation is a code address. A caller that has the program's symbols fills in the other fields.
type CodeLocation struct {
	Code   uint32 `json:"code"`
	Name   string `json:"name,omitempty"`   // nearest symbol and offset, such as main+2
	Source string `json:"source,omitempty"` // source line, such as prog.s:4
}

// NameAndSource returns, in parentheses, the name and the source line if they are known.
func (p *CodeLocation) NameAndSource() string {
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

// Text returns the symbol, or the address if the symbol is unknown, followed by the source line if it is known.
func (p *CodeLocation) Text() string {
	switch {
	case p.Name == "":
		return fmt.Sprintf("code address %#x%s", p.Code, p.NameAndSource())
	case p.Source == "":
		return p.Name
	}
	return p.Name + " (" + p.Source + ")"
}

// NodeText describes a node, and its template if the template is known.
func NodeText(node, template *CodeLocation) string {
	switch {
	case template == nil:
		return node.Text()
	case node.Name == "":
		return "the node at " + node.Text()
	case template.Name == "":
		return "node " + node.Text()
	}
	return "node " + node.Name + " of template " + template.Name + (&CodeLocation{Source: node.Source}).NameAndSource()
}

// WaitingOperand is an operand that waits in memory for its partner.
type WaitingOperand struct {
	Segment, Displacement uint32
	Template              uint32 // code address of the segment's template
	Have                  packet.Match
	Data                  uint64
}

// WaitingOperands returns at most limit operands that wait in memory, ordered by address.
func (p *PE) WaitingOperands(limit int) []WaitingOperand {
	var list []WaitingOperand
	p.EachSegment(func(s Segment) bool {
		list = append(list, s.Operands...)
		return len(list) < limit
	})
	return list[:min(len(list), limit)]
}

// CountWaitingOperands returns the number of operands that wait in memory.
func (p *PE) CountWaitingOperands() int {
	n := 0
	for i := range p.seg.everUsed {
		n += int(p.mem.Tag(p.seg.base+uint32(i)*p.seg.size) / tagWaiter)
	}
	return n
}

// NodeAddress returns the code address of the node or system block to which a packet for this PE goes. In direct mode,
// this is the packet's address. Otherwise it is known if the packet's operand segment is in use: word 0 of the segment
// names the template. ok is false if it is not known.
func (p *PE) NodeAddress(pk *packet.Packet) (code uint32, ok bool) {
	if pk.Direct {
		return pk.Addr, !pk.ToHost
	}
	base, ok := p.seg.baseOf(pk.Addr)
	if !ok || base == pk.Addr || p.mem.Tag(base)&tagUse == tagFree {
		return 0, false
	}
	return (uint32(p.mem.Read(base)) + pk.Addr - base) & addrMask, true
}

// UnitStatus is a unit of a PE that holds work, and what the unit does in a clock.
type UnitStatus struct {
	Unit   string         // EXU, OUT (the output packet buffer), FMU or IBU
	Status trace.Status   // Run, or what the unit waits for
	For    string         // Status in words
	About  string         // packet or instruction that the unit works on or waits with, in words
	Code   *uint32        // code address of the unit's instruction or node, or nil
	Packet *packet.Packet // packet that the unit holds, or nil
}

// String says what the unit waits for, and for which packet or instruction.
func (x UnitStatus) String() string {
	if x.About == "" {
		return x.For
	}
	return x.For + ", " + x.About
}

// Preview lists the units that hold work and will wait in the next clock t, with what each of them waits for. It leaves
// out an IBU that waits only for the FMU. The list also contains an EXU that runs a block without waiting. accepted
// says whether the switch accepts the packet on the port in clock t. Preview does not change the PE.
func (p *PE) Preview(t uint64, accepted bool) []UnitStatus {
	var w wires
	if was := p.pins.AcceptedAt; accepted {
		p.pins.AcceptedAt = t
		defer func() { p.pins.AcceptedAt = was }()
	}
	p.driveWires(&w, t)
	var list []UnitStatus
	if p.exu.state != exuIdle {
		list = append(list, p.exuWait(&w))
	}
	if p.cfg.OutPackets > 0 && p.pins.OutFull && !accepted && p.pins.Out.Src != packet.Host {
		about := fmt.Sprintf("to take %v; %s %s after it", p.pins.Out, plural.Of(p.out.count, "packet"),
			plural.Verb(p.out.count, "is", "are"))
		list = append(list, UnitStatus{"OUT", trace.WaitSwitch, "the switch", about, nil, &p.pins.Out})
	}
	if f := &p.fmu; w.fmu.IsWait() {
		switch {
		case f.state == FMUReady && w.fmu != trace.WaitEXU:
			list = append(list, UnitStatus{
				"FMU", w.fmu, "the memory port, which the IBU has",
				fmt.Sprintf("to run the node at code address %#x", f.pc), &f.pc, nil,
			})
		case f.state == FMUReady:
			list = append(list, UnitStatus{
				"FMU", w.fmu,
				"the EXU", fmt.Sprintf("to run the node at code address %#x", f.pc), &f.pc, nil,
			})
		case f.state != FMUIdle:
			list = append(list, UnitStatus{
				"FMU", w.fmu, "the memory port", fmt.Sprintf("to match %v", f.pkt), nil,
				&f.pkt,
			})
		case w.headQ != nil:
			list = append(list, UnitStatus{
				"FMU", w.fmu, "the memory port", fmt.Sprintf("to match %v", *w.headQ), nil,
				w.headQ,
			})
		}
	}
	switch w.ibu {
	case trace.WaitMIB:
		full := fmt.Sprintf("room in the MIB, whose %d words are full", p.ibu.MIBWords())
		list = append(list, UnitStatus{"IBU", w.ibu, full, fmt.Sprintf("for %v", p.pins.In), nil, &p.pins.In})
	case trace.WaitMemory:
		why := fmt.Sprintf("the memory port, to spill or refill (FIFO %d words, MIB %d words)", p.ibu.FIFOWords(),
			p.ibu.MIBWords())
		list = append(list, UnitStatus{"IBU", w.ibu, why, "", nil, nil})
	}
	return list
}

// exuWait returns the status of an EXU that runs a block.
func (p *PE) exuWait(w *wires) UnitStatus {
	e := &p.exu
	code := &e.pc
	if e.state == exuMemory || e.state == exuBusy {
		code = &e.current
	}
	at := fmt.Sprintf("at code address %#x", *code)
	switch {
	case w.exu == trace.WaitSwitch:
		return UnitStatus{"EXU", w.exu, "the switch", fmt.Sprintf("to take %v", p.pins.Out), nil, &p.pins.Out}
	case w.exu == trace.WaitPort && p.cfg.OutPackets > 0:
		return UnitStatus{"EXU", w.exu, fmt.Sprintf("room in the output packet buffer, whose %d packets the "+
			"switch has not taken", p.cfg.OutPackets), "", code, nil}
	case w.exu == trace.WaitPort:
		return UnitStatus{"EXU", w.exu, "the port, which the host's packet occupies", "", code, nil}
	case w.exu == trace.WaitIBU:
		return UnitStatus{"EXU", w.exu, "the memory port, which the IBU has", at, code, nil}
	}
	return UnitStatus{"EXU", w.exu, "nothing: it runs", at, code, nil}
}
