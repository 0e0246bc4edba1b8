package emcr

import (
	"emsim/isa"
	"emsim/packet"
)

// EXULook is what the EXU is about, to look at.
type EXULook struct {
	Busy  bool   // a block is in progress
	PC    uint32 // the instruction in progress, or the one to fetch next
	Begun bool   // the instruction at PC has begun
	Left  int    // clocks to go for it, beside what it waits for
	Holds bool   // it holds a packet that the switch has not taken
	Waits bool   // it holds one, or has no room for the next
	Regs  [isa.Registers]uint64
}

// EXU returns what the EXU is about.
func (p *PE) EXU() EXULook {
	e := &p.exu
	x := EXULook{Busy: e.state != exuIdle, PC: e.pc, Waits: e.waits(), Regs: e.reg}
	switch e.state {
	case exuMemory, exuBusy:
		x.PC, x.Begun, x.Left = e.now, true, int(e.left)
	case exuOut:
		x.PC, x.Begun, x.Holds = e.now, true, true
	}
	return x
}

// FMUStep is what the FMU does next.
type FMUStep uint8

// The steps.
const (
	FMUIdle     = FMUStep(fmuIdle)     // takes a packet
	FMUWrite    = FMUStep(fmuWrite)    // stores the operand: it waits for its partner
	FMUTemplate = FMUStep(fmuTemplate) // reads the template's address: both operands are here
	FMUReady    = FMUStep(fmuReady)    // holds a node that can fire
)

// FMULook is what the FMU is about, to look at.
type FMULook struct {
	Step        FMUStep
	Packet      packet.Packet // that it works on; of no meaning when idle
	PC          uint32        // code address of the node
	Left, Right uint64        // operands, when Step is FMUTemplate or FMUReady
}

// FMU returns what the FMU is about.
func (p *PE) FMU() FMULook {
	f := &p.fmu
	return FMULook{FMUStep(f.state), f.pkt, f.pc, f.left, f.right}
}

// Segment is an operand segment in use.
type Segment struct {
	Base     uint32 // address of word 0
	Template uint32 // code address of the template
	Live     bool   // a function instance; otherwise no operand has come yet
	Operands []Waiting
}

// EachSegment calls f with every operand segment in use, by address, until it
// returns false.
func (p *PE) EachSegment(f func(s Segment) bool) {
	for i := range p.seg.fresh {
		base := p.seg.base + uint32(i)*p.seg.size
		tag := p.mem.Tag(base)
		if tag&tagUse == tagFree {
			continue
		}
		s := Segment{Base: base, Template: uint32(p.mem.Read(base)), Live: tag&tagUse == tagLive}
		for d := uint32(1); tag/tagWaiter > 0 && d < p.seg.size; d++ {
			if t := p.mem.Tag(base + d); t != tagEmpty {
				s.Operands = append(s.Operands, Waiting{base, d, s.Template, packet.Match(t), p.mem.Read(base + d)})
			}
		}
		if !f(s) {
			return
		}
	}
}

// SegmentOf returns word 0 of the operand segment that an address lies in, and
// whether it is one that is in use.
func (p *PE) SegmentOf(addr uint32) (base uint32, used bool) {
	base, inside := p.seg.of(addr)
	return base, inside && p.mem.Tag(base)&tagUse != tagFree
}

// Instance reports whether a function instance has its operand segment at base:
// an operand has come, and it has not been released.
func (p *PE) Instance(base uint32) bool {
	at, used := p.SegmentOf(base)
	return used && at == base && p.mem.Tag(base)&tagUse == tagLive
}

// Pins returns the wires to the switch, to look at.
func (p *PE) Pins() *packet.Pins { return p.pins }

// Address returns the PE's place in the machine.
func (p *PE) Address() packet.PE { return p.at }

// Format returns the field widths of the machine's words.
func (p *PE) Format() packet.Format { return p.cfg.Format }

// Layout says which part of the memory an address lies in.
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

// At returns the instruction at a code address of the program.
func (p *PE) At(addr uint32) (isa.Inst, bool) { return p.image.At(addr) }

// Special returns what a special register would give in clock t, and leaves it
// as it is.
func (p *PE) Special(s isa.Special, t uint64) uint64 {
	q := *p // reading mlpe empties it
	q.special(t, &op{Inst: isa.Inst{Op: isa.RDS, D: isa.R1, Imm: int32(s)}}, 0)
	return q.exu.reg[isa.R1]
}
