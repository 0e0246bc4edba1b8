package debug

import (
	"fmt"

	"emsim/emcr"
	"emsim/packet"
)

// begin records the first values of a watchpoint.
func (s *stop) begin(d *Debugger) {
	if s.value == nil {
		return
	}
	s.was = s.was[:0]
	s.each(d, func(pe int) { s.was = append(s.was, s.value(d.at(pe))) })
}

// each calls f with the PEs that the stop is for.
func (s *stop) each(d *Debugger, f func(pe int)) {
	if s.pe >= 0 {
		f(s.pe)
		return
	}
	for pe := range d.s.Config().PEs {
		f(pe)
	}
}

// look finds what changed in the last clock.
func (s *stop) look(d *Debugger) {
	if s.value == nil {
		return
	}
	i := 0
	s.each(d, func(pe int) {
		if v := s.value(d.at(pe)); v != s.was[i] {
			d.hit(s, pe, fmt.Sprintf("%v %s: %s → %s", d.address(pe), s.name(d), d.reading(s.was[i]), d.reading(v)))
		}
		i++
	})
}

// watchMemory watches a word with its tag: a matching word changes when an
// operand comes to wait there, and when it is matched.
func (d *Debugger) watchMemory(s *stop, words []string) error {
	if len(words) != 1 {
		return errorf("watch memory needs one address or label")
	}
	addr, err := d.readAddress(words[0])
	if err != nil {
		return err
	}
	if s.pe < 0 {
		s.pe = d.pe
		s.text += " " + d.address(d.pe).String()
	}
	s.value = func(p *emcr.PE) reading { return reading{word: p.Memory().Read(addr), waits: waiting(p, addr)} }
	s.name = func(d *Debugger) string { return fmt.Sprintf("memory %#x%s", addr, d.wordName(d.at(s.pe), addr)) }
	return nil
}

// wordName names a memory word in brackets, if it has a name: a label of the
// program, or the node whose operand it holds.
func (d *Debugger) wordName(p *emcr.PE, addr uint32) string {
	if base, used := p.SegmentOf(addr); used {
		return " (" + d.label(uint32(p.Memory().Read(base))+addr-base) + ")"
	}
	if _, _, ok := d.s.Object.SymbolAt(addr); ok {
		return " (" + d.label(addr) + ")"
	}
	return ""
}

// waiting returns which operand waits at an address of an operand segment;
// One means none.
func waiting(p *emcr.PE, addr uint32) packet.Match {
	if base, used := p.SegmentOf(addr); !used || base == addr {
		return packet.One
	}
	return packet.Match(p.Memory().Tag(addr))
}

// reading is a reading for people.
func (d *Debugger) reading(r reading) string {
	switch {
	case r.plain:
		return fmt.Sprint(r.word)
	case r.waits != packet.One:
		return fmt.Sprintf("%s, the %v operand waits", d.value(r.word), r.waits)
	}
	return d.value(r.word)
}

// watchRegister watches a register of an EXU.
func (d *Debugger) watchRegister(s *stop, words []string) error {
	if len(words) != 1 {
		return errorf("watch register needs one of r0 .. r15, fp")
	}
	r, err := register(words[0])
	if err != nil {
		return err
	}
	if s.pe < 0 {
		s.pe = d.pe
		s.text += " " + d.address(d.pe).String()
	}
	s.value = func(p *emcr.PE) reading { return reading{word: p.EXU().Regs[r]} }
	s.name = func(d *Debugger) string { return words[0] + " at " + d.label(d.at(s.pe).EXU().PC) }
	return nil
}
