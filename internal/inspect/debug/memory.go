package debug

import (
	"fmt"

	"emsim/asm"
	"emsim/packet"
)

// examine is the command x: memory words.
func (d *Debugger) examine(x call) error {
	if len(x.words) == 0 {
		return errorf("x needs an address or a label, and optionally a number of words: x 0x30000 8")
	}
	addr, err := d.readAddress(x.words[0])
	if err != nil {
		return err
	}
	p := d.at(x.pe)
	d.printf("memory of %v: %s\n", p.Address(), p.Layout(addr))
	for a := uint64(addr); a < min(uint64(addr)+x.number, asm.MemoryWords); a++ {
		at := uint32(a)
		v := p.Memory().Read(at)
		text := d.value(v)
		if in := d.instr(at); in != "" {
			text = in
		}
		if base, used := p.SegmentOf(at); used && base == at {
			text = "operand segment of " + d.label(uint32(v))
		}
		if m := waiting(p, at); m != packet.One {
			text += fmt.Sprintf(", the %v operand waits", m)
		}
		name := ""
		if label, words, ok := d.s.Object.SymbolAt(at); ok {
			if name = label; words > 0 {
				name = fmt.Sprintf("%s+%d", label, words)
			}
		}
		d.printf("  %#07x %-16s %#12x  %s\n", at, name, v, text)
	}
	return nil
}

// list is the command list: the code around an address, or around the EXU's instruction.
func (d *Debugger) list(c call) error {
	x, f := d.at(c.pe).EXU(), d.at(c.pe).FMU()
	addr, around := x.PC, uint32(5)
	for _, word := range c.words {
		var err error
		if addr, err = d.readAddress(word); err != nil {
			return err
		}
		around = 0
	}
	if d.s.Object.SectionAt(addr) == nil {
		return errorf("%#x is not in the program", addr)
	}
	first := addr - min(addr, around)
	for a := first; uint64(a) < uint64(first)+c.number && d.s.Object.SectionAt(a) != nil; a++ {
		mark := "  "
		switch {
		case x.Busy && a == x.PC:
			mark = "=>"
		case f.Step != 0 && a == f.PC:
			mark = "f>"
		}
		d.printf("%s %#05x %s\n", mark, a, d.codeLine(c.pe, a))
	}
	return nil
}

// codeLine is a word of the program in one line.
func (d *Debugger) codeLine(pe int, addr uint32) string {
	text := d.instr(addr)
	if text == "" {
		text = fmt.Sprintf(".word %d", d.at(pe).Memory().Read(addr))
	}
	return fmt.Sprintf("%-14s %-28s %s", d.label(addr), text, d.source(addr))
}
