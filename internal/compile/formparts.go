package compile

import (
	"go/ast"
	"go/types"
	"slices"

	"emsim/internal/compile/ir"
)

// A loop, or the body of a function literal, may have a form though the function around it has none, because that has
// channels, or because the literal runs in instances of its own. What it uses from outside are the parameters of the
// form; its results are what a loop changes outside of it, or what the literal returns.

// formedPart is the form of such a part.
type formedPart struct {
	form   *ir.Func
	params []*types.Var        // the words that are its parameters
	given  []*types.Var        // the words of variables that its results are for
	outer  map[*ir.Memory]bool // arrays from outside
}

// loopFromForm lowers a loop with calls from its form, and reports whether it has one.
func (l *lowerer) loopFromForm(s ast.Stmt, label string) bool {
	if len(l.waits(s)) == 0 {
		return false
	}
	p := l.partOf(s, func(b *builder, p *formedPart) {
		b.end = func([]*ir.Value) { b.notYet(s, "it returns") }
		before := slices.Clone(b.env)
		b.statement(s, label)
		if b.cur == nil {
			return
		}
		var values []*ir.Value
		for slot, v := range before {
			if b.env[slot] != v {
				p.given, values = append(p.given, p.params[slot]), append(values, b.env[slot])
			}
		}
		b.leave(b.f.End, values...)
	})
	if p == nil {
		return false
	}
	end, ret := l.block(), l.ret
	l.ret = func(values ...operand) {
		for i := range p.given { // one may be the old value of another one
			values[i] = l.copied(values[i])
		}
		for i, v := range p.given {
			l.moveInto(l.vars[v], values[i])
		}
		l.jumpTo(end)
	}
	l.fromPart(p, s)
	l.ret = ret
	l.continueAt(end)
	return true
}

// literalFromForm lowers the body of a function literal from its form, and reports whether it has one.
func (l *lowerer) literalFromForm(lit *ast.FuncLit) bool {
	p := l.partOf(lit.Body, func(b *builder, _ *formedPart) {
		b.results(l.typeOf(lit).(*types.Signature))
		b.stmts(lit.Body.List)
		if b.cur != nil {
			b.end(b.wordsOf(b.named))
		}
	})
	if p == nil {
		return false
	}
	l.fromPart(p, lit.Body)
	return true
}

// partOf returns the form of a part of a function, or nil.
func (l *lowerer) partOf(at ast.Node, build func(b *builder, p *formedPart)) *formedPart {
	c := l.c
	p, known := c.parts[at]
	if known || c.policy != nil || l.u.system {
		return p
	}
	name := l.u.name
	if l.f != nil {
		name = l.f.name
	}
	made := &formedPart{form: &ir.Func{Name: name, Line: c.lineOf(at), End: &ir.Label{}}, outer: map[*ir.Memory]bool{}}
	if x := c.theForms(); c.wordsOnly(at) {
		x.build(made.form, func(b *builder) {
			l.outside(b, made, at)
			build(b, made)
		})
		if !x.missing[made.form] && c.canLower(made.form) {
			p = made
		}
	}
	c.parts[at] = p
	return p
}

// outside makes what a part uses from outside parameters.
func (l *lowerer) outside(b *builder, p *formedPart, at ast.Node) {
	seen := map[*types.Var]bool{}
	ast.Inspect(at, func(n ast.Node) bool {
		l.c.meter.countSteps(1)
		e, _ := n.(ast.Expr)
		words := l.c.namedWords(e)
		for _, w := range words {
			if seen[w] || l.c.isTable(w) || at.Pos() <= w.Pos() && w.Pos() < at.End() {
				continue
			}
			seen[w] = true
			if _, known := l.vars[w]; !known && l.arrays[w] == nil {
				b.notYet(e, "it uses %s", w.Name())
			}
			if arrayType(w.Type()) != nil {
				m := b.newArray(w.Name(), w.Type())
				b.mems[w], b.x.holders[m], p.outer[m] = m, w, true
				continue
			}
			v := b.f.NewValue(irType(w.Type()), w.Name())
			b.slots[w] = b.newSlot(w, v)
			b.owned(v, b.slots[w])
			b.f.Params, p.params = append(b.f.Params, v), append(p.params, w)
		}
		return words == nil
	})
}

// fromPart lowers a part of a function.
func (l *lowerer) fromPart(p *formedPart, at ast.Node) {
	x := l.newFormer(p.form, at)
	x.part = p
	for i, v := range p.form.Params {
		w := p.params[i]
		x.values[v] = inReg(l.vars[w])
		if most, known := l.known[w]; known {
			x.most[v] = most
		}
	}
	x.list(p.form.Body.Nodes, p.form.Body.Exit)
	l.u.merges = true
}
