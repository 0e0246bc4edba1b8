package compile

import "go/token"

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
