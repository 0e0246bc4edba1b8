package compile

import (
	"go/ast"
	"go/types"
	"slices"

	"emsim/isa"
)

// A loop that only adds up the results of calls, as in "sum += f(x)", makes them one
// after the other without waiting. If a turn makes one call, as the last thing it does,
// two chains of blocks take turns, so that two requests are under way, one for each
// choice of a policy. Both begin in the first block: a token for the second one would
// wait in the queue of a busy PE, and meanwhile the first one would make most calls. If
// a turn makes several calls, these are under way together, and the next turn begins
// when all have their segments. A node adds the results and counts what is open.
// sums.go finds such loops.

// turns is a loop: what begins a turn, what is in it, and what comes behind it.
type turns struct {
	at     ast.Stmt
	body   *ast.BlockStmt
	beside []ast.Node // what else is evaluated in every turn
	test   func(turn, end *block)
	enter  func()
	next   func()
}

// mostAsked bounds the calls of a turn [derived]: each has a node, and an operand segment
// has room for fewer than 2^askedBits.
const (
	askedBits = 8
	mostAsked = 1 << askedBits
)

// sumLoop is such a loop that adds up results.
type sumLoop struct {
	*gather
	*turns
	parts   map[ast.Stmt][]addend // what statements add; of several that are one, the first one has it
	calls   int                   // in a turn
	several bool                  // calls, or code behind one
	near    bool                  // the last call needs no segment of another PE

	nodes  map[any]*block
	sites  int    // of calls, that have been translated
	begun  reg    // of others, in the first chain: whether the second one has begun
	second *block // where it begins
}

// gather is a number of results that are added up as they come.
type gather struct {
	add     func(v operand)
	open    reg    // how many are to come, the instance's own parts included, in units
	unit    int64  // below are the calls of a turn that have no segment yet
	count   *block // the node where they come
	counted *block // and what follows there
	end     *block // behind the last one
	wakes   []*block
	calls   []string // what the results are of
	more    func()   // what is done when one has come, if the lowest bit of open says so
}

// newGather makes the node for the results of a number of parts, to which more
// can be added.
func (l *lowerer) newGather(parts int64, add func(v operand)) *gather {
	g := &gather{add: add, unit: 1, open: l.fresh("open"), counted: l.block(), end: l.block()}
	if add != nil {
		g.count = l.countNode(g, add)
	}
	l.moveInto(g.open, constOf(parts))
	return g
}

// countNode makes a node for results that are added up in one way.
func (l *lowerer) countNode(g *gather, add func(v operand)) *block {
	r, code := l.u.newReg(), l.cur
	n := l.u.newNode("count", "a result", l.line, r)
	g.wakes = append(g.wakes, n)
	l.cur = n
	add(inReg(r))
	l.jumpTo(g.counted)
	l.cur = code
	return n
}

// callsFor notes whose results come.
func (g *gather) callsFor(x ast.Expr) {
	if text := types.ExprString(x); !slices.Contains(g.calls, text) {
		g.calls = append(g.calls, text)
	}
}

// oneMore counts a part that begins.
func (l *lowerer) oneMore(g *gather) {
	l.moveInto(g.open, l.binaryOp(isa.ADD, inReg(g.open), constOf(g.unit)))
}

// endOne counts a result or the end of a part; behind the last one the code
// after all of them goes on.
func (l *lowerer) endOne(g *gather) {
	l.countDown(g)
	l.awaitResults(g)
}

// countDown counts it, too, and leaves open what becomes of the block.
func (l *lowerer) countDown(g *gather) {
	l.moveInto(g.open, l.binaryOp(isa.SUB, inReg(g.open), constOf(g.unit)))
	more := l.block()
	l.branch(isa.BEQ, inReg(g.open), constOf(0), g.end, more)
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
	l.countDown(g)
	if g.more != nil {
		l.branchIf(isa.BNE, l.binaryOp(isa.AND, inReg(g.open), constOf(1)), constOf(0), g.more)
	}
	l.awaitResults(g)
	for _, b := range l.u.blocks { // whoever stops inside waits for all of them
		if b.waitsFor == g {
			b.wakes = append(b.wakes, g.wakes...)
		}
	}
	l.continueAt(g.end)
}

// runLoop translates a loop, behind what comes before its first turn.
func (l *lowerer) runLoop(t *turns, label string) {
	if x := l.c.flat[t.at]; x != nil {
		end := l.asTree(x)
		defer func() { l.goInto(end) }()
		if l.cur == nil {
			return
		}
	}
	x, why := l.addsUp(t)
	if x == nil && why != "" {
		x = l.inFunctions(t, label)
	}
	if x == nil {
		if why != "" {
			l.noteWait(t, why)
		}
		known := len(l.pieces)
		l.placeBefore(t.at)
		l.loop(label, t.test, func(_, _ *block) {
			t.enter()
			l.stmts(t.body.List)
		}, func() { l.nextTurn(t) })
		l.pieces = l.pieces[:known]
		return
	}
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
	l.line = l.c.lineOf(t.at)
	l.gathered(x.gather)
}

// chain translates the loop once; which says for which choice of the policy.
func (l *lowerer) chain(x *sumLoop, which int) {
	defer func(whole bool) { l.whole, l.many, l.updates, l.sums = whole, false, nil, nil }(l.whole)
	l.whole, l.many, l.sums = true, true, x.gather
	l.loop("", x.test, func(head, post *block) {
		l.updates = map[ast.Stmt]func(){}
		for s, parts := range x.parts {
			l.updates[s] = func() { l.addParts(x, parts, which, head, post) }
		}
		x.enter()
		l.stmts(x.body.List)
	}, func() {
		l.nextTurn(x.turns)
		if x.several {
			l.branchIf(isa.BNE, l.binaryOp(isa.AND, inReg(x.open), constOf(mostAsked-1)), constOf(0), func() { l.awaitResults(x.gather) })
		}
	})
	l.line = l.c.lineOf(x.at)
	if which == 1 && !x.several && !x.near { // if no call has been made, there is nothing to wait for
		l.whetherBegun(x, x.end)
		l.countDown(x.gather)
		l.awaitResults(x.gather)
		return
	}
	l.countDown(x.gather)
	l.endChain(x, which)
}

// addParts makes the calls of a statement; a single one ends the turn.
func (l *lowerer) addParts(x *sumLoop, parts []addend, which int, head, post *block) {
	for _, p := range parts {
		if p.call == nil {
			l.line = l.c.lineOf(p.at)
			p.run()
			continue
		}
		l.line = l.c.lineOf(p.call)
		add := func(v operand) {
			l.done[p.call] = []operand{v}
			p.run()
			delete(l.done, p.call)
		}
		f := l.c.callee(p.call)
		x.gather.callsFor(p.call)
		args := l.callArgs(p.call, f)
		if x.several {
			post = l.block()
		}
		if f.guarded() {
			known, v := l.block(), l.u.newReg()
			args = l.front(f, args, []reg{v}, known)
			issue := l.cur
			l.continueAt(known)
			add(inReg(v))
			l.jumpTo(post)
			l.continueAt(issue)
		}
		if x.nodes[p.node] == nil {
			l.line = l.c.lineOf(x.at) // where the results are counted, too
			x.nodes[p.node] = l.countNode(x.gather, add)
		}
		l.line = l.c.lineOf(p.call)
		if l.cur != nil {
			l.askInChain(x, f, args, &pending{node: x.nodes[p.node], form: isa.FormOne}, which, head, post)
		}
		if x.several {
			l.goInto(post)
		}
	}
}

// askInChain makes a call; the next turn begins when the segment is there, of several
// calls that of the last one.
func (l *lowerer) askInChain(x *sumLoop, f *function, args []operand, p *pending, which int, head, post *block) {
	args = l.lasting(x.at, args)
	l.oneMore(x.gather)
	near, ask := f.place == "own" || f.place == "asked", l.issue // nothing has to come before the next turn
	x.near = near
	if near && f.own != nil { // unless this PE is short of segments
		short, enough := l.block(), l.block()
		l.short(short, enough)
		l.continueAt(enough)
		l.issueHere(f, args, p)
		if x.several {
			l.jumpTo(post)
		} else {
			l.nextTurn(x.turns)
			l.jumpTo(head)
		}
		l.continueAt(short)
		near, ask = false, l.issueBack
	}
	if x.several {
		x.sites++
		l.turn = x.sites
		if x.calls%2 != 0 { // or every turn would begin with the same choice of the policy
			bit := l.binaryOp(isa.SHR, inReg(x.open), constOf(askedBits))
			l.byBit = &bit
		}
		if !near {
			l.moveInto(x.open, l.binaryOp(isa.ADD, inReg(x.open), constOf(1)))
		}
		ask(f, args, p, 10+x.sites, func() {
			x.wakes = append(x.wakes, l.cur)
			wait := l.block()
			l.moveInto(x.open, l.binaryOp(isa.SUB, inReg(x.open), constOf(1)))
			l.branch(isa.BNE, l.binaryOp(isa.AND, inReg(x.open), constOf(mostAsked-1)), constOf(0), wait, head)
			l.continueAt(wait)
			l.awaitResults(x.gather)
		})
		l.byBit = nil
		return
	}
	l.turn = which - 1
	ask(f, args, p, 10+which, func() {
		x.wakes = append(x.wakes, l.cur)
		if which == 1 {
			l.moveInto(x.begun, constOf(1))
		}
		l.jumpTo(head)
	})
	x.next()
	if near {
		l.jumpTo(head)
		return
	}
	l.endChain(x, which)
}

// endChain ends the strongly connected block of a chain; the first of two begins
// the second one in its own first block, before any result can come.
func (l *lowerer) endChain(x *sumLoop, which int) {
	if which == 1 && !x.several {
		l.whetherBegun(x, x.second)
	}
	l.awaitResults(x.gather)
}

// whetherBegun goes on if the second chain has begun, or else somewhere else.
func (l *lowerer) whetherBegun(x *sumLoop, otherwise *block) {
	stay := l.block()
	stay.begun = !x.near
	l.branch(isa.BNE, inReg(x.begun), constOf(0), stay, otherwise)
	l.continueAt(stay)
}
