package emcr

import (
	"fmt"

	"emsim/internal/plural"
	"emsim/isa"
	"emsim/mlpe"
	"emsim/packet"
)

// continuation is cont: ra plus a displacement, with the suffix's matching
// condition; or a system block of ra's PE.
func (p *PE) continuation(in *op, a uint64) uint64 {
	f := p.cfg.Format
	c := f.Cont(a)
	c.Addr = (c.Addr + uint32(in.Imm)) & addrMask
	if in.Form() == isa.FormDirect {
		c.Addr = uint32(in.Imm) & addrMask
	}
	if form := in.Form(); form != isa.FormCont {
		c.Match = packet.Match(form - isa.FormOne)
	}
	return f.Payload(c)
}

// send puts out a packet.
func (p *PE) send(t uint64, in *op, a, data uint64) {
	pk := packet.Packet{Data: data, Src: p.index}
	switch in.Op {
	case isa.OUT:
		pk.ToHost = true // routes to the host's port at [0,0]
	case isa.MLPE:
		pk.Kind, pk.Dest, pk.Direct, pk.Addr = p.cfg.Search, p.at, true, uint32(in.Imm)
		pk.Data = mlpe.Payload(p.cfg.Format, p.pins.Load, p.at)
		p.MLPESent++
	default:
		c := p.cfg.Format.Cont(p.continuation(in, a))
		pk.Dest, pk.Addr, pk.Match = c.PE, c.Addr, c.Match
		if pk.Match == packet.Block {
			pk.Direct, pk.Match = true, packet.One
			if in.Form() == isa.FormDirect && p.exu.found {
				pk.Kind = packet.Answer
			}
		}
		if int(pk.Dest.GA) >= 1<<p.cfg.K || int(pk.Dest.CA) > p.cfg.K {
			p.failAt(t, p.exu.now, ProgramError, "send to %v: register r%d holds %#x, which is no continuation on this machine", pk.Dest, in.A, a)
			return
		}
	}
	if !p.outRoom(t) {
		panic(fmt.Sprintf("emcr: clock %d, PE %v: a second packet on the port, where %v stands", t, p.at, p.pins.Out))
	}
	p.seq++
	pk.Seq = p.seq
	p.Sent++
	p.putOut(pk, t)
}

// special reads or writes a special register.
func (p *PE) special(t uint64, in *op, a uint64) {
	if in.Op == isa.WRS {
		if isa.Special(in.Imm) != isa.SpecialMLPE {
			p.failAt(t, p.exu.now, ProgramError, "special register %s cannot be written, only mlpe can", isa.SpecialNames[in.Imm])
			return
		}
		p.mlpe.put(a, p.cfg.Prefetch)
		return
	}
	var v uint64
	switch isa.Special(in.Imm) {
	case isa.SpecialPE:
		v = p.cfg.Format.Payload(packet.Cont{PE: p.at})
	case isa.SpecialGA:
		v = uint64(p.at.GA)
	case isa.SpecialCA:
		v = uint64(p.at.CA)
	case isa.SpecialK:
		v = uint64(p.cfg.K)
	case isa.SpecialClock:
		v = t
	case isa.SpecialLoad:
		v = uint64(p.pins.Load)
	case isa.SpecialMLPE:
		v = p.mlpe.take()
		if v != 0 {
			p.MLPECalls++
		}
	case isa.SpecialSegs:
		v = uint64(p.seg.total - p.seg.used)
	case isa.SpecialStrs:
		v = uint64(p.str.left)
	case isa.SpecialSeed:
		v = p.cfg.Seed
	case isa.SpecialGAPos:
		v = uint64(p.cfg.Format.AddrBits + p.cfg.Format.CABits)
	case isa.SpecialPrefetch:
		v = uint64(p.cfg.Prefetch)
	}
	p.exu.set(in.D, p.word.Trunc(v))
}

// finishMemory is the last memory clock of an instruction that has some.
func (p *PE) finishMemory(t uint64) {
	e := &p.exu
	in := &p.image.code[e.now]
	a, b := e.operands(in)
	defer p.setLoad() // nobody else reads it before the clock ends
	addr := (uint32(a) + uint32(in.Imm)) & addrMask
	switch in.Op {
	case isa.LD:
		if p.addressable(t, addr, "load from") {
			e.set(in.D, p.word.Trunc(p.mem.Read(addr)))
		}
	case isa.ST:
		if p.addressable(t, addr, "store to") {
			if int(addr) < len(p.image.code) && p.image.code[addr].ok {
				p.failAt(t, e.now, ProgramError, "store to %#x, which is code", addr)
				return
			}
			p.mem.Write(addr, b)
		}
	case isa.GETSEG:
		if !p.seg.intact(&p.mem) {
			p.failAt(t, e.now, ProgramError, "the list of released operand segments leads to %#x, which is none: the program stored to word 0 of a segment that it had released", p.seg.free)
			return
		}
		base, ok := p.seg.get(&p.mem, uint32(b)&addrMask)
		if !ok {
			p.failAt(t, e.now, SegmentOverflow, "no operand segment is free (%d in use); raise segments, or choose a policy that spreads the calls", p.seg.used)
			return
		}
		e.set(in.D, p.cfg.Format.Payload(packet.Cont{PE: p.at, Addr: base}))
	case isa.RELSEG:
		waiting, ok := p.seg.release(&p.mem, uint32(a)&addrMask)
		switch {
		case waiting > 0:
			p.failAt(t, e.now, ProgramError, "release of the operand segment at %#x, in which %s %s", uint32(a)&addrMask, plural.Of(waiting, "operand"), plural.Verb(waiting, "waits", "wait"))
		case !ok:
			p.failAt(t, e.now, ProgramError, "release of %#x, which is no operand segment in use", uint32(a)&addrMask)
		}
	case isa.GETSTR:
		p.getStructure(t, in, b)
	case isa.RELSTR:
		if !p.str.release(uint32(a) & addrMask) {
			p.failAt(t, e.now, ProgramError, "release of %#x, where no structure begins", uint32(a)&addrMask)
		}
	}
}

func (p *PE) getStructure(t uint64, in *op, words uint64) {
	if words == 0 {
		p.failAt(t, p.exu.now, ProgramError, "a structure of 0 words was asked for")
		return
	}
	if words <= uint64(p.str.left) {
		if start, ok := p.str.get(uint32(words)); ok {
			p.exu.set(in.D, p.cfg.Format.Payload(packet.Cont{PE: p.at, Addr: start}))
			return
		}
	}
	p.failAt(t, p.exu.now, StructureOverflow, "no run of %d words of structure memory is free (%d words are, in all); raise structure_words", words, p.str.left)
}

// addressable refuses addresses that belong to the IBU or lie outside.
func (p *PE) addressable(t uint64, addr uint32, what string) bool {
	if addr >= p.cfg.MIBBase {
		p.failAt(t, p.exu.now, ProgramError, "%s %#x: the memory from %#x on belongs to the input buffer or is not there", what, addr, p.cfg.MIBBase)
		return false
	}
	return true
}
