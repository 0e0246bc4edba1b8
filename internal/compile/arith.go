package compile

import (
	"go/constant"
	"go/token"
	"go/types"
	"math/bits"

	"emsim/isa"
)

func isFloat(t types.Type) bool    { return kindOf(t) == types.Float32 }
func isUnsigned(t types.Type) bool { return kindOf(t) == types.Uint32 }

// lessThan returns the branch opcode that compares numbers of a type.
func lessThan(t types.Type) opcode {
	if isUnsigned(t) {
		return isa.BLTU
	}
	return isa.BLT
}

var simple = map[token.Token]opcode{token.ADD: isa.ADD, token.SUB: isa.SUB, token.MUL: isa.MUL, token.AND: isa.AND, token.OR: isa.OR, token.XOR: isa.XOR}

var floating = map[token.Token]opcode{token.ADD: isa.FADD, token.SUB: isa.FSUB, token.MUL: isa.FMUL}

// arith lowers an operation on two values of type t. most is an upper bound of a, or -1.
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
		if v, known := withConstant(op, a, b); known {
			return v
		}
		if op == token.MUL && b.lit && b.imm > 0 && bits.OnesCount64(uint64(b.imm)) == 1 {
			return l.binaryOp(isa.SHL, a, constOf(int64(bits.TrailingZeros64(uint64(b.imm)))))
		}
		return l.binaryOp(simple[op], a, b)
	case token.SUB:
		if v, known := withConstant(op, a, b); known {
			return v
		}
		return l.binaryOp(isa.SUB, a, b)
	case token.AND_NOT:
		if b.lit {
			return l.binaryOp(isa.AND, a, constOf(^b.imm))
		}
		return l.binaryOp(isa.AND, a, l.binaryOp(isa.XOR, b, constOf(-1)))
	}
	return l.divide(op, a, b, t, most)
}

// withConstant folds an operation on two constants, and an operation with 0 or 1 that needs no instruction. known
// reports whether it has done so.
func withConstant(op token.Token, a, b operand) (v operand, known bool) {
	switch {
	case !b.lit:
	case a.lit:
		x, y := constant.MakeInt64(a.imm), constant.MakeInt64(b.imm)
		n, _ := constant.Int64Val(constant.BinaryOp(x, op, y))
		return constOf(n), true
	case op == token.MUL && b.imm == 0:
		return b, true
	case op == token.MUL && b.imm == 1, op != token.MUL && op != token.AND && b.imm == 0:
		return a, true
	}
	return v, false
}

// compare emits a branch to yes if "a op b" holds, and to no otherwise.
func (l *lowerer) compare(op token.Token, a, b operand, t types.Type, yes, no *block) {
	if isFloat(t) {
		l.compareFloats(op, a, b, yes, no)
		return
	}
	if op == token.LEQ {
		a, b, yes, no = b, a, no, yes
	}
	test, equal := map[token.Token]opcode{token.EQL: isa.BEQ, token.NEQ: isa.BNE}[op]
	if !equal {
		test = lessThan(t)
	}
	l.branch(test, a, b, yes, no)
}

// boundOf returns an upper bound of an operator's result, from bounds of its operands. -1 means that a bound is not
// known. byConstant says that the second operand is a constant.
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

// takeExtreme replaces the value of a register by v if v is smaller or, with by = "max", if v is larger.
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
