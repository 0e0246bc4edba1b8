package compile

import (
	"go/ast"
	"go/types"

	"emsim/internal/compile/ir"
)

// Constructs without a translation are refused where they would be built. A mistake ends the statement, or only its
// head. The code after that is built as if there were no mistake.

// mistake is the value of a panic that ends a statement after its mistake has been reported.
type mistake struct{}

// refuse refuses a part of the program, and ends the statement.
func (b *builder) refuse(n ast.Node, r *refusal, args ...any) {
	b.c.reject(n, r, args...)
	panic(mistake{})
}

// demandWords refuses a value of a type whose words the machine does not have.
func (b *builder) demandWords(n ast.Node, t types.Type) {
	if !b.c.goodValue(n, t) {
		panic(mistake{})
	}
}

// refuseLarge refuses an array that is too large for an instance.
func (b *builder) refuseLarge(n ast.Node, t types.Type) {
	if arrayType(t) != nil && b.c.wordsIn(t) > mostLocal {
		b.c.rejectAbout(n, types.TypeString(t, nil), largeValue, mostLocal, segmentWords)
		panic(mistake{})
	}
}

// attempt builds code up to its end or to a mistake, and reports whether it has reached the end.
func (b *builder) attempt(build func()) (ok bool) {
	env, goals := b.env, len(b.goals)
	defer func() {
		if r := recover(); r == (mistake{}) {
			b.env, b.goals, b.cur = env, b.goals[:goals], &ir.Region{}
		} else if r != nil {
			panic(r)
		}
	}()
	build()
	return true
}

// condition returns a condition, or a constant if there is a mistake in it.
func (b *builder) condition(e ast.Expr) *ir.Value {
	v := ir.Const(ir.Bool, 1)
	b.attempt(func() { v = b.value(e) })
	return v
}

// declareWrong declares the variables of a statement with a mistake. The channels in it are not checked any further.
func (b *builder) declareWrong(s ast.Node) {
	for n := range ast.Preorder(s) {
		id, _ := n.(*ast.Ident)
		v, _ := b.c.info.Uses[id].(*types.Var)
		if x := b.c.chans[v]; x != nil {
			x.refused = true
		}
	}
	ast.Inspect(s, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, ok := b.c.info.Defs[id].(*types.Var)
			switch {
			case ok && chanOf(v.Type()) != nil:
				delete(b.slots, v)
			case ok:
				b.attempt(func() { b.declare(v, nil) })
			}
		}
		return !isLiteral(n)
	})
}

// aside builds unreachable code: only its errors are reported.
func (b *builder) aside(build func()) {
	b.c.meter.countSteps(len(b.env))
	outer := *b
	defer func() { *b = outer }()
	b.unreached, b.cur, b.env = true, nil, append([]*ir.Value{}, b.env...)
	build()
}

// refuseExpr refuses an expression that has no translation, because of its type or of an operand's type.
func (b *builder) refuseExpr(e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && b.c.info.Types[x].IsValue() {
			b.demandWords(x, b.typeOf(x))
		}
		return n == e
	})
	if !b.c.failed() { // or else a declaration has been refused
		b.c.errorf(e, "this has no translation, and no reason is known: please report it as a mistake of emsim")
	}
	panic(mistake{})
}

// refuseCall refuses a call that has no translation.
func (b *builder) refuseCall(x *ast.CallExpr) {
	_, selects := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	switch {
	case b.c.policyMethod(x) != "":
		b.refuse(x, ofPolicies, "df.PE")
	case b.c.dfCall(x) == "Arg":
		b.refuse(x, ofMain)
	case b.initing && b.c.policy == nil && selects:
		b.refuse(x, initCalls)
	case b.c.isBuiltin(x, "print") || b.c.isBuiltin(x, "println"):
		b.refuse(x, noPrinting, types.ExprString(x.Fun))
	}
	b.refuseExpr(x)
}

// target returns the parts of an expression that is assigned to.
func (b *builder) target(e ast.Expr) []portion {
	list, ok := b.place(e)
	if !ok {
		b.refuseExpr(e)
	}
	if len(list) > 0 && list[0].mem != nil && list[0].mem.Table && !b.initing {
		b.refuse(e, changed)
	}
	return list
}
