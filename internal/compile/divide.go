package compile

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math/bits"
)

// divide is / and %: the machine divides signed numbers, and Go panics where
// the divisor is 0.
func (l *lowerer) divide(op token.Token, a, b operand, t types.Type, most int64) operand {
	name := map[token.Token]string{token.QUO: "div", token.REM: "rem"}[op]
	if !b.lit || b.isZero() {
		ok := l.block()
		l.branch("beq", b, constOf(0), l.panics("divide"), ok)
		l.at(ok)
	}
	if b.lit && b.imm > 0 && bits.OnesCount64(uint64(b.imm)) == 1 {
		return l.dividePower(op, a, int64(bits.TrailingZeros64(uint64(b.imm))), isUnsigned(t) || most >= 0)
	}
	if !isUnsigned(t) || most >= 0 && b.lit && b.imm > 0 {
		return l.op(name, a, b)
	}
	q := l.unsignedQuotient(a, b)
	if op == token.QUO {
		return q
	}
	return l.op("sub", a, l.op("mul", q, b))
}

// dividePower divides by 2 to the power of n.
func (l *lowerer) dividePower(op token.Token, a operand, n int64, positive bool) operand {
	if n == 0 {
		if op == token.QUO {
			return a
		}
		return constOf(0)
	}
	switch {
	case positive && op == token.QUO:
		return l.op("shr", a, constOf(n))
	case positive:
		return l.op("and", a, constOf(1<<n-1))
	}
	sign := l.op("shr", l.op("sar", a, constOf(31)), constOf(32-n)) // rounds towards zero
	q := l.op("sar", l.op("add", a, sign), constOf(n))
	if op == token.QUO {
		return q
	}
	return l.op("sub", a, l.op("shl", q, constOf(n)))
}

// unsignedQuotient divides half of a, which is not negative, and corrects.
func (l *lowerer) unsignedQuotient(a, b operand) operand {
	q := l.fresh("q")
	small, large, fix, end := l.block(), l.block(), l.block(), l.block()
	l.branch("blt", b, constOf(0), large, small)
	l.at(large) // a divisor from 2^31 on: the quotient is 0 or 1
	l.move(q, constOf(0))
	one := l.block()
	l.branch("bltu", a, b, end, one)
	l.at(one)
	l.move(q, constOf(1))
	l.jump(end)
	l.at(small)
	half := l.op("shl", l.op("div", l.op("shr", a, constOf(1)), b), constOf(1))
	rest := l.op("sub", a, l.op("mul", half, b))
	l.move(q, half)
	l.branch("bltu", rest, b, end, fix)
	l.at(fix)
	l.move(q, l.op("add", inReg(q), constOf(1)))
	l.jump(end)
	l.at(end)
	return inReg(q)
}

// count is a shift count or an index: a constant may be an int.
func (l *lowerer) count(e ast.Expr) operand {
	if v := l.c.info.Types[e].Value; v != nil {
		if n, ok := constant.Int64Val(constant.ToInt(v)); ok && n <= 1<<20 {
			return constOf(n)
		}
		return constOf(1 << 20)
	}
	return l.expr(e)
}

// shift is << and >>. The machine looks at the low bits of the count only.
func (l *lowerer) shift(op token.Token, a, b operand, t types.Type, count ast.Expr) operand {
	name := "shl"
	if op == token.SHR {
		if name = "sar"; isUnsigned(t) {
			name = "shr"
		}
	}
	if b.lit {
		switch {
		case b.imm >= 0 && b.imm < 32:
			return l.op(name, a, b)
		case name == "sar":
			return l.op(name, a, constOf(31))
		}
		return constOf(0)
	}
	if !isUnsigned(l.typeOf(count)) && l.maxOf(count) < 0 {
		ok := l.block()
		l.branch("blt", b, constOf(0), l.panics("shift"), ok)
		l.at(ok)
	}
	if m := l.maxOf(count); m >= 0 && m < 32 {
		return l.op(name, a, b)
	}
	r := l.fresh("shifted")
	in, out, end := l.block(), l.block(), l.block()
	l.branch("bltu", b, constOf(32), in, out)
	l.at(in)
	l.move(r, l.op(name, a, b))
	l.jump(end)
	l.at(out)
	if name == "sar" {
		l.move(r, l.op(name, a, constOf(31)))
	} else {
		l.move(r, constOf(0))
	}
	l.jump(end)
	l.at(end)
	return inReg(r)
}
