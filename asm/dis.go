package asm

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/lists"
	"emsim/isa"
)

// Disassemble returns source text that assembles to an equal object, except
// for Files and Lines. The object must be valid.
func Disassemble(o *Object) string {
	d := &disassembler{o: o, templates: o.templates(), names: map[uint32]string{}}
	d.collect()
	d.printHead()
	for i := range o.Sections {
		d.section(&o.Sections[i])
	}
	for len(d.marks) > 0 {
		d.skipTo(d.marks[0].addr)
		d.print(d.marks[0].addr)
	}
	if o.PerPE != nil {
		d.skipTo(*o.PerPE)
		fmt.Fprintf(&d.b, "\t%-30s ; %05x\n", ".perpe", d.at)
	}
	return d.b.String()
}

type disassembler struct {
	o         *Object
	templates []Symbol
	names     map[uint32]string // one name per address
	marks     []mark            // not yet printed
	at        uint32            // address up to which text has been written
	b         strings.Builder
}

// mark is a line printed before the word at an address.
type mark struct {
	addr uint32
	rank int // order at the same address: ends, then labels, then the template
	text string
}

// collect finds the marks, and a name for each named address.
func (d *disassembler) collect() {
	for _, s := range d.o.Addresses() {
		addr := uint32(s.Value)
		if _, named := d.names[addr]; !named || s.Kind == Template {
			d.names[addr] = s.Name
		}
		if s.Kind != Template {
			d.marks = append(d.marks, mark{addr, 1, s.Name + ":\n"})
			continue
		}
		reach := "" // written because the text of the instructions may not show it
		if s.Reach > 0 {
			reach = fmt.Sprintf(", %d", s.Reach)
		}
		d.marks = append(d.marks,
			mark{addr, 2, "\t.template " + s.Name + reach + "\n"},
			mark{addr + s.Size, 0, "\t.endtemplate\n"})
	}
	slices.SortStableFunc(d.marks, func(x, y mark) int {
		if x.addr != y.addr {
			return int(x.addr) - int(y.addr)
		}
		return x.rank - y.rank
	})
}

// printHead prints everything that has no address.
func (d *disassembler) printHead() {
	code, data, space := d.o.Words()
	fmt.Fprintf(&d.b, "; %d words of code, %d of data, %d of space\n", code, data, space)
	d.warnings()
	for i := range d.o.Params {
		p := &d.o.Params[i]
		if len(p.Values) == 0 {
			fmt.Fprintf(&d.b, "\t.param %s = %s, %s, %s\n", p.Name, number(p.Value), number(p.Min), number(p.Max))
			continue
		}
		values := slices.Clone(p.Values)
		if p.Value > 0 {
			values[p.Value] = "*" + values[p.Value]
		}
		fmt.Fprintf(&d.b, "\t.param %s, %s\n", p.Name, strings.Join(values, ", "))
	}
	for _, s := range d.o.Symbols {
		if s.Kind == Constant {
			fmt.Fprintf(&d.b, "%s = %s\n", s.Name, number(s.Value))
		}
	}
	for _, x := range d.o.Args {
		fmt.Fprintf(&d.b, "\t.arg %s, %s, %s, %s\n", x.Name, number(x.Min), number(x.Max), d.target(x.Entry))
	}
	if d.o.Init != nil {
		fmt.Fprintf(&d.b, "\t.init %s\n", d.target(*d.o.Init))
	}
	if d.o.Start != nil {
		fmt.Fprintf(&d.b, "\t.start %s\n", d.target(*d.o.Start))
	}
	if d.o.Result != "" {
		fmt.Fprintf(&d.b, "\t.result %s\n", d.o.Result)
	}
}

// warnings turns off the assembler's checks for an object that does not pass them, and writes the reasons.
func (d *disassembler) warnings() {
	const shown = 5
	n := 0
	found := func(addr uint32, format string, args ...any) {
		if n == 0 {
			d.b.WriteString("\t.nocheck\n")
		}
		if n++; n <= shown {
			fmt.Fprintf(&d.b, "; %05x: "+format+"\n", append([]any{addr}, args...)...)
		}
	}
	d.o.findings(found)
	for _, addr := range d.o.entries() {
		if _, ok := d.o.instructionAt(addr); !ok {
			found(addr, "an entry, but there is %s", d.o.content(addr))
		}
	}
	if n > shown {
		fmt.Fprintf(&d.b, "; and %d more\n", n-shown)
	}
}

// entries returns the addresses of the system blocks that the host or the loader starts.
func (o *Object) entries() []uint32 {
	list := lists.Of(o.Args, func(x Arg) uint32 { return x.Entry })
	for _, p := range []*uint32{o.Init, o.Start} {
		if p != nil {
			list = append(list, *p)
		}
	}
	return list
}

// print prints the marks at an address. It reports whether one of them begins a template: its directive then stands for
// the word at the address.
func (d *disassembler) print(addr uint32) (template bool) {
	for len(d.marks) > 0 && d.marks[0].addr == addr {
		d.b.WriteString(d.marks[0].text)
		if d.marks[0].rank == 2 {
			d.at++
			template = true
		}
		d.marks = d.marks[1:]
	}
	return template
}

// skipTo skips a gap between sections, and prints the marks in it.
func (d *disassembler) skipTo(addr uint32) {
	for d.at != addr {
		next := addr
		if len(d.marks) > 0 {
			next = min(next, d.marks[0].addr)
		}
		if d.at != next {
			fmt.Fprintf(&d.b, "\t.org %#x\n", next)
			d.at = next
		}
		if next != addr {
			d.print(next)
		}
	}
}

func (d *disassembler) section(s *Section) {
	d.skipTo(s.Start)
	for d.at < s.End() {
		if d.print(d.at) {
			continue // the directive made the word
		}
		stop := s.End()
		if len(d.marks) > 0 {
			stop = min(stop, d.marks[0].addr)
		}
		switch s.Kind {
		case Space:
			fmt.Fprintf(&d.b, "\t.space %d\n", stop-d.at)
			d.at = stop
		case Code:
			d.printCode(s.Words[d.at-s.Start])
		default:
			d.printData(s.Words[d.at-s.Start : min(stop, d.at+4)-s.Start])
		}
	}
}

func (d *disassembler) printData(words []uint64) {
	text := make([]string, len(words))
	for i, w := range words {
		text[i] = fmt.Sprintf("%#x", w)
		if w < 10 {
			text[i] = strconv.FormatUint(w, 10)
		}
	}
	fmt.Fprintf(&d.b, "\t%-30s ; %05x\n", ".word "+strings.Join(text, ", "), d.at)
	d.at += uint32(len(words))
}

func (d *disassembler) printCode(w uint64) {
	text := fmt.Sprintf(".code %#x", w)
	if in, err := isa.Decode(w); err == nil && !refused(in) {
		text = d.instruction(in)
	}
	fmt.Fprintf(&d.b, "\t%-30s ; %05x %010x\n", text, d.at, w)
	d.at++
}

// instruction returns the text of an instruction, according to the operands of its row.
func (d *disassembler) instruction(in isa.Inst) string {
	row := &isa.Table[in.Op]
	name := row.Name + isa.Suffixes[in.Form()]
	if in.End {
		name += "!"
	}
	list := lists.Of([]rune(row.Operands), func(l rune) string { return d.operand(l, in) })
	return strings.TrimSpace(name + " " + strings.Join(list, ", "))
}

func (d *disassembler) operand(letter rune, in isa.Inst) string {
	switch letter {
	case isa.LetterD:
		return registerName(in.D)
	case isa.LetterA:
		return registerName(in.A)
	case isa.LetterM:
		return isa.SpecialNames[in.Imm]
	case isa.LetterO:
		return isa.OrderNames[in.B]
	case isa.LetterN:
		return strconv.Itoa(int(in.Imm))
	case isa.LetterX:
		return d.target(uint32(in.Imm))
	case isa.LetterI:
		return d.constant(in)
	}
	switch {
	case !in.Lit:
		return registerName(in.B)
	case in.Op == isa.GETSEG && in.Imm >= 0:
		return d.target(uint32(in.Imm))
	}
	return strconv.Itoa(int(in.Imm))
}

// constant returns the text of a displacement. It is @label if it can only mean a node of the same template, within
// the template's reach.
func (d *disassembler) constant(in isa.Inst) string {
	if direct(in) && in.Imm >= 0 {
		return d.target(uint32(in.Imm))
	}
	if t := templateOf(d.templates, d.at); t != nil && in.A == isa.FP && in.Imm > 0 && uint32(in.Imm) < t.Size &&
		uint32(in.Imm) <= t.Reach {
		addr := uint32(t.Value) + uint32(in.Imm)
		if name := d.names[addr]; name != "" {
			if _, ok := d.o.instructionAt(addr); ok || isa.Table[in.Op].Forms == isa.NoField {
				return "@" + name
			}
		}
	}
	return strconv.Itoa(int(in.Imm))
}

// target returns the text of an address: a name if the address has one.
func (d *disassembler) target(addr uint32) string {
	if name := d.names[addr]; name != "" {
		return name
	}
	return fmt.Sprintf("%#x", addr)
}

// number returns a value as text. The smallest int64 is written in hexadecimal, because the assembler cannot read it
// in decimal.
func number(v int64) string {
	if v == math.MinInt64 {
		return fmt.Sprintf("%#x", uint64(v))
	}
	return strconv.FormatInt(v, 10)
}

// Instructions returns a function that returns the text of the instruction at an address as in Disassemble, or "" if
// there is none.
func (o *Object) Instructions() func(addr uint32) string {
	d := &disassembler{o: o, templates: o.templates(), names: map[uint32]string{}}
	d.collect()
	return func(addr uint32) string {
		in, ok := o.instructionAt(addr)
		if !ok {
			return ""
		}
		d.at = addr
		return d.instruction(in)
	}
}
