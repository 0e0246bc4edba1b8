package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A loop that only adds up the results of calls makes them one after the other
// without waiting: "sum += f(x)" as the last statement of the loop. Two chains of
// blocks take turns, so that two requests are under way, one for each choice of
// a policy. Both begin in the first block: a token for the second one would wait
// in the queue of a busy PE, and meanwhile the first one would make most calls.
// A node adds the results and counts what is open.

// sumLoop is such a loop.
type sumLoop struct {
	*gather
	s    *ast.ForStmt
	last *ast.AssignStmt
	call *ast.CallExpr
	sum  types.Object
	op   token.Token

	begun  reg    // in the first chain: whether the second one has begun
	second *block // where it begins
}

// gather is a number of results that are added up as they come.
type gather struct {
	add     func(v operand)
	open    reg    // how many are to come, the instance's own parts included
	count   *block // the node where they come
	counted *block // and what follows there
	end     *block // behind the last one
	wakes   []*block
}

// newGather makes the node for the results of a number of parts, to which more
// can be added.
func (l *lowerer) newGather(parts int64, add func(v operand)) *gather {
	g := &gather{add: add, open: l.fresh("open"), end: l.block()}
	r := l.u.newReg()
	code := l.cur
	g.count = l.u.newNode("count", "a result", l.line, r)
	g.wakes = []*block{g.count}
	l.cur = g.count
	add(inReg(r))
	g.counted, l.cur = l.cur, code
	l.moveInto(g.open, constOf(parts))
	return g
}

// oneMore is a part that begins.
func (l *lowerer) oneMore(g *gather) {
	l.moveInto(g.open, l.binaryOp("add", inReg(g.open), constOf(1)))
}

// endOne counts a result or the end of a part; behind the last one the code
// after all of them goes on.
func (l *lowerer) endOne(g *gather) {
	l.countDown(g)
	l.awaitResults(g)
}

// countDown is the same, and leaves open what becomes of the block.
func (l *lowerer) countDown(g *gather) {
	l.moveInto(g.open, l.binaryOp("sub", inReg(g.open), constOf(1)))
	more := l.block()
	l.branch("beq", inReg(g.open), constOf(0), g.end, more)
	l.continueAt(more)
}

// awaitResults ends the strongly connected block while results are to come.
func (l *lowerer) awaitResults(g *gather) {
	l.here().waitsFor = g
	l.cur = nil
}

// gathered goes on behind all parts.
func (l *lowerer) gathered(g *gather) {
	l.continueAt(g.counted)
	l.endOne(g)
	for _, b := range l.u.blocks { // whoever stops inside waits for all of them
		if b.waitsFor == g {
			b.wakes = append(b.wakes, g.wakes...)
		}
	}
	l.continueAt(g.end)
}

// addsUp finds out whether a loop is one.
func (l *lowerer) addsUp(s *ast.ForStmt) *sumLoop {
	n := len(s.Body.List)
	if l.u.system || n == 0 || len(l.c.heavy(s)) != 1 || l.c.leaves(s.Body) || l.c.streams(s) {
		return nil
	}
	last, ok := s.Body.List[n-1].(*ast.AssignStmt)
	if !ok || len(last.Lhs) != 1 {
		return nil
	}
	ops := map[token.Token]token.Token{token.ADD_ASSIGN: token.ADD, token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR, token.AND_ASSIGN: token.AND, token.MUL_ASSIGN: token.MUL}
	op, ok := ops[last.Tok]
	id, isVar := last.Lhs[0].(*ast.Ident)
	call, isCall := ast.Unparen(last.Rhs[0]).(*ast.CallExpr)
	if !ok || !isVar || !isCall || !l.c.isHeavy(call) || l.c.alone(call) || isFloat(l.typeOf(id)) {
		return nil
	}
	sum := l.c.info.Uses[id]
	vars := map[types.Object]bool{sum: true}
	before := slices.ContainsFunc(s.Body.List[:n-1], func(x ast.Stmt) bool { return l.c.mentions(x, vars) })
	if before || l.c.mentions(call, vars) || s.Cond != nil && l.c.mentions(s.Cond, vars) || s.Post != nil && l.c.mentions(s.Post, vars) {
		return nil
	}
	return &sumLoop{s: s, last: last, call: call, sum: sum, op: op}
}

// leaves reports statements that leave the loop: the other chain would make its
// next turn nevertheless.
func (c *compiler) leaves(body *ast.BlockStmt) bool {
	found := c.returns(body)
	ast.PreorderStack(body, nil, func(n ast.Node, stack []ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok {
			inner := looped(stack) || slices.ContainsFunc(stack, func(n ast.Node) bool { _, ok := n.(*ast.SwitchStmt); return ok })
			found = found || b.Label != nil || b.Tok == token.BREAK && !inner
		}
		return true
	})
	return found
}

// chains translates such a loop, behind its initial statement.
func (l *lowerer) chains(s *ast.ForStmt) bool {
	x := l.addsUp(s)
	if x == nil {
		return false
	}
	x.gather = l.newGather(2, func(v operand) {
		sum := inReg(l.vars[x.sum])
		l.moveInto(sum.r, l.arith(s, x.op, sum, v, l.typeOf(x.last.Lhs[0]), -1))
	})
	x.begun, x.second = l.u.newReg(), l.block()
	l.moveInto(x.begun, constOf(0))
	l.chain(x, 1)
	l.continueAt(x.second)
	l.chain(x, 2)
	l.line = l.c.lineOf(x.last)
	l.gathered(x.gather)
	return true
}

// chain translates the loop once; which says for which choice of the policy.
func (l *lowerer) chain(x *sumLoop, which int) {
	defer func(whole bool) { l.whole = whole }(l.whole)
	l.whole = true
	l.loop("", func(turn, end *block) {
		l.line = l.c.lineOf(x.s)
		l.turnIf(x.s.Cond, turn, end)
	}, func(head, post *block) {
		l.stmts(x.s.Body.List[:len(x.s.Body.List)-1])
		l.line = l.c.lineOf(x.last)
		f := l.c.callee(x.call)
		args := l.callArgs(x.call, f)
		if f.guarded() {
			known, v := l.block(), l.u.newReg()
			args = l.front(f, args, v, known)
			issue := l.cur
			l.continueAt(known)
			x.add(inReg(v))
			l.jumpTo(post)
			l.continueAt(issue)
		}
		if l.cur != nil {
			l.askInChain(x, f, args, which, head)
		}
	}, func() { l.perhaps(x.s.Post) })
	l.line = l.c.lineOf(x.s)
	l.countDown(x.gather)
	l.endChain(x, which)
}

// endChain ends the strongly connected block of a chain; the first one begins
// the second one in its own first block, before any result can come.
func (l *lowerer) endChain(x *sumLoop, which int) {
	if which == 1 {
		stay := l.block()
		l.branch("bne", inReg(x.begun), constOf(0), stay, x.second)
		l.continueAt(stay)
	}
	l.awaitResults(x.gather)
}

// askInChain makes the call of one turn; the next turn begins when the segment is there.
func (l *lowerer) askInChain(x *sumLoop, f *function, args []operand, which int, head *block) {
	l.oneMore(x.gather)
	l.turn = which - 1
	p := &pending{node: x.count, form: "1"}
	l.issue(f, args, p, 10+which, func() {
		x.wakes = append(x.wakes, l.cur)
		if which == 1 {
			l.moveInto(x.begun, constOf(1))
		}
		l.jumpTo(head)
	})
	l.perhaps(x.s.Post)
	if f.place == "own" {
		l.jumpTo(head)
		return
	}
	l.endChain(x, which)
}
