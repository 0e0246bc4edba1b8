package compile

import (
	"go/ast"
	"go/types"

	"emsim/internal/compile/ir"
)

// The body of a function literal runs in instances of its own. What it uses from outside are the parameters of its form.

// formedPart is the form of such a part.
type formedPart struct {
	form   *ir.Func
	params []*types.Var        // the words that are its parameters
	outer  map[*ir.Memory]bool // arrays from outside
}

// literalFromForm lowers the body of a function literal from its form, and reports whether it has one.
func (l *lowerer) literalFromForm(lit *ast.FuncLit) bool {
	p := l.partOf(lit.Body, func(b *builder, _ *formedPart) {
		b.results(l.typeOf(lit).(*types.Signature))
		b.stmts(lit.Body.List)
		b.endBody()
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
