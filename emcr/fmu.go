package emcr

import (
	"emsim/internal/base/state"
	"emsim/packet"
	"emsim/trace"
)

// FMUStep is a state of the FMU's state machine: what the FMU does next.
type FMUStep uint8

// The steps.
const (
	FMUIdle     FMUStep = iota // takes a packet; reads its matching word, or the template's address for one operand
	FMUWrite                   // stores the operand in the matching word, to wait for its partner
	FMUTemplate                // reads the template's address: both operands are here
	FMUReady                   // offers the fired node to the EXU
	FMURead                    // reads the matching word, after an access to word 0 of the segment
)

// The bounds of match_clocks and getseg_clocks [chosen].
const (
	MinMatchClocks  = 2
	MaxMatchClocks  = 3
	MinGetsegClocks = 2 // as in the table of instructions
	MaxGetsegClocks = 4
)

// fmu is the fetch and matching unit. "This matching uses a fast method called
// direct matching, which needs no associative memory" [003 §2]: the packet's
// address is the address of the word in which its partner waits.
//
//	one-operand packet   template           1 clock with the memory port
//	first of two         read, write        2 clocks with the memory port
//	second of two        read, template     2 clocks with the memory port; the read clears the presence tag
//	direct mode          -                  1 clock without it
//
// With MatchClocks 3, a two-operand packet first needs an access to word 0 of its operand segment.
type fmu struct {
	state       FMUStep
	pc          uint32        // code address of the node
	pkt         packet.Packet // packet that is being matched
	left, right uint64        // operands
	fp          uint64        // continuation of word 0 of the operand segment
}

// stepFMU simulates one clock of the FMU. It reports whether the FMU did anything.
func (p *PE) stepFMU(w *wires, t uint64) bool {
	f := &p.fmu
	if w.fmu == trace.Fire {
		f.state = FMUIdle
	}
	if w.fmu != trace.Match {
		return false
	}
	p.matchClock(w.headQ, t)
	return true
}

// matchClock simulates a clock in which the FMU works on its packet. An idle FMU takes the packet headQ.
func (p *PE) matchClock(headQ *packet.Packet, t uint64) {
	f := &p.fmu
	switch f.state {
	case FMUIdle:
		p.Consumed++
		f.pkt = *headQ
		f.left, f.right = f.pkt.Data, 0
		if f.pkt.Direct {
			f.pc = f.pkt.Addr
			f.fp = p.cfg.Format.Payload(packet.Cont{PE: p.address})
			f.state = FMUReady
			return
		}
		switch base, zero, _ := p.operand(t); {
		case zero == nil:
		case f.pkt.Match == packet.One:
			p.template(base, *zero)
		case p.cfg.MatchClocks > MinMatchClocks:
			f.state = FMURead
		default:
			p.match(t, base)
		}
	case FMURead:
		if base, zero, _ := p.operand(t); zero != nil { // the EXU may have released the segment meanwhile
			p.match(t, base)
		}
	case FMUWrite:
		base, _, tag := p.operand(t)
		if tag == nil {
			return // the EXU has released the segment meanwhile
		}
		p.mem.WriteTagged(f.pkt.Addr, f.pkt.Data, uint8(f.pkt.Match)) // Left and Right equal tagLeft and tagRight
		p.mem.setTag(base, tag, *tag+tagWaiter)
		f.state = FMUIdle
	case FMUTemplate:
		base, _ := p.seg.baseOf(f.pkt.Addr)
		zero, tag := p.mem.cell(base)
		p.mem.setTag(base, tag, *tag-tagWaiter)
		p.template(base, *zero)
	}
}

// operand returns the base of the operand segment that the packet is for, and pointers to the segment's word 0 and that
// word's tag. A packet for a segment that is not in use is a program error. The model detects it without a memory
// access, and operand returns nil pointers.
func (p *PE) operand(t uint64) (base uint32, zero *uint64, tag *uint8) {
	f := &p.fmu
	base, ok := p.seg.baseOf(f.pkt.Addr)
	if !ok || base == f.pkt.Addr {
		p.refuse(t, "a packet came for address %#x, which is not a node of an operand segment: %v", f.pkt.Addr, f.pkt)
		return 0, nil, nil
	}
	switch zero, tag = p.mem.cell(base); *tag & tagUse {
	case tagFree:
		p.refuse(t, "a packet came for the operand segment at %#x, which is not in use: %v", base, f.pkt)
		return 0, nil, nil
	case tagFresh: // the first operand makes the segment a function instance
		p.mem.setTag(base, tag, *tag&^tagUse|tagLive)
		p.Calls++
		if f.pkt.Src != p.index && f.pkt.Src != packet.Host {
			p.RemoteCalls++
		}
	}
	return base, zero, tag
}

// template takes the node's address in the template segment from zero, which is word 0 of the operand segment. A packet
// has the same displacement in the operand segment as its node has in the template.
func (p *PE) template(base uint32, zero uint64) {
	f := &p.fmu
	f.pc = (uint32(zero) + f.pkt.Addr - base) & addrMask
	f.fp = p.cfg.Format.Payload(packet.Cont{PE: p.address, Addr: base})
	f.state = FMUReady
}

// match reads the matching word and checks whether the partner is waiting there. The same access clears the partner's
// presence tag. The partner still counts as waiting until the template's address is read, so that the segment cannot be
// released earlier.
func (p *PE) match(t uint64, base uint32) {
	f := &p.fmu
	operand, waiting := p.mem.cell(f.pkt.Addr)
	switch *waiting {
	case tagEmpty:
		f.state = FMUWrite
		return
	case uint8(f.pkt.Match):
		p.refuse(t, "a second %v operand came for displacement %d of the operand segment at %#x, where one "+
			"waits already: %v", f.pkt.Match, f.pkt.Addr-base, base, f.pkt)
		return
	}
	f.left, f.right = *operand, f.pkt.Data
	if *waiting == tagRight {
		f.left, f.right = f.right, f.left
	}
	p.mem.setTag(f.pkt.Addr, waiting, tagEmpty)
	f.state = FMUTemplate
}

func (f *fmu) stateWalk(c *state.Codec) {
	state.Num(c, &f.state)
	f.pkt.State(c)
	state.Num(c, &f.pc)
	state.Num(c, &f.left)
	state.Num(c, &f.right)
	state.Num(c, &f.fp)
}
