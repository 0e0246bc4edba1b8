package compile

import (
	"go/ast"
	"go/types"

	"emsim/internal/compile/ir"
)

// Arrays that are too large for an instance are tables. Code for whole tables loops over their words.

// fill builds the initial value of a package variable. Its words are zeros before.
func (b *builder) fill(list []portion, e ast.Expr) {
	lit, isLiteral := ast.Unparen(e).(*ast.CompositeLit)
	switch t := b.typeOf(e); {
	case b.c.wordsIn(t) <= mostLocal:
		b.store(list, b.words(e))
	case !isLiteral:
		b.copyTable(list[0], e)
	default:
		b.c.eachElement(lit, b.c.wordsIn, func(from int64, of types.Type, e ast.Expr) {
			b.fill(b.parts(list[0].mem, list[0].index, list[0].plus+from, of), e)
		})
	}
}

// copyTable copies a large array to another one.
func (b *builder) copyTable(to portion, e ast.Expr) {
	from, ok := b.place(e)
	if !ok {
		b.refuseLarge(e, b.typeOf(e))
	}
	word := types.Typ[types.Int32] // a copy does not depend on the type
	b.eachOf(b.c.wordsIn(to.of), func(i *ir.Value) {
		b.store(b.element(to, i, word), b.wordsOf(b.element(from[0], i, word)))
	})
}

// sameTables builds a comparison: whether two large arrays have the same words.
func (b *builder) sameTables(x, y ast.Expr) *ir.Value {
	var elem types.Type
	var list [2]portion
	for n, e := range []ast.Expr{x, y} {
		p, ok := b.place(e)
		if !ok {
			b.refuseLarge(e, b.typeOf(e))
		}
		list[n], elem = p[0], b.typeOf(e)
	}
	for arrayType(elem) != nil {
		elem = arrayType(elem).Elem()
	}
	same, n := b.newSlot(nil, ir.Const(ir.Bool, 1)), b.c.wordsIn(elem)
	b.eachOf(b.c.wordsIn(b.typeOf(x))/n, func(i *ir.Value) {
		end := b.goals[len(b.goals)-1].brk
		words := func(p portion) func(i int) *ir.Value {
			parts := b.element(p, i, elem)
			return func(i int) *ir.Value { return b.wordsOf(parts[i : i+1])[0] }
		}
		b.branch(b.same(words(list[0]), words(list[1]), int(n)), func() {}, func() {
			b.env[same] = ir.Const(ir.Bool, 0)
			b.jump(end)
		})
	})
	v := b.env[same]
	b.env = b.env[:same]
	return v
}

// eachOf builds a loop with n iterations.
func (b *builder) eachOf(n int64, do func(i *ir.Value)) {
	i := b.newSlot(nil, ir.Const(ir.Int32, 0))
	b.loop(nil, "", nil, []int{i}, func() *ir.Value {
		return b.compute(ir.Less, ir.Bool, b.env[i], ir.Const(ir.Int32, n))
	}, func() { do(b.env[i]) }, func() {
		b.env[i] = b.compute(ir.Add, ir.Int32, b.env[i], ir.Const(ir.Int32, 1))
	})
	b.env = b.env[:i]
}
