package asm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/base/suggest"
	"emsim/isa"
)

// operandWords holds, for each operand letter, its text in usage lines and in messages about what was expected.
var operandWords = map[rune][2]string{
	isa.LetterD: {"rd", "a register (r0..r15, fp)"},
	isa.LetterA: {"ra", "a register (r0..r15, fp)"},
	isa.LetterB: {"rb", "a register (r0..r15, fp)"},
	isa.LetterS: {"s", "a register or a constant"},
	isa.LetterI: {"i", "a constant (a displacement or an address)"},
	isa.LetterX: {"x", "a code address"},
	isa.LetterM: {"m", "a special register"},
	isa.LetterO: {"o", "an order of PEs"},
	isa.LetterN: {"n", "a number of steps"},
}

// usage returns the usage line of an instruction.
func usage(name, letters string) string {
	list := lists.Of([]rune(letters), func(l rune) string { return operandWords[l][0] })
	return strings.TrimSpace(name + " " + strings.Join(list, ", "))
}

// alias returns the alias with the given name, or nil.
func alias(name string) *isa.Alias {
	if i := slices.IndexFunc(isa.Aliases, func(a isa.Alias) bool { return a.Name == name }); i >= 0 {
		return &isa.Aliases[i]
	}
	return nil
}

// mnemonics lists the names of all instructions with each of their suffixes, and the names of the aliases.
var mnemonics = func() []string {
	var list []string
	for op := range isa.Table {
		for f := range isa.FormsOf(isa.Op(op)) {
			list = append(list, isa.Table[op].Name+isa.Suffixes[f])
		}
	}
	list = append(list, lists.Of(isa.Aliases, func(a isa.Alias) string { return a.Name })...)
	return list
}()

// instruction handles an instruction. In pass 1, everything except the values of names is known.
func (p *parser) instruction(head token) {
	a := p.a
	in, letters, msg := a.mnemonic(head)
	if t := p.peek(); t.is("!") && !t.spaced {
		p.next()
		in.End = true
	}
	st := p.stmt
	a.reserve(st, Code, 1)
	st.emit = func(s *stmt) { s.words = []uint64{0} }
	if msg != "" {
		p.fail(head, "%s", msg)
		return
	}
	ops := p.split()
	if len(ops) != len(letters) {
		if len(ops) > 0 && ops[0].peek().kind == tokError {
			return
		}
		takes := plural.Of(len(letters), "operand")
		if len(letters) == 0 {
			takes = "no operand"
		}
		p.fail(head, "%s takes %s, found %d: %s", head.text, takes, len(ops), usage(head.text, letters))
		return
	}
	var later []func(in *isa.Inst)
	for i, l := range letters {
		if f := ops[i].instOperand(l, &in); f != nil {
			later = append(later, f)
		}
	}
	st.emit = func(s *stmt) {
		in := in
		for _, f := range later {
			f(&in)
		}
		s.words = []uint64{isa.Encode(in)}
	}
}

// mnemonic finds an instruction by its name with suffix, or returns a message that says why there is none.
func (a *assembler) mnemonic(head token) (in isa.Inst, letters, msg string) {
	text := head.text
	if al := alias(text); al != nil {
		return al.Of, al.Operands, ""
	}
	name, _, _ := strings.Cut(text, ".")
	suffix := text[len(name):]
	op, ok := isa.Lookup(name)
	if !ok {
		names := func() []string {
			if len(a.macros) > maxHints {
				return mnemonics
			}
			return slices.Concat(mnemonics, slices.Sorted(maps.Keys(a.macros)))
		}
		return in, "", fmt.Sprintf("no instruction or macro is called %q%s", brief(head.text),
			a.didYouMean(head, head.text, names))
	}
	in.Op = op
	row := &isa.Table[op]
	for f := range isa.FormsOf(op) {
		if isa.Suffixes[f] != suffix {
			continue
		}
		switch row.Forms {
		case isa.FieldD:
			in.D = uint8(f)
		case isa.FieldB:
			in.B = uint8(f)
		}
		return in, row.Operands, ""
	}
	if row.Forms == isa.NoField {
		return in, "", fmt.Sprintf("%s has no suffix: expected %s", name, usage(name, row.Operands))
	}
	return in, "", fmt.Sprintf("%s has no suffix %s: expected %s", name, suffix,
		strings.Join(isa.Suffixes[1:isa.FormsOf(op)], " "))
}

// instOperand parses an operand. If the operand is an expression, instOperand returns the function that pass 2 must
// call.
func (p *parser) instOperand(letter rune, in *isa.Inst) func(*isa.Inst) {
	t := p.peek()
	switch letter {
	case isa.LetterM:
		p.special(t, in)
		return nil
	case isa.LetterO:
		p.order(t, in)
		return nil
	case isa.LetterD, isa.LetterA, isa.LetterB, isa.LetterS:
		r, ok := register(t.text)
		if ok && t.kind == tokWord && (letter != isa.LetterS || p.ahead(1).kind == tokEnd) {
			p.next()
			p.expectEnd()
			setRegister(in, letter, r)
			return nil
		}
		if letter != isa.LetterS {
			p.fail(t, "expected %s, found %s%s", operandWords[letter][1], t.describe(), p.registerHint(t, letter))
			return nil
		}
	}
	if t.kind == tokEnd {
		p.fail(t, "expected %s, found %s", operandWords[letter][1], t.describe())
		return nil
	}
	x := p.expression(1)
	p.expectEnd()
	a, st := p.a, p.stmt
	return func(in *isa.Inst) {
		if v, ok := a.eval(x, st.scope()); ok {
			a.setConstant(in, letter, v, t, x)
		}
	}
}

func setRegister(in *isa.Inst, letter rune, r uint8) {
	switch letter {
	case isa.LetterD:
		in.D = r
	case isa.LetterA:
		in.A = r
	default:
		in.B = r
	}
}

// registerHint returns a hint if something else is in the place of a register. A constant must be loaded into a
// register first, and a word may be a misspelt register.
func (p *parser) registerHint(t token, letter rune) string {
	constant := t.kind == tokNumber || t.kind == tokOp && t.text != ","
	if t.kind == tokWord || t.kind == tokDotted {
		constant = p.a.symbols[fullName(t, scope{outer: p.a.outer})] != nil
	}
	if constant && letter != isa.LetterD {
		return ": load a constant into one with mov first"
	}
	if t.kind != tokWord || len(t.text) > 3 {
		return ""
	}
	if p.a.reportPlace(t) == maxErrors {
		return ""
	}
	var names []string
	for r := range uint8(isa.Registers) {
		names = append(names, registerName(r))
	}
	return suggest.DidYouMean(t.text, names)
}

// nameOf reports whether the operand is one of a list of names. If not, it reports an error.
func (p *parser) nameOf(t token, letter rune, names []string) bool {
	what := operandWords[letter][1]
	if t.kind != tokWord {
		p.fail(t, "expected %s (%s), found %s", what, strings.Join(names, " "), t.describe())
		return false
	}
	if !slices.Contains(names, t.text) {
		hint := p.a.didYouMean(t, t.text, func() []string { return names })
		p.fail(t, "%q is not %s%s: expected one of %s", brief(t.text), what, hint, strings.Join(names, " "))
		return false
	}
	p.next()
	return true
}

// order parses the name of an order of PEs.
func (p *parser) order(t token, in *isa.Inst) {
	if p.nameOf(t, isa.LetterO, isa.OrderNames[:]) {
		o, _ := isa.LookupOrder(t.text)
		in.B = uint8(o)
		p.expectEnd()
	}
}

// special parses the name of a special register.
func (p *parser) special(t token, in *isa.Inst) {
	names := isa.SpecialNames[:]
	if !p.nameOf(t, isa.LetterM, names) {
		return
	}
	n, _ := isa.LookupSpecial(t.text)
	in.Imm = int32(n)
	if readOnly(*in) {
		p.fail(t, "the special register %s cannot be written; %s can", t.text, names[isa.SpecialMLPE])
		return
	}
	p.expectEnd()
}

// readOnly reports whether an instruction writes a special register that
// cannot be written.
func readOnly(in isa.Inst) bool {
	return in.Op == isa.WRS && isa.Special(in.Imm) != isa.SpecialMLPE
}

// refused reports whether an instruction word is one that the assembler never
// produces.
func refused(in isa.Inst) bool { return readOnly(in) || direct(in) && in.Imm < 0 }

// direct reports whether an instruction's constant is the code address of a
// direct-mode packet.
func direct(in isa.Inst) bool { return in.Form() == isa.FormDirect }

// setConstant stores the value of an expression in the instruction.
func (a *assembler) setConstant(in *isa.Inst, letter rune, v int64, at token, x *expr) {
	lo, hi, what := int64(isa.ImmMin), int64(isa.ImmMax), "a constant"
	if letter == isa.LetterX || direct(*in) {
		lo, hi, what = 0, MemoryWords-1, "a code address"
	}
	if letter == isa.LetterN {
		lo, hi, what = -isa.MaxSteps, isa.MaxSteps, "a number of steps"
	}
	if v < lo || v > hi {
		a.errorf(at, "%d is out of range: %s here is %d..%d", v, what, lo, hi)
		return
	}
	in.Imm = int32(v)
	if letter == isa.LetterS {
		in.Lit = true
	}
	if letter != isa.LetterI || direct(*in) {
		return
	}
	a.reach(x, v)
	if isa.Table[in.Op].Forms == isa.NoField || x.kind != exprNode {
		return
	}
	if v == 0 {
		a.errorf(at, "@%s is displacement 0, which names the template and is not a node", x.tok.text)
		return
	}
	addr, ok := a.eval(&expr{kind: exprName, tok: x.tok}, a.cur.scope())
	if ok {
		a.entries = append(a.entries, entryRef{at, a.cur, uint32(addr), true})
	}
}
