package emcr

import (
	"fmt"

	"emsim/internal/base/plural"
	"emsim/isa"
	"emsim/mlpe"
	"emsim/packet"
)

// continuation returns the result of cont. It is ra plus a displacement, with the matching condition that the suffix
// gives; for a system block, it names the block in ra's PE.
func (p *PE) continuation(in *op, a uint64) packet.Cont {
	c := p.cfg.Format.Cont(a)
	c.Addr = (c.Addr + uint32(in.Imm)) & addrMask
	if in.form == isa.FormDirect {
		c.Addr = uint32(in.Imm) & addrMask
	}
	if in.form != isa.FormCont {
		c.Match = packet.Match(in.form - isa.FormOne)
	}
	return c
}

// send makes a packet and outputs it. All packets leave their PE this way, including the results of instances. If there
// is no output packet buffer, the packet's address word is on the port at the end of clock t, and its data word one
// clock later.
func (p *PE) send(t uint64, in *op, a, data uint64) {
	pk := packet.Packet{Data: data, Src: p.index, From: p.exu.current}
	switch in.Op {
	case isa.OUT:
		pk.ToHost = true // it is routed to the host's port at [0,0]
	case isa.MLPE:
		pk.Kind, pk.Dest, pk.Direct, pk.Addr = p.cfg.MLPEKind, p.address, true, uint32(in.Imm)
		pk.Data = mlpe.Payload(p.cfg.Format, p.pins.LoadQ, p.address)
		p.MLPESent++
	default:
		c := p.continuation(in, a)
		pk.Dest, pk.Addr, pk.Match = c.PE, c.Addr, c.Match
		if pk.Match == packet.Block {
			pk.Direct, pk.Match = true, packet.One
			if in.form == isa.FormDirect && p.exu.bySearch {
				pk.Kind = packet.Answer
			}
		}
		if int(pk.Dest.GA) >= 1<<p.cfg.K || int(pk.Dest.CA) > p.cfg.K {
			p.failAt(t, p.exu.current, ProgramError,
				"send to %v: register r%d holds %#x, which is not a continuation of this machine", pk.Dest, in.A, a)
			return
		}
	}
	if !p.outFreeQ(t) {
		panic(fmt.Sprintf("emcr: clock %d, PE %v: a second packet for the port, which holds %v", t, p.address,
			p.pins.Out))
	}
	p.seq++
	pk.Seq = p.seq
	p.Sent++
	if pk.Kind.Search() || !pk.ToHost && pk.Dest != p.address {
		p.SentAway++
	}
	p.putOut(pk, t)
}

// special reads or writes a special register.
func (p *PE) special(t uint64, in *op, a uint64) {
	if in.Op == isa.WRS {
		if isa.Special(in.Imm) != isa.SpecialMLPE {
			p.failAt(t, p.exu.current, ProgramError, "special register %s cannot be written, only mlpe can",
				isa.SpecialNames[in.Imm])
			return
		}
		p.prefetch.push(a, p.cfg.PrefetchRegisters)
		return
	}
	var v uint64
	switch isa.Special(in.Imm) {
	case isa.SpecialPE:
		v = p.cfg.Format.Payload(packet.Cont{PE: p.address})
	case isa.SpecialGA:
		v = uint64(p.address.GA)
	case isa.SpecialCA:
		v = uint64(p.address.CA)
	case isa.SpecialK:
		v = uint64(p.cfg.K)
	case isa.SpecialClock:
		v = t
	case isa.SpecialLoad:
		v = uint64(p.pins.LoadQ)
	case isa.SpecialMLPE:
		v = p.prefetch.pop()
		if v != 0 {
			p.MLPECalls++
		}
	case isa.SpecialSegs:
		v = uint64(p.seg.total - p.seg.used)
	case isa.SpecialStrs:
		v = uint64(p.str.freeWords)
	case isa.SpecialSeed:
		v = p.cfg.Seed
	case isa.SpecialGAPos:
		v = uint64(p.cfg.Format.AddrBits + p.cfg.Format.CABits)
	case isa.SpecialPrefetch:
		v = uint64(p.cfg.PrefetchRegisters)
	}
	p.exu.setRegister(in.D, p.width.Trunc(v))
}

// finishMemory does the last clock of an instruction that uses the memory after its fetch.
func (p *PE) finishMemory(t uint64) {
	e := &p.exu
	in := &p.image.code[e.current]
	a, b := e.operands(in)
	defer p.setLoad() // the switch has already read LoadQ in this clock
	addr := (uint32(a) + uint32(in.Imm)) & addrMask
	switch in.Op {
	case isa.LD:
		if p.addressable(t, addr, "load from") {
			e.setRegister(in.D, p.width.Trunc(p.Word(addr)))
		}
	case isa.ST:
		if p.addressable(t, addr, "store to") {
			if int(addr) < len(p.image.code) && p.image.code[addr].ok {
				p.failAt(t, e.current, ProgramError, "store to %#x, which is code", addr)
				return
			}
			p.mem.Write(addr, b)
		}
	case isa.GETSEG:
		if !p.seg.freeListIntact(&p.mem) {
			p.failAt(t, e.current, ProgramError,
				"the list of released operand segments leads to %#x, which is not a released segment: the program "+
					"stored to word 0 of a segment after releasing it", p.seg.freeList)
			return
		}
		base, ok := p.seg.allocate(&p.mem, uint32(b)&addrMask)
		if !ok {
			p.failAt(t, e.current, SegmentOverflow,
				"no operand segment is free (%d in use); raise segments, or choose a policy that spreads the calls",
				p.seg.used)
			p.fault.noteHolders(p)
			return
		}
		e.setRegister(in.D, p.cfg.Format.Payload(packet.Cont{PE: p.address, Addr: base}))
	case isa.RELSEG:
		waiting, ok := p.seg.release(&p.mem, uint32(a)&addrMask)
		switch {
		case waiting > 0:
			p.failAt(t, e.current, ProgramError, "release of the operand segment at %#x, in which %s %s",
				uint32(a)&addrMask, plural.Of(waiting, "operand"), plural.Verb(waiting, "waits", "wait"))
			p.fault.noteWaiting(p, uint32(a)&addrMask)
		case !ok:
			p.failAt(t, e.current, ProgramError, "release of %#x, which is not an operand segment in use",
				uint32(a)&addrMask)
		}
	case isa.GETSTR:
		p.getStructure(t, in, b)
	case isa.RELSTR:
		if !p.str.release(uint32(a) & addrMask) {
			p.failAt(t, e.current, ProgramError, "release of %#x, where no structure begins", uint32(a)&addrMask)
		}
	}
}

func (p *PE) getStructure(t uint64, in *op, words uint64) {
	if words == 0 {
		p.failAt(t, p.exu.current, ProgramError, "a structure of 0 words was asked for")
		return
	}
	if words <= uint64(p.str.freeWords) {
		if start, ok := p.str.allocate(uint32(words)); ok {
			p.exu.setRegister(in.D, p.cfg.Format.Payload(packet.Cont{PE: p.address, Addr: start}))
			return
		}
	}
	p.failAt(t, p.exu.current, StructureOverflow,
		"no %d consecutive words of structure memory are free (%d words are free in all); raise structure_words", words,
		p.str.freeWords)
}

// addressable reports whether a program may access an address. If the address belongs to the IBU or lies outside the
// memory, it records a fault whose message begins with `what`.
func (p *PE) addressable(t uint64, addr uint32, what string) bool {
	if addr >= p.cfg.MIBBase {
		p.failAt(t, p.exu.current, ProgramError,
			"%s %#x: addresses from %#x on belong to the input buffer or do not exist", what, addr, p.cfg.MIBBase)
		return false
	}
	return true
}
