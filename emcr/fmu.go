package emcr

import (
	"emsim/internal/state"
	"emsim/packet"
	"emsim/trace"
)

// fmuState is what the FMU does next.
type fmuState uint8

const (
	fmuIdle  fmuState = iota // takes a packet and fetches the template's address
	fmuRead                  // reads the matching word
	fmuWrite                 // stores the operand there: it waits for its partner
	fmuErase                 // clears the word: both operands are here
	fmuReady                 // holds a node that can fire, for the EXU
)

// fmu is the fetch and matching unit: it finds the node that an operand is
// for by its address alone (direct matching [003 §2]).
//
//	one-operand packet   template                1 clock of the port
//	first of two         template, read, write   3
//	second of two        template, read, erase   3
//	direct mode          none of the port        1 clock
type fmu struct {
	state       fmuState
	pkt         packet.Packet // while matching
	pc          uint32        // code address of the node
	left, right uint64        // operands
	fp          uint64        // continuation of the segment's word 0

	// The matching word is looked at a clock before its time, only to bring it
	// into the host's cache; nobody reads this.
	ahead uint8
}

// fmuClock advances the FMU and reports whether it did anything.
func (p *PE) fmuClock(w *wires, t uint64) bool {
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
		f.pkt = *w.head
		f.left, f.right = f.pkt.Data, 0
		if f.pkt.Direct {
			f.pc = f.pkt.Addr
			f.fp = p.cfg.Format.Payload(packet.Cont{PE: p.at})
			f.state = fmuReady
			return true
		}
		p.template(t)
	case fmuRead:
		p.matchRead(t)
	case fmuWrite:
		p.mem.Write(f.pkt.Addr, f.pkt.Data)
		p.mem.SetTag(f.pkt.Addr, uint8(f.pkt.Match)) // Left, Right are tagLeft, tagRight
		p.waiters(f.pkt.Addr, 1)
		f.state = fmuIdle
	case fmuErase:
		p.mem.SetTag(f.pkt.Addr, tagEmpty)
		p.waiters(f.pkt.Addr, -1)
		f.state = fmuReady
	}
	return true
}

// template is the first clock of a packet for a function instance: word 0 of
// the operand segment names the template segment, and the operand's
// displacement in it is the node's instruction.
func (p *PE) template(t uint64) {
	f := &p.fmu
	base, ok := p.seg.of(f.pkt.Addr)
	if !ok || base == f.pkt.Addr {
		p.fail(t, ProgramError, "a packet came for address %#x, which is no node of an operand segment: %v", f.pkt.Addr, f.pkt)
		return
	}
	word, tag := p.mem.cell(base)
	switch tag & tagUse {
	case tagFree:
		p.fail(t, ProgramError, "a packet came for the operand segment at %#x, which is not in use: %v", base, f.pkt)
		return
	case tagFresh: // the first operand makes it a function instance
		p.mem.SetTag(base, tag&^tagUse|tagLive)
		p.Calls++
	}
	f.pc = uint32(word) + f.pkt.Addr - base
	f.fp = p.cfg.Format.Payload(packet.Cont{PE: p.at, Addr: base})
	f.state = fmuReady
	if f.pkt.Match != packet.One {
		f.state = fmuRead
		f.ahead += p.mem.Tag(f.pkt.Addr)
	}
}

// matchRead is the second clock of an operand of two: is its partner here?
func (p *PE) matchRead(t uint64) {
	f := &p.fmu
	operand, waiting := p.mem.cell(f.pkt.Addr)
	switch {
	case waiting == tagEmpty:
		f.state = fmuWrite
		return
	case waiting == uint8(f.pkt.Match):
		base, _ := p.seg.of(f.pkt.Addr)
		p.fail(t, ProgramError, "a second %v operand came for displacement %d of the operand segment at %#x, where one waits already: %v", f.pkt.Match, f.pkt.Addr-base, base, f.pkt)
		return
	}
	f.left, f.right = operand, f.pkt.Data
	if waiting == tagRight {
		f.left, f.right = f.right, f.left
	}
	f.state = fmuErase
}

// waiters keeps the number of waiting operands in word 0 of their segment.
func (p *PE) waiters(addr uint32, d int) {
	base, _ := p.seg.of(addr)
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
