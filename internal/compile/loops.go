package compile

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"

	"emsim/internal/base/lists"
	"emsim/isa"
)

func (l *lowerer) loopBody(label string, brk, cont *block, body func()) {
	l.target = append(l.target, target{label, brk, cont})
	body()
	l.target = l.target[:len(l.target)-1]
}

func (l *lowerer) forStmt(s *ast.ForStmt, label string) {
	l.perhaps(s.Init)
	l.line = l.c.lineOf(s)
	var counter types.Object
	l.runLoop(s, label, func(turn, end *block) { l.turnIf(s.Cond, turn, end) }, func() {
		counter = l.bound(s) // the condition itself sees one more
		l.stmts(s.Body.List)
	}, func() { l.perhaps(s.Post) })
	delete(l.known, counter)
}

// turnIf begins a turn of a loop if its condition, where it has one, holds.
func (l *lowerer) turnIf(cond ast.Expr, turn, end *block) {
	if cond == nil {
		l.jumpTo(turn)
		return
	}
	l.prepare(cond)
	l.branchOn(cond, turn, end)
}

// runLoop translates a loop that has no form, after what comes before its first turn: test ends its head with the
// condition, and next comes behind every turn.
func (l *lowerer) runLoop(at ast.Stmt, label string, test func(turn, end *block), body, next func()) {
	if list := l.waits(at); len(list) > 0 && !l.own && !l.c.streams(at) {
		l.waitsFor(l.c.lineOf(at), list[len(list)-1], mayLeave)
	}
	known := len(l.pieces)
	l.placeBefore(at)
	end := l.block()
	l.u.depth++
	head, turn, post := l.block(), l.block(), l.block()
	l.goInto(head)
	test(turn, end)
	l.continueAt(turn)
	l.loopBody(label, end, post, body)
	l.goInto(post)
	l.line = l.c.lineOf(at)
	next()
	l.cutBlock("next turn", false)
	l.jumpTo(head)
	l.u.depth--
	l.continueAt(end)
	l.pieces = l.pieces[:known]
}

// waitsFor notes a loop that waits in every turn.
func (l *lowerer) waitsFor(line int, call ast.Expr, why string) {
	at, what := l.c.lineName(l.c.lineOf(call)), types.ExprString(call)
	note := fmt.Sprintf("%s waits in every turn for %s (%s): %s.", l.c.lineName(line), what, at, why)
	if !slices.Contains(l.u.waits, note) {
		l.u.waits = append(l.u.waits, note)
	}
}

// bound notes what a loop's own variable can be inside, if only the loop
// changes it, and returns it: for i := A; i < B; i++.
func (l *lowerer) bound(s *ast.ForStmt) types.Object {
	init, ok1 := s.Init.(*ast.AssignStmt)
	cond, ok2 := s.Cond.(*ast.BinaryExpr)
	post, ok3 := s.Post.(*ast.IncDecStmt)
	if !ok1 || !ok2 || !ok3 || init.Tok != token.DEFINE || len(init.Lhs) != 1 || len(init.Rhs) != 1 ||
		post.Tok != token.INC {
		return nil
	}
	obj := l.c.info.Defs[init.Lhs[0].(*ast.Ident)]
	if obj == nil || l.c.named(cond.X) != obj || l.maxOf(init.Rhs[0]) < 0 || l.c.assigned(s.Body, obj) {
		return nil
	}
	most := l.maxOf(cond.Y)
	if cond.Op == token.LSS {
		most--
	}
	if most < 0 || cond.Op != token.LSS && cond.Op != token.LEQ ||
		most == math.MaxInt32 { // from the largest number on it wraps
		return nil
	}
	l.known[obj] = most
	return obj
}

func (l *lowerer) rangeStmt(s *ast.RangeStmt, label string) {
	t := l.typeOf(s.X)
	if chanOf(t) != nil {
		l.rangeChan(s, label)
		return
	}
	id, named := s.Key.(*ast.Ident)
	counts := (s.Key == nil || named && id.Name == "_") && s.Value == nil
	n, most, from := l.rangeOf(s)
	if !n.lit && n.r == none {
		return
	}
	if counts { // what is left
		left := l.fresh("left")
		l.moveInto(left, n)
		l.runLoop(s, label, func(turn, end *block) {
			if isUnsigned(t) {
				l.branch(isa.BNE, inReg(left), constOf(0), turn, end)
			} else {
				l.branch(isa.BLT, constOf(0), inReg(left), turn, end)
			}
		}, func() { l.stmts(s.Body.List) }, func() { l.moveInto(left, l.binaryOp(isa.SUB, inReg(left), constOf(1))) })
		return
	}
	i := l.fresh("i")
	l.moveInto(i, constOf(0))
	l.runLoop(s, label, func(turn, end *block) { l.branch(lessThan(t), inReg(i), n, turn, end) }, func() {
		obj := l.c.info.Defs[id]
		if s.Value != nil {
			l.defineElement(s, l.within(from, inReg(i), arrayType(t).Elem()))
		}
		switch {
		case named && id.Name == "_":
		case s.Tok != token.DEFINE:
			l.errorf(s.Key, "the loop needs a variable of its own: write :=")
		case l.c.assigned(s.Body, obj):
			l.define(id, inReg(i))
		default:
			l.u.names[i] = l.c.plain(id.Name)
			l.vars[obj] = i
			if most >= 0 {
				l.known[obj] = most
			}
		}
		l.stmts(s.Body.List)
	}, func() { l.moveInto(i, l.binaryOp(isa.ADD, inReg(i), constOf(1))) })
	if named {
		delete(l.known, l.c.info.Defs[id])
	}
}

// rangeOf is how many turns a loop over a number or an array has, and most the last index
// if it is bounded. It reports errors, and then there is no number.
func (l *lowerer) rangeOf(s *ast.RangeStmt) (n operand, most int64, from *spot) {
	t, value := l.typeOf(s.X), l.c.info.Types[s.X].Value
	k := kindOf(t)
	switch arr := arrayType(t); {
	case arr != nil:
		if s.Value != nil {
			l.prepare(s.X)
			if from = l.array(s.X); l.c.assigned(s.Body, l.c.rootOf(s.X)) {
				from = l.snapshot(s.X, operand{array: from}).array
			}
		}
		return constOf(arr.Len()), arr.Len() - 1, from
	case fitsInt32(value), value != nil && k == types.Uint32:
		return constOf(wordOf(value, t)), l.maxOf(s.X) - 1, nil
	case k != types.Int32 && k != types.Uint32:
		if !l.c.goodType(s.X, t) {
			break
		}
		l.errorf(s.X, "a loop counts over a number: write for i := range n, or for i := int32(0); i < n; i++")
	default:
		l.prepare(s.X)
		return l.copied(l.expression(s.X)), l.maxOf(s.X) - 1, nil
	}
	return operand{r: none}, -1, nil
}

// fitsInt32 reports a constant that a signed word holds.
func fitsInt32(v constant.Value) bool {
	if v == nil {
		return false
	}
	n, exact := constant.Int64Val(constant.ToInt(v))
	return exact && n == int64(int32(n))
}

func (l *lowerer) switchStmt(s *ast.SwitchStmt, label string) {
	l.perhaps(s.Init)
	test := l.branchOn
	if s.Tag != nil {
		t := l.typeOf(s.Tag)
		if !l.fits(s.Tag) {
			return
		}
		l.prepare(s.Tag)
		tag := lists.Of(l.values(s.Tag), l.copied)
		test = func(e ast.Expr, yes, no *block) { l.compareWords(token.EQL, tag, l.values(e), t, yes, no) }
	}
	end := l.block()
	var rest *ast.CaseClause
	for _, x := range s.Body.List {
		cc := x.(*ast.CaseClause)
		if cc.List == nil {
			rest = cc
			continue
		}
		body, next := l.block(), l.block()
		for i, e := range cc.List {
			other := next
			if i < len(cc.List)-1 {
				other = l.block()
			}
			l.line = l.c.lineOf(e)
			l.prepare(e)
			test(e, body, other)
			l.continueAt(other)
		}
		l.continueAt(body)
		l.loopBody(label, end, nil, func() { l.stmts(cc.Body) })
		l.jumpTo(end)
		l.continueAt(next)
	}
	if rest != nil {
		l.loopBody(label, end, nil, func() { l.stmts(rest.Body) })
	}
	l.goInto(end)
}

func (l *lowerer) branchStmt(s *ast.BranchStmt) {
	if s.Tok != token.BREAK && s.Tok != token.CONTINUE {
		l.errorf(s, "%s has no translation: write a loop, or an if statement", s.Tok)
		return
	}
	for _, t := range slices.Backward(l.target) {
		to := t.cont
		if s.Tok == token.BREAK {
			to = t.brk
		}
		if to != nil && (s.Label == nil || s.Label.Name == t.label) {
			l.jumpTo(to)
			return
		}
	}
	l.errorf(s, "there is no loop to leave here")
}
