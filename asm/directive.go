package asm

import (
	"maps"
	"math"
	"slices"
	"strings"

	"emsim/isa"
)

// directives holds the handler of each directive; a handler reads the rest of its line.
var directives = map[string]func(p *parser){
	".template":    (*parser).template,
	".endtemplate": (*parser).endTemplate,
	".word":        func(p *parser) { p.values(Data) },
	".float":       (*parser).floats,
	".code":        func(p *parser) { p.values(Code) },
	".space":       (*parser).space,
	".perpe":       (*parser).perPE,
	".align":       (*parser).align,
	".org":         (*parser).org,
	".equ":         (*parser).equ,
	".include":     (*parser).include,
	".macro":       (*parser).defineMacro,
	".endm":        func(p *parser) { p.fail(p.stmt.head, ".endm without .macro") },
	".if":          func(p *parser) { p.ifDirective() },
	".elif":        func(p *parser) { p.ifDirective() },
	".else":        func(p *parser) { p.ifDirective() },
	".endif":       func(p *parser) { p.ifDirective() },
	".error":       (*parser).errorDirective,
	".assert":      (*parser).assert,
	".param":       (*parser).param,
	".arg":         (*parser).arg,
	".init":        func(p *parser) { p.entry(&p.a.init) },
	".start":       func(p *parser) { p.entry(&p.a.start) },
	".result":      (*parser).result,
	".line":        (*parser).lineDirective,
	".nocheck":     func(p *parser) { p.a.unchecked = p.expectEnd() },
}

// directiveNames are the names of the directives in alphabetical order.
var directiveNames = slices.Sorted(maps.Keys(directives))

// Directives returns the directives, such as ".word", in alphabetical order.
func Directives() []string { return slices.Clone(directiveNames) }

// first checks that a directive begins its line, because only such directives are found in lines that are skipped or
// collected.
func (p *parser) first() bool {
	if p.i > 1 {
		p.fail(p.stmt.head, "%s must come first in its line", p.stmt.head.text)
	}
	return p.i == 1
}

func (p *parser) ifDirective() {
	if p.first() {
		p.conditional(p.stmt.head)
	}
}

// takeName takes a name, or reports that one was expected.
func (p *parser) takeName(what string) (token, bool) { return p.takeWord(what, true) }

// takeWord works like takeName; if dots is false, the name may not contain dots.
func (p *parser) takeWord(what string, dots bool) (token, bool) {
	t := p.peek()
	if t.kind != tokWord || !dots && strings.Contains(t.text, ".") {
		p.fail(t, "expected %s, found %s", what, t.describe())
		return t, false
	}
	p.next()
	return t, true
}

func (p *parser) template() {
	a := p.a
	name, ok := p.takeName("the template's name")
	if !ok {
		return
	}
	reach := uint32(0)
	if p.accept(",") {
		reach, _ = p.count(0, MemoryWords-1)
	}
	p.expectEnd()
	if a.tmpl != nil {
		p.fail(name, "the template %q of %s is still open: expected .endtemplate first", a.tmpl.name,
			lazy(a.tmpl.at.position))
		return
	}
	t := &template{name: name.text, at: name, base: a.addr, reach: reach}
	a.tmpl = t
	a.outer = name.text
	a.templates = append(a.templates, t)
	a.define(&symbol{name: name.text, kind: Template, at: name, value: int64(a.addr), tmpl: t})
	a.reserve(p.stmt, Data, 1)
}

func (p *parser) endTemplate() {
	if p.a.tmpl == nil {
		p.fail(p.stmt.head, ".endtemplate without .template")
		return
	}
	p.a.tmpl.end = p.a.addr
	p.a.tmpl = nil
	p.expectEnd()
}

// values handles .word and .code: expressions and, in .word, strings, one
// word per character.
func (p *parser) values(kind SectionKind) {
	a := p.a
	var list []*expr
	ops := p.split()
	if len(ops) == 0 {
		p.fail(p.peek(), "%s needs at least one value", p.stmt.head.text)
	}
	for _, q := range ops {
		if t := q.peek(); t.kind == tokString && kind == Data {
			q.next()
			for _, r := range t.stringValue() {
				list = append(list, &expr{
					kind: exprNum,
					tok:  token{val: int64(r), line: t.line, col: t.col, end: t.end},
				})
			}
		} else {
			list = append(list, q.expression(1))
		}
		q.expectEnd()
	}
	a.reserve(p.stmt, kind, uint32(len(list)))
	p.stmt.emit = func(s *stmt) {
		s.words = make([]uint64, s.size)
		for i := range s.words {
			v, _ := a.eval(list[i], s.scope())
			if kind == Code && uint64(v)>>isa.WordBits != 0 {
				a.errorf(list[i].tok, "%d is out of range: a code word has %d bits", v, isa.WordBits)
			}
			s.words[i] = uint64(v)
		}
	}
}

func (p *parser) floats() {
	var list []uint64
	for first := true; first || p.accept(","); first = false {
		list = append(list, p.float())
	}
	if !p.expectEnd() {
		list = append(list, 0)
	}
	p.a.reserve(p.stmt, Data, uint32(len(list)))
	p.stmt.emit = func(s *stmt) { s.words = list }
}

// float takes a number, inf or nan, with or without a sign, and returns its bits.
func (p *parser) float() uint64 {
	sign := float64(1)
	if p.accept("-") {
		sign = -1
	} else {
		p.accept("+")
	}
	t := p.peek()
	f := float64(0)
	switch {
	case t.kind == tokFloat:
		f = t.float()
	case t.kind == tokNumber:
		f = float64(t.val)
	case t.kind == tokWord && strings.EqualFold(t.text, "inf"):
		f = math.Inf(1)
	case t.kind == tokWord && strings.EqualFold(t.text, "nan"):
		p.next()
		return 0x7fc00000
	default:
		p.fail(t, "expected a number such as 1.5 or -2e3, inf or nan, found %s", t.describe())
		return 0
	}
	p.next()
	return uint64(math.Float32bits(float32(f * sign)))
}

// count takes the last operand: a number in lo..hi, which must be known in pass 1.
func (p *parser) count(lo, hi int64) (uint32, bool) {
	at := p.peek()
	v, ok := p.valueNow(p.stmt.head.text)
	if !ok || !p.expectEnd() {
		return 0, false
	}
	if v < lo || v > hi {
		p.fail(at, "%d is out of range: %s takes %d..%d", v, p.stmt.head.text, lo, hi)
		return 0, false
	}
	return uint32(v), true
}

func (p *parser) space() {
	if n, ok := p.count(0, MemoryWords); ok {
		p.a.reserve(p.stmt, Space, n)
	}
}

// perPE handles .perpe: the table with one word per PE, which the loader makes.
func (p *parser) perPE() {
	a, head := p.a, p.stmt.head
	switch {
	case !p.expectEnd():
	case a.perPE != nil:
		p.fail(head, "a second .perpe: the first one is at %s", lazy(a.perPE.head.position))
	case a.tmpl != nil:
		p.fail(head, ".perpe inside the template %q: expected it after everything else in the program", a.tmpl.name)
	case a.addr == MemoryWords:
		p.fail(head, "the program is too large: .perpe at address %d lies beyond the %d words of a PE's memory", a.addr,
			MemoryWords)
	default:
		a.perPE = p.stmt
		p.stmt.line.stmt = p.stmt
	}
}

// behindPerPE reports the first thing after .perpe that has an address.
func (a *assembler) behindPerPE(at token) {
	if a.perPE != nil && !a.followed {
		a.followed = true
		a.errorf(at, "expected nothing with an address after the .perpe at %s: only the loader knows how many "+
			"words that takes", lazy(a.perPE.head.position))
	}
}

func (p *parser) align() {
	if n, ok := p.count(1, MemoryWords); ok {
		p.a.reserve(p.stmt, Space, (n-p.a.addr%n)%n)
	}
}

func (p *parser) org() {
	if n, ok := p.count(int64(p.a.addr), MemoryWords); ok {
		p.a.behindPerPE(p.stmt.head)
		p.a.addr = n
	}
}

func (p *parser) equ() {
	if name, ok := p.takeName("the constant's name"); ok && p.expect(",") {
		p.constant(name)
	}
}

// takeString takes a string, or reports that one was expected.
func (p *parser) takeString(s *string) bool {
	t := p.peek()
	if t.kind != tokString {
		p.fail(t, "expected text in double quotes, found %s", t.describe())
		return false
	}
	*s = t.stringValue()
	p.next()
	return true
}

// takeText takes a string at the end of its line.
func (p *parser) takeText() (s string, ok bool) {
	ok = p.takeString(&s) && p.expectEnd()
	return s, ok
}

func (p *parser) errorDirective() {
	if s, ok := p.takeText(); ok {
		p.fail(p.stmt.head, "%s", s)
	}
}

func (p *parser) assert() {
	a, at := p.a, p.peek()
	x := p.expression(1)
	if !p.expect(",") {
		return
	}
	text, ok := p.takeText()
	if !ok {
		return
	}
	p.stmt.emit = func(s *stmt) {
		if v, ok := a.eval(x, s.scope()); ok && v == 0 {
			a.errorf(at, "assertion failed: %s", text)
		}
	}
}
