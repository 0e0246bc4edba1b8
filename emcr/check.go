package emcr

import (
	"fmt"

	"emsim/isa"
	"emsim/packet"
)

// Check returns an error if the PE's state at the start of clock t breaks an invariant, so that no sequence of steps
// can lead to it. The network checks the pins.
func (p *PE) Check(t uint64) error {
	var err error
	p.ibu.Each(func(pk *packet.Packet) {
		if e := p.checkPacket(pk); e != nil {
			err = e
		}
	})
	for _, check := range []func() error{
		func() error { return err },
		func() error { return p.ibu.Check(p.pins, t) },
		p.checkFMU, func() error { return p.checkEXU(t) }, p.seg.check, p.str.check, p.checkTags,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// checkPacket returns an error if the packet cannot be in this PE.
func (p *PE) checkPacket(pk *packet.Packet) error {
	if pk.Dest != p.address || pk.ToHost || !pk.Kind.Valid() || pk.Match > packet.Right || pk.Addr > addrMask ||
		p.width.Trunc(pk.Data) != pk.Data {
		return fmt.Errorf("%v cannot be in this PE", pk)
	}
	if pes := uint32(p.cfg.K+1) << p.cfg.K; pk.Src >= pes && pk.Src != packet.Host {
		return fmt.Errorf("%v comes from PE number %d of %d", pk, pk.Src, pes)
	}
	return nil
}

func (p *PE) checkFMU() error {
	f := &p.fmu
	if f.pkt != (packet.Packet{}) {
		if err := p.checkPacket(&f.pkt); err != nil {
			return err
		}
	}
	switch {
	case f.state == FMUIdle || f.state == FMUReady:
		return nil
	case f.state > FMURead || f.state == FMURead && p.cfg.MatchClocks == MinMatchClocks:
		return fmt.Errorf("the FMU has no state %d", f.state)
	}
	base, ok := p.seg.baseOf(f.pkt.Addr)
	if !ok || base == f.pkt.Addr || f.pkt.Direct || f.pkt.Match == packet.One {
		return fmt.Errorf("the FMU cannot be matching %v", f.pkt)
	}
	if waiting := p.mem.Tag(f.pkt.Addr); waiting != tagEmpty && f.state != FMURead {
		return fmt.Errorf("the FMU matches %v, but the word's tag is %d", f.pkt, waiting)
	}
	return nil
}

func (p *PE) checkEXU(t uint64) error {
	e := &p.exu
	for r, v := range e.reg {
		if p.width.Trunc(v) != v || r == isa.R0 && v != 0 {
			return fmt.Errorf("register r%d holds %#x", r, v)
		}
	}
	own := p.pins.OutFull && p.pins.Out.Src != packet.Host // the host's packets are on the port of [0,0]
	buffered := p.cfg.OutPackets > 0
	if !buffered && own != (e.state == exuHold) || buffered && e.state == exuHold || p.pins.OutFull && !own &&
		p.index != 0 {
		return fmt.Errorf("the EXU cannot be in state %d while a packet is on the port: %v", e.state, p.pins.OutFull)
	}
	if p.pins.OutFull && p.pins.OutReady >= t+p.cfg.InjectClocks {
		return fmt.Errorf("the packet on the port is ready only in clock %d", p.pins.OutReady)
	}
	if e.state > exuHold {
		return fmt.Errorf("the EXU has no state %d", e.state)
	}
	if e.state != exuMemory && e.state != exuBusy {
		return nil
	}
	if int(e.current) >= len(p.image.code) || !p.image.code[e.current].ok {
		return fmt.Errorf("the EXU runs code address %#x, where there is no instruction", e.current)
	}
	want := p.image.code[e.current].extra
	if buffered && p.image.code[e.current].class == isa.ClassSend {
		want = 1
	}
	if e.state == exuMemory {
		want = p.accesses(&p.image.code[e.current])
	}
	if e.clocksLeft == 0 || e.clocksLeft > want {
		return fmt.Errorf("the EXU needs %d more of %d clocks at code address %#x", e.clocksLeft, want, e.current)
	}
	return nil
}

func (s *segments) check() error {
	if s.used < 0 || s.used > s.everUsed || s.everUsed > s.total || s.Peak < s.used || s.Peak > s.everUsed {
		return fmt.Errorf("of %d operand segments %d are in use, at most %d were at once, %d were ever used", s.total,
			s.used, s.Peak, s.everUsed)
	}
	return nil
}

// check returns an error unless the free and the allocated runs together cover the structure memory without gaps.
func (s *structure) check() error {
	if !s.touched {
		if len(s.freeRuns)+len(s.allocated) > 0 || s.freeWords != s.total {
			return fmt.Errorf("%d words of structure memory are free before any was used", s.freeWords)
		}
		return nil
	}
	at, left := s.base, uint32(0)
	free, taken := s.freeRuns, s.allocated
	for len(free)+len(taken) > 0 {
		var e extent
		if len(free) > 0 && free[0].start == at {
			e, free = free[0], free[1:]
			left += e.words
		} else if len(taken) > 0 && taken[0].start == at {
			e, taken = taken[0], taken[1:]
		}
		if e.words == 0 || e.words > s.base+s.total-at {
			return fmt.Errorf("the lists of structure memory have a gap at %#x", at)
		}
		at += e.words
	}
	if at != s.base+s.total || left != s.freeWords {
		return fmt.Errorf("structure memory ends at %#x with %d words free", at, left)
	}
	return nil
}

// checkTags tests the tag of every word: only operand segments have tags, and the tag of word 0 of a segment counts the
// operands that wait in it.
func (p *PE) checkTags() error {
	tagged, used := 0, 0
	p.mem.Touched(func(first uint32) {
		for _, tag := range p.mem.pageAt(first).tag {
			if tag != tagEmpty {
				tagged++
			}
		}
	})
	for i := range p.seg.everUsed {
		base := p.seg.base + uint32(i)*p.seg.size
		word, waiting := p.mem.Tag(base), 0
		if at, ok := p.seg.baseOf(p.fmu.pkt.Addr); ok && at == base && p.fmu.state == FMUTemplate {
			waiting++ // its tag is cleared, but it still counts
		}
		for d := uint32(1); d < p.seg.size; d++ {
			switch tag := p.mem.Tag(base + d); {
			case tag > tagRight:
				return fmt.Errorf("word %#x has tag %d", base+d, tag)
			case tag != tagEmpty:
				waiting++
				tagged--
			}
		}
		if word&tagUse == tagUse || waiting != int(word/tagWaiter) || waiting > 0 && word&tagUse != tagLive {
			return fmt.Errorf("the operand segment at %#x has tag %d, but %d operands wait in it", base, word, waiting)
		}
		if word != tagFree {
			tagged--
			used++
		}
	}
	if tagged != 0 || used != p.seg.used {
		return fmt.Errorf("%d operand segments are in use, %d have tags, and %d words outside of them have tags",
			p.seg.used, used, tagged)
	}
	return nil
}
