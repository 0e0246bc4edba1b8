package compile

import (
	"go/ast"
	"go/types"

	"emsim/internal/compile/ir"
)

// The body of a function literal runs in instances of its own. What it uses from outside are the parameters of its form.

// formedPart is the form of such a body.
type formedPart struct {
	form   *ir.Func
	params []*types.Var        // the words that are its parameters
	outer  map[*ir.Memory]bool // arrays from outside
}

// buildLiteral builds the body of a function literal that is an argument of a call of f.
func (x *formBuilder) buildLiteral(f *function, lit *ast.FuncLit) {
	if x.literals[lit] != nil {
		return
	}
	p := &formedPart{form: &ir.Func{Name: f.name, Line: x.lineOf(lit.Body), End: &ir.Label{}}, outer: map[*ir.Memory]bool{}}
	x.literals[lit], x.p.Funcs = p, append(x.p.Funcs, p.form)
	x.build(p.form, func(b *builder) {
		b.outside(p, lit.Body)
		b.declareEnds(f)
		b.results(x.info.TypeOf(lit).(*types.Signature))
		b.stmts(lit.Body.List)
		b.endBody(lit.Body.Rbrace)
	})
}

// outside makes what a part uses from outside parameters.
func (b *builder) outside(p *formedPart, at ast.Node) {
	seen := map[*types.Var]bool{}
	ast.Inspect(at, func(n ast.Node) bool {
		b.c.meter.countSteps(1)
		e, _ := n.(ast.Expr)
		words := b.c.namedWords(e)
		for _, w := range words {
			if seen[w] || b.c.isTable(w) || at.Pos() <= w.Pos() && w.Pos() < at.End() {
				continue
			}
			seen[w] = true
			if arrayType(w.Type()) != nil {
				m := b.newArray(e, w.Name(), w.Type())
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
