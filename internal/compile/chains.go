package compile

import (
	"go/ast"

	"emsim/isa"
)

// sumLoop is a loop that adds up results, of a function without an intermediate form.
type sumLoop struct {
	*gather
	*turns
	parts   map[ast.Stmt][]addend // what statements add; of several that are one, the first one has it
	calls   int                   // in a turn
	several bool                  // calls, or code after one
	near    bool                  // the last call needs no segment of another PE

	nodes  map[any]*block
	sites  int    // of calls, that have been translated
	begun  reg    // of others, in the first chain: whether the second one has begun
	second *block // where it begins
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
// calls when the last one has its own.
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

// whetherBegun continues if the second chain has begun, or else somewhere else.
func (l *lowerer) whetherBegun(x *sumLoop, otherwise *block) {
	stay := l.block()
	stay.begun = !x.near
	l.branch(isa.BNE, inReg(x.begun), constOf(0), stay, otherwise)
	l.continueAt(stay)
}
