package compile

import (
	"go/token"
	"go/types"
	"math/bits"

	"emsim/isa"
)

// divide lowers / and %. The machine divides only signed numbers, and Go panics if the divisor is 0, so both cases need
// extra code.
func (l *lowerer) divide(op token.Token, a, b operand, t types.Type, most int64) operand {
	name := map[token.Token]opcode{token.QUO: isa.DIV, token.REM: isa.REM}[op]
	if !b.lit || b.isZero() {
		l.stopIf(isa.BEQ, b, constOf(0), "divide")
	}
	if b.lit && b.imm > 0 && bits.OnesCount64(uint64(b.imm)) == 1 {
		return l.dividePower(op, a, int64(bits.TrailingZeros64(uint64(b.imm))), isUnsigned(t) || most >= 0)
	}
	var q operand
	switch {
	case b.lit && b.imm > 0:
		q = l.byProduct(a, uint64(b.imm), isUnsigned(t), most >= 0)
	case isUnsigned(t):
		q = l.unsignedQuotient(a, b)
	default:
		return l.binaryOp(name, a, b)
	}
	if op == token.QUO {
		return q
	}
	return l.binaryOp(isa.SUB, a, l.binaryOp(isa.MUL, q, b))
}

// dividePower divides by 2 to the power of n.
func (l *lowerer) dividePower(op token.Token, a operand, n int64, positive bool) operand {
	switch {
	case n == 0 && op == token.QUO:
		return a
	case n == 0:
		return constOf(0)
	case positive && op == token.QUO:
		return l.binaryOp(isa.SHR, a, constOf(n))
	case positive:
		return l.binaryOp(isa.AND, a, constOf(1<<n-1))
	}
	sign := l.binaryOp(isa.SHR, l.binaryOp(isa.SAR, a, constOf(31)), constOf(32-n)) // rounds towards zero
	q := l.binaryOp(isa.SAR, l.binaryOp(isa.ADD, a, sign), constOf(n))
	if op == token.QUO {
		return q
	}
	return l.binaryOp(isa.SUB, a, l.binaryOp(isa.SHL, q, constOf(n)))
}

// byProduct divides by a constant d by multiplying by its reciprocal, which takes 5 to 10 clocks instead of 32
// (Granlund and Montgomery 1994, theorem 4.2). For dividends up to 2^31 the reciprocal needs 32 bits, for larger ones
// 33.
func (l *lowerer) byProduct(a operand, d uint64, unsigned, positive bool) operand {
	n := bits.Len64(d - 1)
	reciprocal := func(width int) operand { return constOf(int64((1<<(width+n) + d - 1) / d)) }
	high := func(a operand) operand {
		return l.binaryOp(isa.SHR, l.binaryOp(isa.MULHU, a, reciprocal(31)), constOf(int64(n-1)))
	}
	switch {
	case positive:
		return high(a)
	case unsigned: // the product with the highest bit of the reciprocal is a itself
		q := l.binaryOp(isa.MULHU, a, reciprocal(32))
		half := l.binaryOp(isa.SHR, l.binaryOp(isa.SUB, a, q), constOf(1))
		return l.binaryOp(isa.SHR, l.binaryOp(isa.ADD, half, q), constOf(int64(n-1)))
	}
	sign := l.binaryOp(isa.SAR, a, constOf(31))
	signed := func(a operand) operand { return l.binaryOp(isa.SUB, l.binaryOp(isa.XOR, a, sign), sign) }
	return signed(high(signed(a)))
}

// unsignedQuotient divides half of a, which is not negative as a signed number, and corrects the quotient. If the
// divisor is at least 2^31, the quotient is 0 or 1.
func (l *lowerer) unsignedQuotient(a, b operand) operand {
	q := l.fresh("q")
	l.choose(l.test(isa.BLT, b, constOf(0)), func() {
		l.moveInto(q, constOf(0))
		l.choose(l.test(isa.BLTU, a, b), func() {}, func() { l.moveInto(q, constOf(1)) })
	}, func() {
		half := l.binaryOp(isa.SHL, l.binaryOp(isa.DIV, l.binaryOp(isa.SHR, a, constOf(1)), b), constOf(1))
		rest := l.binaryOp(isa.SUB, a, l.binaryOp(isa.MUL, half, b))
		l.moveInto(q, half)
		one := func() { l.moveInto(q, l.binaryOp(isa.ADD, inReg(q), constOf(1))) }
		l.choose(l.test(isa.BLTU, rest, b), func() {}, one)
	})
	return inReg(q)
}

// shift emits << or >>. The machine looks only at the low bits of the count. most is an upper bound of the count, or -1
// if the count may be negative.
func (l *lowerer) shift(op token.Token, a, b operand, t types.Type, most int64) operand {
	name := isa.SHL
	if op == token.SHR {
		if name = isa.SAR; isUnsigned(t) {
			name = isa.SHR
		}
	}
	if b.lit {
		if b.imm >= 0 && b.imm < 32 {
			return l.binaryOp(name, a, b)
		}
		return l.shiftedOut(name, a)
	}
	if most < 0 {
		l.stopIf(isa.BLT, b, constOf(0), "shift")
	}
	if most >= 0 && most < 32 {
		return l.binaryOp(name, a, b)
	}
	r := l.fresh("shifted")
	l.choose(l.test(isa.BLTU, b, constOf(32)), func() {
		l.moveInto(r, l.binaryOp(name, a, b))
	}, func() { l.moveInto(r, l.shiftedOut(name, a)) })
	return inReg(r)
}

// shiftedOut returns what a shift by 32 or more leaves.
func (l *lowerer) shiftedOut(name opcode, a operand) operand {
	if name == isa.SAR {
		return l.binaryOp(name, a, constOf(31))
	}
	return constOf(0)
}
