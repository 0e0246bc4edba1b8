package emcr

import (
	"emsim/internal/state"
	"emsim/packet"
	"emsim/trace"
)

// fmuState is the FMU's state machine: what it does next.
type fmuState uint8

const (
	fmuIdle  fmuState = iota // takes a packet and fetches the template's address
	fmuRead                  // reads the matching word
	fmuWrite                 // stores the operand there, to wait for its partner
	fmuErase                 // marks the word empty: both operands are here
	fmuReady                 // offers the fired node to the EXU
)

// fmu is the fetch and matching unit. "This matching uses a fast method called
// direct matching, which needs no associative memory" [003 §2]: the packet's
// address is that of the word in which its partner waits.
//
//	one-operand packet   template                1 clock with the memory port
//	first of two         template, read, write   3 clocks with the memory port
//	second of two        template, read, erase   3 clocks with the memory port
//	direct mode          -                       1 clock without it
type fmu struct {
	state       fmuState
	pkt         packet.Packet // being matched
	pc          uint32        // code address of its node
	left, right uint64        // operands
	fp          uint64        // continuation of word 0 of the operand segment
}

// stepFMU is one clock of the FMU. It reports whether the FMU did anything.
func (p *PE) stepFMU(w *wires, t uint64) bool {
	f := &p.fmu
	if w.fmu == trace.Fire {
		f.state = fmuIdle
	}
	if w.fmu != trace.Match {
		return false
	}
	switch f.state {
	case fmuIdle:
		p.Consumed++
		f.pkt = *w.headQ
		f.left, f.right = f.pkt.Data, 0
		if f.pkt.Direct {
			f.pc = f.pkt.Addr
			f.fp = p.cfg.Format.Payload(packet.Cont{PE: p.address})
			f.state = fmuReady
			return true
		}
		p.template(t)
	case fmuRead:
		p.matchRead(t)
	case fmuWrite:
		p.mem.Write(f.pkt.Addr, f.pkt.Data)
		p.mem.SetTag(f.pkt.Addr, uint8(f.pkt.Match)) // Left and Right equal tagLeft and tagRight
		p.countWaiting(f.pkt.Addr, 1)
		f.state = fmuIdle
	case fmuErase:
		p.mem.SetTag(f.pkt.Addr, tagEmpty)
		p.countWaiting(f.pkt.Addr, -1)
		f.state = fmuReady
	}
	return true
}

// template is the first clock of a packet for a function instance: word 0 of
// the operand segment names the template segment, and the packet's displacement
// in the operand segment is that of the node in the template.
func (p *PE) template(t uint64) {
	f := &p.fmu
	base, ok := p.seg.baseOf(f.pkt.Addr)
	if !ok || base == f.pkt.Addr {
		p.fail(t, ProgramError, "a packet came for address %#x, which is not a node of an operand segment: %v", f.pkt.Addr, f.pkt)
		return
	}
	word, tag := p.mem.cell(base)
	switch tag & tagUse {
	case tagFree:
		p.fail(t, ProgramError, "a packet came for the operand segment at %#x, which is not in use: %v", base, f.pkt)
		return
	case tagFresh: // with its first operand it is a function instance
		p.mem.SetTag(base, tag&^tagUse|tagLive)
		p.Calls++
	}
	f.pc = uint32(word) + f.pkt.Addr - base
	f.fp = p.cfg.Format.Payload(packet.Cont{PE: p.address, Addr: base})
	f.state = fmuReady
	if f.pkt.Match != packet.One {
		f.state = fmuRead
		p.mem.warmHostCache(f.pkt.Addr)
	}
}

// matchRead is the second clock of one of two operands: does its partner wait?
func (p *PE) matchRead(t uint64) {
	f := &p.fmu
	operand, waiting := p.mem.cell(f.pkt.Addr)
	switch {
	case waiting == tagEmpty:
		f.state = fmuWrite
		return
	case waiting == uint8(f.pkt.Match):
		base, _ := p.seg.baseOf(f.pkt.Addr)
		p.fail(t, ProgramError, "a second %v operand came for displacement %d of the operand segment at %#x, where one waits already: %v", f.pkt.Match, f.pkt.Addr-base, base, f.pkt)
		return
	}
	f.left, f.right = operand, f.pkt.Data
	if waiting == tagRight {
		f.left, f.right = f.right, f.left
	}
	f.state = fmuErase
}

// countWaiting adds d to the number of waiting operands, which word 0 of their
// segment holds.
func (p *PE) countWaiting(addr uint32, d int) {
	base, _ := p.seg.baseOf(addr)
	p.mem.SetTag(base, uint8(int(p.mem.Tag(base))+d*int(tagWaiter)))
}

func (f *fmu) stateWalk(c *state.Codec) {
	state.Num(c, &f.state)
	f.pkt.State(c)
	state.Num(c, &f.pc)
	state.Num(c, &f.left)
	state.Num(c, &f.right)
	state.Num(c, &f.fp)
}
