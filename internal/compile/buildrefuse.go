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

// refuse reports a mistake, and ends the statement.
func (b *builder) refuse(n ast.Node, format string, args ...any) {
	b.c.errorf(n, format, args...)
	panic(mistake{})
}

// demandWords refuses a value of a type whose words the machine does not have.
func (b *builder) demandWords(n ast.Node, t types.Type) {
	if !b.c.goodValue(n, t) {
		panic(mistake{})
	}
}

// demandRoom refuses an array that is too large for an instance.
func (b *builder) demandRoom(n ast.Node, t types.Type) {
	if arrayType(t) != nil && b.c.wordsIn(t) > mostLocal {
		b.refuse(n, "an array inside of a function has %d words at most, because it lies in the operand segment, which has %d: make it smaller, or make it a variable of the package that func init fills", mostLocal, segmentWords)
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

// declareWrong declares the variables of a statement with a mistake.
func (b *builder) declareWrong(s ast.Node) {
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

// Messages that are used in more than one place.
const (
	noPointers    = "pointers have no translation: an instance cannot reach into the memory of another PE. Pass values"
	noChannelHere = "no channel can be made here: write %s := make(chan TYPE) at the beginning of a function"
	notArray      = "only arrays have words: declare it as var NAME [SIZE]TYPE"
)

// refuseExpr refuses an expression of a kind that has no translation.
func (b *builder) refuseExpr(e ast.Expr) {
	switch x := e.(type) {
	case *ast.Ident:
		if obj := b.c.info.ObjectOf(x); chanOf(obj.Type()) != nil {
			b.refuse(e, "no function sends on %s yet: start its sender before, go NAME(%[1]s)", x.Name)
		}
		b.refuse(e, "%s has no translation here: a value is a parameter, a variable of the function or a constant", x.Name)
	case *ast.SelectorExpr:
		if s := b.c.info.Selections[x]; s == nil || s.Kind() != types.FieldVal {
			b.refuse(e, "this has no translation: a value is a parameter, a variable of the function, a field of one or a constant")
		}
		b.refuse(e, noPointers)
	case *ast.FuncLit:
		b.refuse(e, "a function literal is an argument of df.Sum or another loop of package df: declare a function")
	}
	if arrayType(b.typeOf(e)) != nil {
		b.refuse(e, "only variables that are arrays, their rows, results and literals have a translation here: declare it as var NAME [SIZE]TYPE")
	}
	b.refuse(e, "this kind of expression has no translation: use arithmetic, calls, variables and tables")
}

// refuseCall refuses a call that has no translation.
func (b *builder) refuseCall(x *ast.CallExpr) {
	switch {
	case b.c.policyMethod(x) != "":
		b.refuse(x, "a df.PE is for policies ('emsim docs POLICY'), and not for programs")
	case b.c.dfCall(x) == "Arg":
		b.refuse(x, "df.Arg is for func main: the entry gets its arguments from the machine, one for each //emsim:arg")
	}
	if f, ok := b.c.named(x.Fun).(*types.Builtin); ok {
		b.refuse(x, "%s has no translation: %s", f.Name(), builtinRemedy(f.Name()))
	}
	b.refuse(x, "this call has no translation: call a function of the program by its name")
}

// refuseTarget refuses an expression that cannot be assigned to.
func (b *builder) refuseTarget(e ast.Expr) {
	if x, ok := ast.Unparen(e).(*ast.IndexExpr); ok && arrayType(b.typeOf(x.X)) == nil {
		b.refuse(x.X, notArray)
	}
	b.refuse(e, "%s cannot be assigned to here", types.ExprString(e))
}

// target returns the parts of an expression that is assigned to.
func (b *builder) target(e ast.Expr) []portion {
	list, ok := b.place(e)
	if !ok {
		b.refuseTarget(e)
	}
	if len(list) > 0 && list[0].mem != nil && list[0].mem.Table && !b.initing {
		b.refuse(e, "only func init changes a variable of the package: every PE has a copy, and a change on one would not be seen on others. Pass values as parameters, write an array in the function, or a df.Array")
	}
	return list
}
