package asm

import (
	"fmt"
	"sort"

	"emsim/internal/base/lists"
	"emsim/isa"
	"emsim/packet"
)

// entryRef is a place in the source that names an address where a block must begin: a system
// block of .arg, .init or .start, or a node.
type entryRef struct {
	at   token
	stmt *stmt
	addr uint32
	node bool // named with @
}

// report reports a mistake at an instruction.
type report func(addr uint32, format string, args ...any)

// instructionAt decodes the code word at an address; ok is false if there is no instruction.
func (o *Object) instructionAt(addr uint32) (isa.Inst, bool) {
	s := o.SectionAt(addr)
	if s == nil || s.Kind != Code {
		return isa.Inst{}, false
	}
	in, err := isa.Decode(s.Words[addr-s.Start])
	return in, err == nil
}

// content returns a description of what is at an address, for messages.
func (o *Object) content(addr uint32) lazy { return func() string { return o.contentName(addr) } }

// contentName describes the content of an address without an instruction.
func (o *Object) contentName(addr uint32) string {
	s := o.SectionAt(addr)
	switch {
	case s == nil && o.PerPE != nil && addr == *o.PerPE:
		return "the table of one word per PE"
	case s == nil:
		return "nothing"
	case s.Kind == Data && beginsTemplate(o.templates(), addr):
		return "a template's word 0"
	case s.Kind == Data:
		return "data"
	case s.Kind == Space:
		return "reserved space"
	}
	return "a word that is not an instruction"
}

// findings reports instructions after which execution would leave the code or the template, and instructions that name
// an address where no instruction, or no template, begins.
func (o *Object) findings(found report) {
	templates := o.templates()
	for i := range o.Sections {
		s := &o.Sections[i]
		if s.Kind != Code {
			continue
		}
		for addr := s.Start; addr < s.End(); addr++ {
			if in, ok := o.instructionAt(addr); ok {
				o.findingsAt(addr, in, templates, found)
			}
		}
	}
}

func (o *Object) findingsAt(addr uint32, in isa.Inst, templates []Symbol, found report) {
	row := &isa.Table[in.Op]
	if !in.End && !alwaysTaken(in) {
		here, there := templateOf(templates, addr), templateOf(templates, addr+1)
		if _, ok := o.instructionAt(addr + 1); !ok {
			found(addr, "the block runs on into %s: an end mark (!) is missing", o.content(addr+1))
		} else if here != there {
			found(addr, "the block runs on beyond the end of %s: an end mark (!) is missing", templateName(here))
		}
	}
	for _, l := range row.Operands {
		target := uint32(in.Imm)
		switch {
		case l == isa.LetterX, l == isa.LetterI && direct(in):
			if _, ok := o.instructionAt(target); !ok && (l == isa.LetterX || target != packet.PrefetchAddr) {
				found(addr, "there is %s at the code address %d: an instruction was expected", o.content(target),
					in.Imm)
			}
		case l == isa.LetterS && in.Lit && in.Op == isa.GETSEG:
			if in.Imm < 0 || !beginsTemplate(templates, target) {
				found(addr, "no template begins at %d: expected the name of a template", in.Imm)
			}
		}
	}
}

func templateName(t *Symbol) string {
	if t == nil {
		return "the code outside templates"
	}
	return fmt.Sprintf("the template %q", t.Name)
}

// alwaysTaken reports whether an instruction is a branch that never falls
// through: a register always equals itself.
func alwaysTaken(in isa.Inst) bool {
	row := &isa.Table[in.Op]
	return row.Class == isa.ClassBranch && in.A == in.B && row.Eval(32, 0, 0) == 1
}

// templates returns the templates in ascending order.
func (o *Object) templates() []Symbol {
	return lists.Where(o.Addresses(), func(s Symbol) bool { return s.Kind == Template })
}

// beginsTemplate reports whether one of the ascending templates begins at an
// address.
func beginsTemplate(templates []Symbol, addr uint32) bool {
	t := templateOf(templates, addr)
	return t != nil && t.Value == int64(addr)
}

// templateOf returns the template, in an ascending list, that holds an
// address, or nil.
func templateOf(templates []Symbol, addr uint32) *Symbol {
	n := sort.Search(len(templates), func(i int) bool { return templates[i].Value > int64(addr) })
	if n == 0 || int64(addr) >= templates[n-1].Value+int64(templates[n-1].Size) {
		return nil
	}
	return &templates[n-1]
}

// check reports mistakes in the finished words, except in words that already
// have an error.
func (a *assembler) check(o *Object) {
	if a.unchecked || a.stop {
		return
	}
	o.findings(func(addr uint32, format string, args ...any) {
		if !a.badWords[addr] {
			a.cur = a.stmtAt(addr)
			a.errorf(a.cur.head, format, args...)
		}
	})
	for _, e := range a.entries {
		_, ok := o.instructionAt(e.addr)
		switch a.cur = e.stmt; {
		case ok:
		case e.node:
			a.errorf(e.at,
				"there is %s at this node: an instruction was expected, which fires when the operand arrives",
				o.content(e.addr))
		default:
			a.errorf(e.at, "there is %s at the code address %d: an instruction was expected", o.content(e.addr), e.addr)
		}
	}
}

// stmtAt returns the statement that produced the word at an address.
func (a *assembler) stmtAt(addr uint32) *stmt {
	return a.stmts[sort.Search(len(a.stmts), func(i int) bool { return a.stmts[i].addr+a.stmts[i].size > addr })]
}
