package compile

import (
	"go/ast"
	"go/types"
	"slices"

	"emsim/internal/compile/ir"
)

// The body of a function literal runs in instances of its own. Values that it uses from outside are parameters of its
// IR.

// formedPart is the IR of such a body.
type formedPart struct {
	form   *ir.Func
	params []*types.Var        // the words that are its parameters
	outer  map[*ir.Memory]bool // arrays from outside
}

// buildLiteral builds the body of a function literal that is an argument of a call of f.
func (x *formBuilder) buildLiteral(f *function, lit *ast.FuncLit) {
	p := &formedPart{form: &ir.Func{Name: f.name, Line: x.lineOf(lit.Body), End: &ir.Label{}}, outer: map[*ir.Memory]bool{}}
	x.literals[lit], x.p.Funcs = p, append(x.p.Funcs, p.form)
	x.build(p.form, func(b *builder) {
		sig := x.info.TypeOf(lit).(*types.Signature)
		for _, w := range slices.Concat(slices.Collect(sig.Params().Variables()), f.params[f.captures():]) {
			if _, inArray := x.arrayWords[w]; !inArray {
				v := b.f.NewValue(irType(w.Type()), w.Name())
				b.slots[w] = b.newSlot(w, v)
				b.owned(v, b.slots[w])
				b.f.Params, p.params = append(b.f.Params, v), append(p.params, w)
			}
		}
		for _, w := range f.arrays {
			m := b.newArray(lit, w.Name(), w.Type())
			b.mems[w], x.holders[m], p.outer[m] = m, w, true
		}
		b.declareEnds(f)
		b.results(sig)
		b.stmts(lit.Body.List)
		b.endBody(lit.Body.Rbrace)
	})
}
