package emcr

import (
	"emsim/internal/state"
	"emsim/packet"
	"emsim/trace"
)

// fmuState is what the FMU does next.
type fmuState uint8

const (
	fmuIdle     fmuState = iota // takes a packet: reads the matching word, or of a one-operand packet the template's address
	fmuWrite                    // stores the operand in the matching word: it waits for its partner
	fmuTemplate                 // reads the template's address: both operands are here
	fmuReady                    // holds a node that can fire, for the EXU
)

// fmu is the fetch and matching unit: it finds the node that an operand is
// for by its address alone (direct matching [003 §2]).
//
//	one-operand packet   template           1 clock of the port
//	first of two         read, write        2
//	second of two        read, template     2 (the read clears the presence tag)
//	direct mode          none of the port   1 clock
type fmu struct {
	state       fmuState
	pkt         packet.Packet // while matching
	pc          uint32        // code address of the node
	left, right uint64        // operands
	fp          uint64        // continuation of the segment's word 0
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
		if base, ok := p.operand(t); ok {
			if f.pkt.Match == packet.One {
				p.template(base)
				return true
			}
			p.match(t, base)
		}
	case fmuWrite:
		if _, ok := p.operand(t); !ok {
			return true // the EXU has released the segment meanwhile
		}
		p.mem.Write(f.pkt.Addr, f.pkt.Data)
		p.mem.SetTag(f.pkt.Addr, uint8(f.pkt.Match)) // Left, Right are tagLeft, tagRight
		p.waiters(f.pkt.Addr, 1)
		f.state = fmuIdle
	case fmuTemplate:
		base, _ := p.seg.of(f.pkt.Addr)
		p.waiters(f.pkt.Addr, -1)
		p.template(base)
	}
	return true
}

// operand returns the operand segment that the packet is for. A packet for a
// segment that is not in use is an error of the program. The model finds it in
// the clock in which the FMU takes the packet; that costs no access.
func (p *PE) operand(t uint64) (base uint32, ok bool) {
	f := &p.fmu
	base, ok = p.seg.of(f.pkt.Addr)
	if !ok || base == f.pkt.Addr {
		p.fail(t, ProgramError, "a packet came for address %#x, which is no node of an operand segment: %v", f.pkt.Addr, f.pkt)
		return 0, false
	}
	switch tag := p.mem.Tag(base); tag & tagUse {
	case tagFree:
		p.fail(t, ProgramError, "a packet came for the operand segment at %#x, which is not in use: %v", base, f.pkt)
		return 0, false
	case tagFresh: // the first operand makes it a function instance
		p.mem.SetTag(base, tag&^tagUse|tagLive)
		p.Calls++
	}
	return base, true
}

// template reads word 0 of the operand segment, which names the template
// segment: the operand's displacement in it is the node's instruction.
func (p *PE) template(base uint32) {
	f := &p.fmu
	word, _ := p.mem.cell(base)
	f.pc = uint32(word) + f.pkt.Addr - base
	f.fp = p.cfg.Format.Payload(packet.Cont{PE: p.at, Addr: base})
	f.state = fmuReady
}

// match reads the matching word: is the partner here? The same access clears
// the presence tag of one that is. Until the template's address is read the
// partner still counts as waiting, so that its segment cannot be released.
func (p *PE) match(t uint64, base uint32) {
	f := &p.fmu
	operand, waiting := p.mem.cell(f.pkt.Addr)
	switch {
	case waiting == tagEmpty:
		f.state = fmuWrite
		return
	case waiting == uint8(f.pkt.Match):
		p.fail(t, ProgramError, "a second %v operand came for displacement %d of the operand segment at %#x, where one waits already: %v", f.pkt.Match, f.pkt.Addr-base, base, f.pkt)
		return
	}
	f.left, f.right = operand, f.pkt.Data
	if waiting == tagRight {
		f.left, f.right = f.right, f.left
	}
	p.mem.SetTag(f.pkt.Addr, tagEmpty)
	f.state = fmuTemplate
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
