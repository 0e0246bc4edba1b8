package compile

import (
	"go/token"
	"math"

	"emsim/isa"
)

// compareFloats branches on a comparison of floats. The machine only has an instruction for less, and a NaN is
// neither less than anything nor equal to it.
func (l *lowerer) compareFloats(op token.Token, a, b operand, yes, no *block) {
	x, y := inReg(l.u.newReg()), inReg(l.u.newReg())
	l.moveInto(x.r, a)
	l.moveInto(y.r, b)
	switch op {
	case token.LSS:
		l.branch(isa.FBLT, x, y, yes, no)
		return
	case token.NEQ:
		yes, no = no, yes
	}
	less, equal := no, yes
	if op == token.LEQ {
		less = yes
	}
	first, second := l.block(), l.block()
	l.branch(isa.FBLT, x, y, less, first)
	l.continueAt(first)
	l.branch(isa.FBLT, y, x, no, second)
	l.continueAt(second)
	for _, v := range []operand{x, y} {
		next := l.block()
		l.branch(isa.BLTU, constOf(int64(int32(-0x1000000))), l.binaryOp(isa.SHL, v, constOf(1)), no, next)
		l.continueAt(next)
	}
	l.jumpTo(equal)
}

// Single precision, as bits [IEEE 754].
const (
	floatSign = 1 << 31
	floatOne  = 0x3f800000
)

// takeExtremeFloat does what takeExtreme does for floats: NaN wins, and -0 is less than 0. If neither value is less,
// they differ at most in the sign of a zero, or one of them is NaN. In the second case, the bitwise or of both is also
// NaN.
func (l *lowerer) takeExtremeFloat(by string, r reg, v operand) {
	low, high := v, inReg(r)
	if by == "max" {
		low, high = high, low
	}
	l.choose(l.test(isa.FBLT, low, high), func() { l.moveInto(r, v) }, func() {
		l.choose(l.test(isa.FBLT, high, low), func() {}, func() {
			both := l.binaryOp(isa.OR, inReg(r), v)
			if by == "max" {
				sign := l.binaryOp(isa.AND, l.binaryOp(isa.XOR, inReg(r), v), constOf(floatSign))
				both = l.binaryOp(isa.XOR, both, sign)
			}
			l.moveInto(r, l.floatOp(isa.FMUL, both, constOf(floatOne))) // makes any NaN the machine's only one
		})
	})
}

// floatOp emits an operation on floats.
func (l *lowerer) floatOp(op opcode, a, b operand) operand {
	return l.computed(op, l.registerArg(a), l.registerArg(b))
}

// reciprocal returns 1/b. It reports whether b is a constant and 1/b is exact. Then multiplying by it gives the same
// rounded result as dividing.
func reciprocal(b operand) (operand, bool) {
	f := math.Float32frombits(uint32(b.imm))
	fraction, _ := math.Frexp(float64(f))
	return constOf(int64(math.Float32bits(1 / f))), b.lit && math.Abs(fraction) == 0.5 && !math.IsInf(float64(1/f), 0)
}

// divideFloats multiplies by the reciprocal of b if that is exact. Otherwise it calls a macro of lib/go.s, whose first
// approximation to 1/b needs two constants.
func (l *lowerer) divideFloats(a, b operand) operand {
	if inverse, exact := reciprocal(b); exact {
		return l.floatOp(isa.FMUL, a, inverse)
	}
	r, x, y := l.u.newReg(), l.registerArg(a), l.registerArg(b)
	l.emit(divideFloats, def(r), x, y, labelArg(l.c.constLabel(48<<31/17)), labelArg(l.c.constLabel(32<<31/17)))
	return inReg(r)
}
