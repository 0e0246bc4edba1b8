package asm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// symState says whether the value of a symbol is known.
type symState uint8

const (
	symKnown   symState = iota
	symPending          // a constant that depends on names defined later
	symBusy             // its expression is being evaluated
	symBad              // it has no value, and an error has been reported
)

// symbol is a name of the program.
type symbol struct {
	name  string
	kind  SymbolKind
	param bool // the constant belongs to a parameter
	at    token
	state symState
	value int64
	def   *expr     // expression of a pending constant
	stmt  *stmt     // statement of a pending constant
	tmpl  *template // template in which an address was defined
	node  *symbol   // label that the value of a constant uses with @, or nil
}

// template is a template segment.
type template struct {
	name      string
	at        token
	base, end uint32
	reach     uint32 // highest displacement that an instruction addresses, or the .template's own if that is higher
}

// maxChain is the largest length of a chain of pending constants that depend on each other.
const maxChain = 1000

// define adds a symbol. It reports an error instead if the name is a register, is too long or is already defined, or if
// the program has too many names.
func (a *assembler) define(s *symbol) {
	if _, reg := register(s.name); reg {
		a.errorf(s.at, "%s is a register and cannot be another name", s.name)
		return
	}
	if len(s.name) > maxWord {
		a.errorf(s.at, "the name is longer than %d characters", maxWord)
		return
	}
	if old := a.symbols[s.name]; old != nil {
		a.errorf(s.at, "%q is already defined at %s", brief(s.name), lazy(old.at.position))
		return
	}
	if len(a.names) == maxNames && !a.stop {
		a.errorf(s.at, "the program has more than %d names", maxNames)
		a.stop = true
	}
	if a.stop || !a.countText(s.at, len(s.name), "its names are too long") {
		return
	}
	a.symbols[s.name] = s
	a.names = append(a.names, s)
}

// defineConstant adds the constant NAME = x. It evaluates x at once if everything in it is known, otherwise in pass
// 2.
func (a *assembler) defineConstant(name token, x *expr, st *stmt) {
	s := &symbol{name: name.text, kind: Constant, at: name, state: symPending, def: x, stmt: st}
	if a.ready(x, st.scope()) {
		a.resolve(s)
	}
	a.define(s)
	st.emit = func(*stmt) {
		if s.state == symPending {
			a.resolve(s)
		}
	}
}

// ready reports whether the value of every name in an expression is known.
func (a *assembler) ready(x *expr, sc scope) bool {
	if x == nil {
		return true
	}
	if x.kind == exprName || x.kind == exprNode {
		s := a.symbols[fullName(x.tok, sc)]
		return s != nil && s.state != symPending
	}
	return a.ready(x.x, sc) && a.ready(x.y, sc)
}

// resolve evaluates a pending constant.
func (a *assembler) resolve(s *symbol) {
	cur := a.cur
	a.cur = s.stmt
	a.settling++
	s.state = symBusy
	v, ok := int64(0), false
	if a.settling > maxChain {
		a.errorf(s.at, "more than %d constants depend on each other", maxChain)
	} else {
		v, ok = a.eval(s.def, s.stmt.scope())
	}
	s.value, s.state = v, symKnown
	if !ok {
		s.state = symBad
	}
	s.node = a.nodeOf(s.def, s.stmt.scope())
	a.settling--
	a.cur = cur
}

// fullName prefixes a local label with its ordinary label.
func fullName(t token, sc scope) string {
	if t.kind == tokDotted {
		return sc.outer + t.text
	}
	return t.text
}

// lookup returns the symbol that a token names, or reports an error.
func (a *assembler) lookup(t token, sc scope) *symbol {
	if t.kind == tokDotted && sc.outer == "" {
		a.errorf(t, "the local label %s has no ordinary label before it to belong to", t.text)
		return nil
	}
	if s := a.symbols[fullName(t, sc)]; s != nil {
		return s
	}
	hint := a.didYouMean(t, t.text, func() []string { return a.namesFor(t, sc) })
	if hint == "" && t.kind == tokDotted {
		hint = a.elsewhere(t)
	}
	if sc.early {
		a.errorf(t, "%q is not defined before this line, and %s needs its value here%s", brief(t.text), sc.why, hint)
	} else {
		a.errorf(t, "%q is not defined%s", brief(t.text), hint)
	}
	return nil
}

// elsewhere returns a hint if another ordinary label has a local label with this name.
func (a *assembler) elsewhere(t token) string {
	if a.reportPlace(t) == maxErrors {
		return ""
	}
	for _, s := range a.names {
		if owner, ok := strings.CutSuffix(s.name, t.text); ok && owner != "" {
			return fmt.Sprintf("; the one at %s belongs to %q: from here it is called %s",
				s.at.position(), owner, s.name)
		}
	}
	return ""
}

// namesFor returns the candidates for a misspelt name.
func (a *assembler) namesFor(t token, sc scope) []string {
	var list []string
	for _, s := range a.names {
		name := s.name
		if t.kind == tokDotted {
			var local bool
			if name, local = strings.CutPrefix(name, sc.outer); !local || name == "" || name[0] != '.' {
				continue
			}
		}
		list = append(list, name)
	}
	return list
}

// value returns a symbol's value.
func (a *assembler) value(s *symbol, t token, sc scope) (int64, bool) {
	switch s.state {
	case symPending:
		if sc.early {
			a.errorf(t, "the value of %q is not known yet: it depends on names that are defined further down, and "+
				"%s needs it here", t.text, sc.why)
			return 0, false
		}
		a.resolve(s)
	case symBusy:
		a.errorf(t, "the constant %q depends on itself", s.name)
		return 0, false
	}
	if s.state == symBad {
		a.cur.bad = true
	}
	return s.value, s.state == symKnown
}

// displacement returns the distance of a label from word 0 of its template.
func (a *assembler) displacement(t token, sc scope) (int64, bool) {
	s := a.lookup(t, sc)
	switch {
	case s == nil:
		return 0, false
	case s.kind == Constant:
		a.errorf(t, "%q is a constant: @ gives the displacement of a label inside a template", t.text)
		return 0, false
	case s.tmpl == nil:
		a.errorf(t, "the label %q is not inside a template, so it has no displacement", t.text)
		return 0, false
	}
	return s.value - int64(s.tmpl.base), true
}

// nodeOf returns the first label that an expression uses with @, directly or through a constant, or nil.
func (a *assembler) nodeOf(x *expr, sc scope) *symbol {
	if x == nil {
		return nil
	}
	switch x.kind {
	case exprNode:
		return a.symbols[fullName(x.tok, sc)]
	case exprName:
		if s := a.symbols[fullName(x.tok, sc)]; s != nil {
			return s.node
		}
	case exprUnary, exprBinary:
		if n := a.nodeOf(x.x, sc); n != nil {
			return n
		}
		return a.nodeOf(x.y, sc)
	}
	return nil
}

// reach records how far into an operand segment an instruction's displacement reaches. A value computed from @label
// counts only if it is inside the template, because it may be something else, such as an address.
func (a *assembler) reach(x *expr, v int64) {
	s := a.nodeOf(x, a.cur.scope())
	if s == nil || s.tmpl == nil {
		return
	}
	t := s.tmpl
	d := s.value - int64(t.base)
	if v > d && v < int64(t.end-t.base) {
		d = v
	}
	t.reach = max(t.reach, uint32(d))
}

// finishSymbols sorts the symbols of an object, and distinguishes nodes from labels by their addresses.
func (o *Object) finishSymbols() {
	slices.SortFunc(o.Symbols, compareSymbols)
	templates := o.templates()
	for i := range o.Symbols {
		if s := &o.Symbols[i]; s.Kind == Label && insideTemplate(templates, s.Value) {
			s.Kind = Node
		}
	}
}

// insideTemplate reports whether an address has a positive displacement in
// one of the ascending templates.
func insideTemplate(templates []Symbol, addr int64) bool {
	t := templateOf(templates, uint32(addr))
	return t != nil && t.Value != addr
}

// compareSymbols returns the order of two symbols in an object.
func compareSymbols(x, y Symbol) int {
	constants := cmp.Compare(truth(x.Kind == Constant), truth(y.Kind == Constant))
	if constants != 0 || x.Kind == Constant {
		return cmp.Or(constants, strings.Compare(x.Name, y.Name))
	}
	return cmp.Or(cmp.Compare(x.Value, y.Value), strings.Compare(x.Name, y.Name))
}
