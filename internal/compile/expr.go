package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"math/bits"

	"emsim/isa"
)

// typeOf is the type of an expression.
func (l *lowerer) typeOf(e ast.Expr) types.Type { return l.c.info.Types[e].Type }

// expression computes an expression.
func (l *lowerer) expression(e ast.Expr) operand {
	defer l.c.meter.deeper()()
	e = ast.Unparen(e)
	tv := l.c.info.Types[e]
	if arrayType(tv.Type) != nil {
		return operand{r: none, array: l.array(e)}
	}
	if o, ok := l.done[e]; ok {
		return o[0]
	}
	if tv.Value != nil {
		if tv.Type != nil && !l.fits(e) {
			return constOf(0)
		}
		return constOf(wordOf(tv.Value, tv.Type))
	}
	switch e := e.(type) {
	case *ast.Ident:
		return l.variable(e)
	case *ast.BinaryExpr:
		return l.binary(e)
	case *ast.UnaryExpr:
		return l.unary(e)
	case *ast.CallExpr:
		return l.callExpr(e)[0]
	case *ast.IndexExpr:
		return l.loadWord(l.array(e))
	case *ast.SelectorExpr:
		return l.field(e)[0]
	case *ast.FuncLit:
		return l.errorf(e, "a function literal is an argument of df.Sum or another loop of package df: declare a function")
	}
	return l.errorf(e, "this kind of expression has no translation: use arithmetic, calls, variables and tables")
}

func (l *lowerer) variable(id *ast.Ident) operand {
	obj := l.c.info.Uses[id]
	if r, ok := l.vars[obj]; ok {
		return inReg(r)
	}
	if l.c.inMemory(id) {
		return l.loadWord(l.array(id))
	}
	if chanOf(obj.Type()) != nil {
		return l.errorf(id, "nobody sends on %s yet: start its sender before, go NAME(%[1]s)", id.Name)
	}
	return l.errorf(id, "%s has no translation here: a value is a parameter, a variable of the function or a constant", id.Name)
}

func isFloat(t types.Type) bool    { return kindOf(t) == types.Float32 }
func isUnsigned(t types.Type) bool { return kindOf(t) == types.Uint32 }

// lessThan is the branch that compares numbers of a type.
func lessThan(t types.Type) opcode {
	if isUnsigned(t) {
		return isa.BLTU
	}
	return isa.BLT
}

func (l *lowerer) binary(e *ast.BinaryExpr) operand {
	switch e.Op {
	case token.LAND, token.LOR, token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return l.truth(e)
	}
	t := l.typeOf(e)
	if !l.fits(e) {
		return constOf(0)
	}
	a := l.expression(e.X)
	if e.Op == token.SHL || e.Op == token.SHR {
		return l.shift(e.Op, a, l.count(e.Y), t, l.countBound(e.Y))
	}
	b := l.expression(e.Y)
	most := int64(-1)
	if e.Op == token.QUO || e.Op == token.REM {
		most = l.maxOf(e.X)
	}
	return l.arith(e.Op, a, b, t, most)
}

var simple = map[token.Token]opcode{token.ADD: isa.ADD, token.SUB: isa.SUB, token.MUL: isa.MUL, token.AND: isa.AND, token.OR: isa.OR, token.XOR: isa.XOR}

var floating = map[token.Token]opcode{token.ADD: isa.FADD, token.SUB: isa.FSUB, token.MUL: isa.FMUL}

// arith is an operation on two values of one type; most is a bound of a, or -1.
func (l *lowerer) arith(op token.Token, a, b operand, t types.Type, most int64) operand {
	if isFloat(t) {
		if op == token.QUO {
			return l.divideFloats(a, b)
		}
		return l.floatOp(floating[op], a, b)
	}
	switch op {
	case token.ADD, token.MUL, token.AND, token.OR, token.XOR:
		if a.lit && !b.lit {
			a, b = b, a
		}
		if op == token.MUL && b.lit && b.imm > 0 && bits.OnesCount64(uint64(b.imm)) == 1 {
			return l.binaryOp(isa.SHL, a, constOf(int64(bits.TrailingZeros64(uint64(b.imm)))))
		}
		return l.binaryOp(simple[op], a, b)
	case token.SUB:
		return l.binaryOp(isa.SUB, a, b)
	case token.AND_NOT:
		if b.lit {
			return l.binaryOp(isa.AND, a, constOf(^b.imm))
		}
		return l.binaryOp(isa.AND, a, l.binaryOp(isa.XOR, b, constOf(-1)))
	}
	return l.divide(op, a, b, t, most)
}

func (l *lowerer) unary(e *ast.UnaryExpr) operand {
	t := l.typeOf(e)
	switch e.Op {
	case token.ADD:
		return l.expression(e.X)
	case token.SUB:
		x := l.expression(e.X)
		if isFloat(t) {
			return l.binaryOp(isa.XOR, x, constOf(-1<<31))
		}
		return l.binaryOp(isa.SUB, constOf(0), x)
	case token.XOR:
		return l.binaryOp(isa.XOR, l.expression(e.X), constOf(-1))
	case token.NOT:
		return l.binaryOp(isa.XOR, l.expression(e.X), constOf(1))
	case token.ARROW:
		return l.errorf(e, "an item of a channel cannot be waited for here: assign it to a variable before")
	}
	return l.errorf(e, "pointers have no translation: an instance cannot reach into the memory of another PE. Pass values")
}

// truth is the value of a condition: 1 or 0.
func (l *lowerer) truth(e ast.Expr) operand {
	r := l.fresh("b")
	is := func(v int64) func() { return func() { l.moveInto(r, constOf(v)) } }
	l.choose(func(yes, no *block) { l.branchOn(e, yes, no) }, is(1), is(0))
	return inReg(r)
}

// branchOn goes to one of two blocks.
func (l *lowerer) branchOn(e ast.Expr, yes, no *block) {
	e = ast.Unparen(e)
	if tv := l.c.info.Types[e]; tv.Value != nil {
		if wordOf(tv.Value, tv.Type) != 0 {
			l.jumpTo(yes)
		} else {
			l.jumpTo(no)
		}
		return
	}
	switch x := e.(type) {
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			l.branchOn(x.X, no, yes)
			return
		}
	case *ast.BinaryExpr:
		switch x.Op {
		case token.LAND, token.LOR:
			mid := l.block()
			if x.Op == token.LAND {
				l.branchOn(x.X, mid, no)
			} else {
				l.branchOn(x.X, yes, mid)
			}
			l.continueAt(mid)
			if len(l.c.heavy(x.Y)) > 0 { // Go makes them only here
				l.prepare(x.Y)
				defer l.forget(x.Y) // other ways lead through this code as well
			}
			l.branchOn(x.Y, yes, no)
			return
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			l.comparison(x, yes, no)
			return
		}
	}
	l.branch(isa.BNE, l.expression(e), constOf(0), yes, no)
}

func (l *lowerer) comparison(x *ast.BinaryExpr, yes, no *block) {
	t := l.typeOf(x.X)
	switch {
	case !l.fits(x.X) || !l.fits(x.Y):
	case isStructure(t):
		l.compareWords(x.Op, l.values(x.X), l.values(x.Y), t, yes, no)
	default:
		l.compare(x.Op, l.expression(x.X), l.expression(x.Y), t, yes, no)
	}
}

// compare goes to one of two blocks.
func (l *lowerer) compare(op token.Token, a, b operand, t types.Type, yes, no *block) {
	switch {
	case isFloat(t):
		l.compareFloats(op, a, b, yes, no)
		return
	case a.array != nil && op == token.NEQ:
		l.compareArrays(a.array, b.array, no, yes)
		return
	case a.array != nil:
		l.compareArrays(a.array, b.array, yes, no)
		return
	}
	if op == token.GTR || op == token.LEQ {
		a, b = b, a
	}
	if op == token.LEQ || op == token.GEQ {
		yes, no = no, yes
	}
	test, equal := map[token.Token]opcode{token.EQL: isa.BEQ, token.NEQ: isa.BNE}[op]
	if !equal {
		test = lessThan(t)
	}
	l.branch(test, a, b, yes, no)
}

// fits refuses an expression whose value does not fit words.
func (l *lowerer) fits(e ast.Expr) bool { return l.c.goodValue(e, l.typeOf(e)) }

// maxOf is an upper bound of a whole number that cannot be negative, or -1.
func (l *lowerer) maxOf(e ast.Expr) int64 { return l.upperBound(e, boundLevels) }

// boundLevels is how deep such a bound is looked for [chosen].
const boundLevels = 32

func (l *lowerer) upperBound(e ast.Expr, levels int) int64 {
	if levels == 0 {
		return -1
	}
	l.c.meter.countSteps(1)
	levels--
	e = ast.Unparen(e)
	if tv := l.c.info.Types[e]; tv.Value != nil {
		if v := wordOf(tv.Value, tv.Type); v >= 0 {
			return v
		}
		return -1
	}
	switch x := e.(type) {
	case *ast.Ident:
		if m, ok := l.known[l.c.info.Uses[x]]; ok {
			return m
		}
	case *ast.CallExpr:
		if len(x.Args) == 1 && l.c.info.Types[x.Fun].IsType() && !isFloat(l.typeOf(x.Args[0])) {
			return l.upperBound(x.Args[0], levels)
		}
	case *ast.BinaryExpr:
		return boundOf(x.Op, l.upperBound(x.X, levels), l.upperBound(x.Y, levels), isUnsigned(l.typeOf(x)), l.c.info.Types[x.Y].Value != nil)
	}
	return -1
}

// boundOf returns an upper bound of what an operator gives, from bounds of its operands, or -1.
func boundOf(op token.Token, a, b int64, unsigned, byConstant bool) int64 {
	switch {
	case op == token.AND && a >= 0 && b >= 0:
		return min(a, b)
	case op == token.AND:
		return max(a, b)
	case op == token.REM && b > 0 && (a >= 0 || unsigned) && byConstant:
		return b - 1
	case op == token.SHR && byConstant && b >= 0:
		switch {
		case a >= 0:
			return a >> min(b, 63)
		case unsigned && b > 0:
			return 1<<max(0, 32-b) - 1
		}
	case op == token.ADD && a >= 0 && b >= 0 && a+b < 1<<31:
		return a + b
	case op == token.MUL && a >= 0 && b >= 0 && a < 1<<31 && b < 1<<31 && a*b < 1<<31:
		return a * b
	case op == token.QUO && a >= 0 && b > 0:
		return a
	}
	return -1
}

// takeExtreme gives a register the smaller or the larger of its value and another one.
func (l *lowerer) takeExtreme(by string, r reg, v operand, t types.Type) {
	if isFloat(t) {
		l.takeExtremeFloat(by, r, v)
		return
	}
	low, high := v, inReg(r)
	if by == "max" {
		low, high = high, low
	}
	l.branchIf(lessThan(t), low, high, func() { l.moveInto(r, v) })
}
