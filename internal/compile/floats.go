package compile

import (
	"go/token"
	"math"
)

// compareFloats has one instruction to work with, which says less; a NaN is
// neither less than anything nor equal to it.
func (l *lowerer) compareFloats(op token.Token, a, b operand, yes, no *block) {
	x, y := inReg(l.u.newReg()), inReg(l.u.newReg())
	l.moveInto(x.r, a)
	l.moveInto(y.r, b)
	switch op {
	case token.LSS:
		l.branch("fblt", x, y, yes, no)
		return
	case token.GTR:
		l.branch("fblt", y, x, yes, no)
		return
	case token.NEQ:
		yes, no = no, yes
	}
	less, equal := no, yes
	first, second := l.block(), l.block()
	switch op {
	case token.LEQ:
		less = yes
	case token.GEQ:
		x, y, less = y, x, yes
	}
	l.branch("fblt", x, y, less, first)
	l.continueAt(first)
	l.branch("fblt", y, x, no, second)
	l.continueAt(second)
	for _, v := range []operand{x, y} {
		next := l.block()
		l.branch("bltu", constOf(int64(int32(-0x1000000))), l.binaryOp("shl", v, constOf(1)), no, next)
		l.continueAt(next)
	}
	l.jumpTo(equal)
}

// Single precision, as bits [IEEE 754].
const (
	floatSign     = 1 << 31
	floatInf      = 0x7f800000
	floatOne      = 0x3f800000
	floatFraction = 23 // bits behind the first one
	floatBias     = 127
	floatOdd      = 255 // the exponent of infinities and NaNs
)

// takeExtremeFloat is takeExtreme for floats: NaN wins, and -0 is less than 0. Where neither
// is less, they are equal but for the sign of a zero, or one is NaN, and so is the or of both.
func (l *lowerer) takeExtremeFloat(by string, r reg, v operand) {
	low, high := v, inReg(r)
	if by == "max" {
		low, high = high, low
	}
	take, keep, equal, end := l.block(), l.block(), l.block(), l.block()
	l.branch("fblt", low, high, take, keep)
	l.continueAt(take)
	l.moveInto(r, v)
	l.jumpTo(end)
	l.continueAt(keep)
	l.branch("fblt", high, low, end, equal)
	l.continueAt(equal)
	both := l.binaryOp("or", inReg(r), v)
	if by == "max" {
		both = l.binaryOp("xor", both, l.binaryOp("and", l.binaryOp("xor", inReg(r), v), constOf(floatSign)))
	}
	l.moveInto(r, l.floatOp("fmul", both, constOf(floatOne))) // the one NaN of the machine
	l.goInto(end)
}

// floatOp emits an operation on floats.
func (l *lowerer) floatOp(name string, a, b operand) operand {
	return l.computed(name, l.registerArg(a), l.registerArg(b))
}

// reciprocal is 1/b if that is exact: multiplying by it rounds what dividing would round.
func reciprocal(b operand) (operand, bool) {
	f := math.Float32frombits(uint32(b.imm))
	fraction, _ := math.Frexp(float64(f))
	return constOf(int64(math.Float32bits(1 / f))), b.lit && math.Abs(fraction) == 0.5 && !math.IsInf(float64(1/f), 0)
}

// divideFloats divides the fractions as whole numbers, to two bits more than a result has and
// a third that says whether anything is left, and rounds once.
func (l *lowerer) divideFloats(a, b operand) operand {
	if inverse, exact := reciprocal(b); exact {
		return l.floatOp("fmul", a, inverse)
	}
	op := l.binaryOp
	r, odd, end := l.fresh("quotient"), l.block(), l.block()
	var exp, top [2]operand // top is a fraction with its first bit at bit 31
	given := [2]operand{inReg(l.fresh("x")), inReg(l.fresh("y"))}
	l.moveInto(given[0].r, a)
	l.moveInto(given[1].r, b)
	for i := range given {
		exp[i] = inReg(l.fresh("exponent"))
		size := inReg(l.fresh("size"))
		l.moveInto(size.r, op("shr", op("shl", given[i], constOf(1)), constOf(1)))
		l.moveInto(exp[i].r, op("shr", size, constOf(floatFraction)))
		normal, rare, small, zero := l.block(), l.block(), l.block(), l.block()
		l.branch("bltu", op("sub", exp[i], constOf(1)), constOf(floatOdd-1), normal, rare)
		l.continueAt(rare)
		l.branch("bne", exp[i], constOf(0), odd, zero)
		l.continueAt(zero)
		l.branch("bne", size, constOf(0), small, odd)
		l.continueAt(small)
		const up = floatFraction + 1
		l.moveInto(size.r, l.floatOp("fmul", size, constOf((floatBias+up)<<floatFraction)))
		l.moveInto(exp[i].r, op("sub", op("shr", size, constOf(floatFraction)), constOf(up)))
		l.goInto(normal)
		top[i] = op("or", op("shl", size, constOf(31-floatFraction)), constOf(floatSign))
	}
	n, exponent := inReg(l.fresh("n")), inReg(l.fresh("exponent"))
	l.moveInto(exponent.r, op("add", op("sub", exp[0], exp[1]), constOf(floatBias)))
	l.choose(func(less, more *block) { l.branch("bltu", top[0], top[1], less, more) }, func() {
		l.moveInto(n.r, op("shr", top[0], constOf(30-floatFraction)))
		l.moveInto(exponent.r, op("sub", exponent, constOf(1)))
	}, func() { l.moveInto(n.r, op("shr", top[0], constOf(31-floatFraction))) })
	l.moveInto(r, op("or", l.rounded(l.fractionOf(n, top[1]), exponent), op("and", op("xor", given[0], given[1]), constOf(floatSign))))
	l.jumpTo(end)
	l.continueAt(odd) // a factor that makes of 0, infinity and NaN what the division would: 0 and infinity change places
	l.branchIf("beq", op("shl", given[1], constOf(32-floatFraction)), constOf(0), func() {
		l.moveInto(given[1].r, op("xor", given[1], constOf(floatInf)))
	})
	l.moveInto(r, l.floatOp("fmul", given[0], given[1]))
	l.goInto(end)
	return inReg(r)
}

// fractionOf is n * 2^25 by a divisor whose first bit is bit 31, for a quotient from 1 on and
// less than 2, and in bit 0 whether anything is left. Newton's steps make of 48/17 - 32/17 d,
// which is nearly 1/d from 1/2 to 1, a reciprocal that is a little too small: by 2 in the last
// place at most, so that the quotient is right or 1 too small [measured for all divisors].
func (l *lowerer) fractionOf(n, top operand) operand {
	op := l.binaryOp
	y := op("sub", constOf(48<<31/17), op("mulhu", top, constOf(32<<31/17)))
	for range 3 {
		y = op("shl", op("mulhu", y, op("xor", op("mulhu", top, y), constOf(-1))), constOf(1))
	}
	q, rest := inReg(l.fresh("q")), inReg(l.fresh("rest"))
	divisor := op("shr", top, constOf(31-floatFraction))
	l.moveInto(q.r, op("shr", op("mulhu", op("shl", n, constOf(7)), y), constOf(5)))
	l.moveInto(rest.r, op("sub", op("shl", n, constOf(floatFraction+2)), op("mul", q, divisor)))
	done, more := l.block(), l.block()
	l.branch("bltu", rest, divisor, done, more)
	l.continueAt(more)
	l.moveInto(q.r, op("add", q, constOf(1)))
	l.moveInto(rest.r, op("sub", rest, divisor))
	l.goInto(done)
	return op("or", q, l.isSet(rest))
}

// isSet is 1 for a number that is not 0.
func (l *lowerer) isSet(v operand) operand {
	return l.binaryOp("shr", l.binaryOp("or", v, l.binaryOp("sub", constOf(0), v)), constOf(31))
}

// rounded makes a float of a fraction with two more bits, and its exponent.
func (l *lowerer) rounded(fraction, exponent operand) operand {
	op := l.binaryOp
	f, r, end := inReg(l.fresh("fraction")), l.fresh("rounded"), l.block()
	l.moveInto(f.r, fraction)
	l.branchIf("blt", exponent, constOf(1), func() { // fewer bits, down to none
		by := inReg(l.fresh("by"))
		l.moveInto(by.r, op("sub", constOf(1), exponent))
		l.branchIf("blt", constOf(31), by, func() { l.moveInto(by.r, constOf(31)) })
		lost := l.isSet(op("shl", f, op("sub", constOf(32), by)))
		l.moveInto(f.r, op("or", op("shr", f, by), lost))
		l.moveInto(exponent.r, constOf(1))
	})
	l.moveInto(r, constOf(floatInf))
	fits := l.block()
	l.branch("blt", exponent, constOf(floatOdd), fits, end)
	l.continueAt(fits)
	even := op("and", op("shr", f, constOf(2)), constOf(1))
	l.moveInto(f.r, op("shr", op("add", op("add", f, constOf(1)), even), constOf(2)))
	l.moveInto(r, op("add", op("shl", op("sub", exponent, constOf(1)), constOf(floatFraction)), f))
	l.goInto(end)
	return inReg(r)
}
