package emcr

import (
	"fmt"

	"emsim/isa"
	"emsim/packet"
)

// Check says what is wrong with the state of the PE at the start of clock t,
// if anything: what is true of every PE that got there by clocks. The pins are
// the network's to check.
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

// checkPacket refuses a packet that cannot be in the PE.
func (p *PE) checkPacket(pk *packet.Packet) error {
	if pk.Dest != p.at || pk.ToHost || !pk.Kind.Valid() || pk.Match > packet.Right || pk.Addr > addrMask || p.word.Trunc(pk.Data) != pk.Data {
		return fmt.Errorf("%v is none for this PE", pk)
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
	switch f.state {
	case fmuIdle, fmuReady:
		return nil
	case fmuWrite, fmuTemplate:
	default:
		return fmt.Errorf("the FMU is in no state %d", f.state)
	}
	base, ok := p.seg.of(f.pkt.Addr)
	if !ok || base == f.pkt.Addr || f.pkt.Direct || f.pkt.Match == packet.One {
		return fmt.Errorf("the FMU matches %v", f.pkt)
	}
	if waiting := p.mem.Tag(f.pkt.Addr); waiting != tagEmpty {
		return fmt.Errorf("the FMU matches %v with tag %d", f.pkt, waiting)
	}
	return nil
}

func (p *PE) checkEXU(t uint64) error {
	e := &p.exu
	for r, v := range e.reg {
		if p.word.Trunc(v) != v || r == isa.R0 && v != 0 {
			return fmt.Errorf("register r%d holds %#x", r, v)
		}
	}
	own := p.pins.OutFull && p.pins.Out.Src != packet.Host // otherwise the host's at [0,0]
	buffered := p.cfg.OutPackets > 0
	if !buffered && own != (e.state == exuOut) || buffered && e.state == exuOut || p.pins.OutFull && !own && p.index != 0 {
		return fmt.Errorf("the EXU is in state %d, on the port stands a packet: %v", e.state, p.pins.OutFull)
	}
	if p.pins.OutFull && p.pins.OutReady >= t+p.cfg.InjectClocks {
		return fmt.Errorf("the packet on the port is ready in clock %d", p.pins.OutReady)
	}
	if e.state > exuOut {
		return fmt.Errorf("the EXU is in no state %d", e.state)
	}
	if e.state != exuMemory && e.state != exuBusy {
		return nil
	}
	if int(e.now) >= len(p.image.code) || !p.image.code[e.now].ok {
		return fmt.Errorf("the EXU runs code address %#x, where no instruction is", e.now)
	}
	want := p.image.code[e.now].extra
	if buffered && p.image.code[e.now].class == isa.ClassSend {
		want = 1
	}
	if e.state == exuMemory {
		want = p.image.code[e.now].mem
	}
	if e.left == 0 || e.left > want {
		return fmt.Errorf("the EXU has %d clocks of %d to go at code address %#x", e.left, want, e.now)
	}
	return nil
}

func (s *segments) check() error {
	if s.used < 0 || s.used > s.fresh || s.fresh > s.total || s.Peak < s.used || s.Peak > s.fresh {
		return fmt.Errorf("of %d operand segments %d are in use, at most %d were, %d were ever", s.total, s.used, s.Peak, s.fresh)
	}
	return nil
}

// check walks the two lists in step: together they are the whole memory.
func (s *structure) check() error {
	if !s.touched {
		if len(s.free)+len(s.taken) > 0 || s.left != s.total {
			return fmt.Errorf("%d words of structure memory are free before it was used", s.left)
		}
		return nil
	}
	at, left := s.base, uint32(0)
	free, taken := s.free, s.taken
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
	if at != s.base+s.total || left != s.left {
		return fmt.Errorf("structure memory ends at %#x with %d words free", at, left)
	}
	return nil
}

// checkTags looks at every word: tags are in operand segments only, and word 0
// counts those behind it.
func (p *PE) checkTags() error {
	tagged, used := 0, 0
	p.mem.Touched(func(first uint32) {
		for _, tag := range p.mem.find(first).tag {
			if tag != tagEmpty {
				tagged++
			}
		}
	})
	for i := range p.seg.fresh {
		base := p.seg.base + uint32(i)*p.seg.size
		word, waiting := p.mem.Tag(base), 0
		if at, ok := p.seg.of(p.fmu.pkt.Addr); ok && at == base && p.fmu.state == fmuTemplate {
			waiting++ // its tag is cleared, it still counts
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
			return fmt.Errorf("the operand segment at %#x has tag %d and %d operands that wait", base, word, waiting)
		}
		if word != tagFree {
			tagged--
			used++
		}
	}
	if tagged != 0 || used != p.seg.used {
		return fmt.Errorf("%d operand segments are in use, %d have tags, and %d words outside have", p.seg.used, used, tagged)
	}
	return nil
}
