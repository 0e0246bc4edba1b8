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
	t := &turns{at: s, body: s.Body, test: func(turn, end *block) { l.turnIf(s.Cond, turn, end) }, enter: func() {
		counter = l.bound(s) // the condition itself sees one more
	}, next: func() { l.perhaps(s.Post) }}
	if s.Cond != nil {
		t.beside = append(t.beside, s.Cond)
	}
	if s.Post != nil {
		t.beside = append(t.beside, s.Post)
	}
	l.runLoop(t, label)
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

// turns is a loop: what begins a turn, what is in it, and what comes after it.
type turns struct {
	at     ast.Stmt
	body   *ast.BlockStmt
	beside []ast.Node // what else is evaluated in every turn
	test   func(turn, end *block)
	enter  func()
	next   func()
}

// runLoop translates a loop, after what comes before its first turn.
func (l *lowerer) runLoop(t *turns, label string) {
	if x := l.c.flat[t.at]; x != nil {
		end := l.block()
		l.asTree(l.expression(x.call.Args[0]), l.expression(x.call.Args[1]), func() {
			l.makeCalls([]step{l.callStep(x.call)})
			sum := l.vars[x.sum]
			l.moveInto(sum, l.arith(x.op, inReg(sum), l.done[x.call][0], x.sum.Type(), -1))
			delete(l.done, x.call)
			l.jumpTo(end)
		})
		defer func() { l.goInto(end) }()
		if l.cur == nil {
			return
		}
	}
	x, why := l.addsUp(t)
	if x != nil {
		l.addUp(x)
		return
	}
	if list := l.waits(t.at); why != "" {
		l.waitsFor(l.c.lineOf(t.at), list[len(list)-1], why)
	}
	known := len(l.pieces)
	l.placeBefore(t.at)
	l.loop(label, t.test, func(_, _ *block) {
		t.enter()
		l.stmts(t.body.List)
	}, func() { l.nextTurn(t) })
	l.pieces = l.pieces[:known]
}

// addUp translates a loop that adds up.
func (l *lowerer) addUp(x *sumLoop) {
	if x.several {
		x.gather = l.newGather(mostAsked, nil)
		x.unit = mostAsked
		l.chain(x, 1)
	} else {
		x.gather = l.newGather(2, nil)
		x.begun, x.second = l.u.newReg(), l.block()
		x.second.second = true
		l.moveInto(x.begun, constOf(0))
		l.chain(x, 1)
		l.continueAt(x.second)
		l.chain(x, 2)
	}
	l.line = l.c.lineOf(x.at)
	l.gathered(x.gather)
}

// waitsFor notes a loop that waits in every turn.
func (l *lowerer) waitsFor(line int, call ast.Expr, why string) {
	at, what := l.c.lineName(l.c.lineOf(call)), types.ExprString(call)
	note := fmt.Sprintf("%s waits in every turn for %s (%s): %s.", l.c.lineName(line), what, at, why)
	if !slices.Contains(l.u.waits, note) {
		l.u.waits = append(l.u.waits, note)
	}
}

// loop translates a loop: test ends its head with the condition, and next comes behind
// every turn, at post.
func (l *lowerer) loop(label string, test func(turn, end *block), body func(head, post *block), next func()) {
	end := l.block()
	l.u.depth++
	head, turn, post := l.block(), l.block(), l.block()
	l.goInto(head)
	test(turn, end)
	l.continueAt(turn)
	l.loopBody(label, end, post, func() { body(head, post) })
	l.goInto(post)
	next()
	l.cutBlock("next turn", false)
	l.jumpTo(head)
	l.u.depth--
	l.continueAt(end)
}

// nextTurn translates what comes behind a turn, on the line of the loop.
func (l *lowerer) nextTurn(t *turns) {
	l.line = l.c.lineOf(t.at)
	t.next()
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
		l.runLoop(&turns{at: s, body: s.Body, test: func(turn, end *block) {
			if isUnsigned(t) {
				l.branch(isa.BNE, inReg(left), constOf(0), turn, end)
			} else {
				l.branch(isa.BLT, constOf(0), inReg(left), turn, end)
			}
		}, enter: func() {}, next: func() { l.moveInto(left, l.binaryOp(isa.SUB, inReg(left), constOf(1))) }}, label)
		return
	}
	i := l.fresh("i")
	l.moveInto(i, constOf(0))
	l.runLoop(&turns{at: s, body: s.Body, test: func(turn, end *block) { l.branch(lessThan(t), inReg(i), n, turn, end) }, enter: func() {
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
	}, next: func() { l.moveInto(i, l.binaryOp(isa.ADD, inReg(i), constOf(1))) }}, label)
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
