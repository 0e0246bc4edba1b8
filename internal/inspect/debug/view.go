package debug

import (
	"fmt"
	"slices"

	"emsim/emcr"
	"emsim/isa"
	"emsim/packet"
)

// view is what a PE holds between two clocks, as far as stops compare it with
// the time after the next clock.
type view struct {
	exu    emcr.EXUView
	fmu    emcr.FMUView
	blocks uint64 // begun so far
}

func viewOf(p *emcr.PE) view { return view{p.EXU(), p.FMU(), p.Blocks} }

// registers are those that the next instruction will read: an idle EXU clears
// them and takes the operands of the FMU's node in the same clock.
func (v *view) registers() [isa.Registers]uint64 {
	if v.exu.Busy || v.fmu.Step != emcr.FMUReady {
		return v.exu.Regs
	}
	return [isa.Registers]uint64{isa.R1: v.fmu.Left, isa.R2: v.fmu.Right, isa.FP: v.fmu.FP}
}

// operands are the two that the FMU holds, or 0.
func (v *view) operands() (left, right uint64) {
	if v.fmu.Step == emcr.FMUTemplate || v.fmu.Step == emcr.FMUReady {
		return v.fmu.Left, v.fmu.Right
	}
	return 0, 0
}

// begins reports whether the EXU may begin the block at a code address in the
// next clock.
func (v *view) begins(addr uint32) bool {
	return !v.exu.Busy && v.fmu.Step == emcr.FMUReady && v.fmu.PC == addr
}

// fetches reports whether the EXU may begin the instruction at a code address in
// the next clock.
func (v *view) fetches(addr uint32) bool {
	return v.begins(addr) || v.exu.Busy && !v.exu.Begun && v.exu.PC == addr
}

// use is one use of a memory word: by a load or a store, by an instruction that
// allocates or releases its segment, or by the FMU's matching.
type use struct {
	addr  uint32
	write bool
	by    string
}

// uses lists the uses of memory words, without instruction fetches, in the clock
// between the view and now.
func (d *Debugger) uses(v *view, p *emcr.PE) []use {
	var list []use
	now := viewOf(p)
	if v.exu.Begun && !now.exu.Begun { // the instruction has ended: it uses the memory in its last clock
		in, _ := p.At(v.exu.PC)
		addr := uint32(v.exu.Regs[in.A])
		switch in.Op {
		case isa.LD, isa.ST:
			addr += uint32(in.Imm)
		case isa.GETSEG:
			addr = uint32(now.exu.Regs[in.D])
		}
		if slices.Contains([]isa.Op{isa.LD, isa.ST, isa.GETSEG, isa.RELSEG}, in.Op) {
			list = append(list, use{addr & addressMask, in.Op != isa.LD, d.code(v.exu.PC)})
		}
	}
	was, is, pk := v.fmu.Step, now.fmu.Step, &now.fmu.Packet
	base, _ := p.SegmentOf(pk.Addr)
	switch {
	case was == emcr.FMUWrite && is == emcr.FMUIdle:
		list = append(list, use{pk.Addr, true, "the FMU, which stores packet " + d.packet(pk)})
	case was == emcr.FMUIdle && is != emcr.FMUIdle && pk.Match != packet.One && !pk.Direct:
		list = append(list, use{pk.Addr, false, "the FMU, which looks for the partner of packet " + d.packet(pk)})
	case (was == emcr.FMUTemplate || was == emcr.FMUIdle) && is == emcr.FMUReady && !pk.Direct:
		list = append(list, use{base, false, "the FMU, which reads the template's address for packet " + d.packet(pk)})
	}
	return list
}

// change says who changed a memory word in the clock between the view and now.
func (d *Debugger) change(v *view, p *emcr.PE, addr uint32) string {
	for _, u := range d.uses(v, p) {
		if u.addr == addr {
			return u.by
		}
	}
	return d.code(p.EXU().Last)
}

// registerChange says who changed a register in the clock between the view and
// now.
func (d *Debugger) registerChange(v *view, p *emcr.PE, r int) string {
	if x := p.EXU(); p.Blocks == v.blocks || x.Regs[r] != v.registers()[r] {
		return d.code(x.Last)
	}
	return fmt.Sprintf("the beginning of the block %s", d.code(v.fmu.PC))
}
