package emcr

import (
	"emsim/isa"
	"emsim/packet"
)

// EXUView is the state of the EXU, for inspection.
type EXUView struct {
	Busy    bool   // a block is in progress
	PC      uint32 // the instruction in progress, or the one to fetch next
	Last    uint32 // the instruction that began last
	Begun   bool   // the instruction at PC has begun
	Left    int    // clocks that this instruction still needs, not counting waits
	Holds   bool   // the EXU holds a packet that the switch has not accepted
	Blocked bool   // the EXU holds such a packet, or has no free place for the next packet
	Regs    [isa.Registers]uint64
}

// EXU returns the state of the EXU.
func (p *PE) EXU() EXUView {
	e := &p.exu
	x := EXUView{Busy: e.state != exuIdle, PC: e.pc, Last: e.current, Blocked: e.blocked(), Regs: e.reg}
	switch e.state {
	case exuMemory, exuBusy:
		x.PC, x.Begun, x.Left = e.current, true, int(e.clocksLeft)
	case exuHold:
		x.PC, x.Begun, x.Holds = e.current, true, true
	}
	return x
}

// FMUView is the state of the FMU, for inspection.
type FMUView struct {
	Step        FMUStep
	Packet      packet.Packet // packet that is being matched; meaningless if Step is FMUIdle
	PC          uint32        // code address of the node, if Step is FMUReady
	Left, Right uint64        // operands, if Step is FMUTemplate or FMUReady
	FP          uint64        // value of FP in the node's block, if Step is FMUReady
}

// FMU returns the state of the FMU.
func (p *PE) FMU() FMUView {
	f := &p.fmu
	return FMUView{f.state, f.pkt, f.pc, f.left, f.right, f.fp}
}

// Segment is an operand segment in use.
type Segment struct {
	Base     uint32 // address of word 0
	Template uint32 // code address of the template
	Live     bool   // it belongs to a function instance; otherwise no operand has arrived yet
	Operands []WaitingOperand
}

// EachSegment calls f with every operand segment in use, ordered by address, until f returns false.
func (p *PE) EachSegment(f func(s Segment) bool) {
	for i := range p.seg.everUsed {
		base := p.seg.base + uint32(i)*p.seg.size
		tag := p.mem.Tag(base)
		if tag&tagUse == tagFree {
			continue
		}
		s := Segment{Base: base, Template: uint32(p.mem.Read(base)), Live: tag&tagUse == tagLive}
		for d := uint32(1); tag/tagWaiter > 0 && d < p.seg.size; d++ {
			if t := p.mem.Tag(base + d); t != tagEmpty {
				s.Operands = append(s.Operands,
					WaitingOperand{base, d, s.Template, packet.Match(t), p.mem.Read(base + d)})
			}
		}
		if !f(s) {
			return
		}
	}
}

// SegmentOf returns the base address of the operand segment that contains an address, and whether that segment is in
// use.
func (p *PE) SegmentOf(addr uint32) (base uint32, used bool) {
	base, inside := p.seg.baseOf(addr)
	return base, inside && p.mem.Tag(base)&tagUse != tagFree
}

// Instance reports whether the operand segment at base belongs to a function instance: an operand has arrived, and the
// segment has not been released.
func (p *PE) Instance(base uint32) bool {
	at, used := p.SegmentOf(base)
	return used && at == base && p.mem.Tag(base)&tagUse == tagLive
}

// Pins returns the pins to the switch, for inspection.
func (p *PE) Pins() *packet.Pins { return p.pins }

// Address returns the PE's address.
func (p *PE) Address() packet.PE { return p.address }

// Format returns the field widths of the machine's words.
func (p *PE) Format() packet.Format { return p.cfg.Format }

// Layout returns the name of the part of the memory that contains an address.
func (p *PE) Layout(addr uint32) string {
	c := p.cfg
	switch {
	case addr >= c.MIBBase:
		return "memory input buffer"
	case addr-c.SegmentBase < uint32(c.Segments)*c.SegmentWords:
		return "operand segments"
	case addr-c.StructureBase < c.StructureWords:
		return "structure memory"
	case addr < uint32(len(p.image.data)):
		return "program"
	}
	return "free memory"
}

// Word returns a word of the PE's memory. A movpe instruction is returned with the PE that the loader has filled in.
func (p *PE) Word(addr uint32) uint64 {
	word := p.mem.Read(addr)
	if int(addr) < len(p.image.code) && p.image.code[addr].ok && p.image.code[addr].class == isa.ClassConstant {
		return isa.FillPE(word, p.image.constantOf(p.index, &p.image.code[addr])>>p.cfg.Format.AddrBits)
	}
	return word
}

// ImageWords returns the length of the program in words.
func (p *PE) ImageWords() uint32 { return p.image.Words() }

// PacketsMade returns the number of packets that the PE has made since the machine was built. This is also the number
// of the PE's last packet.
func (p *PE) PacketsMade() uint32 { return p.seq }

// InstructionAt returns the instruction at a code address of the program.
func (p *PE) InstructionAt(addr uint32) (isa.Inst, bool) { return p.image.InstructionAt(addr) }

// Special returns the value that reading a special register in clock t would give. It does not change the register.
func (p *PE) Special(s isa.Special, t uint64) uint64 {
	q := *p // a copy, because reading mlpe removes the oldest segment
	q.special(t, &op{Inst: isa.Inst{Op: isa.RDS, D: isa.R1, Imm: int32(s)}}, 0)
	return q.exu.reg[isa.R1]
}
