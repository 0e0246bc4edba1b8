package compile

import (
	"go/ast"
	"go/types"
	"slices"

	"emsim/isa"
)

// A group is a set of calls that are made before the code waits for any of their results. It has the calls of one
// statement, and of the next statements as far as these do not need the results. After them come the nodes that join
// the results.
//
// Where the caller tests the guards, a call may turn out to need no instance. Then the code splits: on one path the
// value is known, on the other the call is in progress. So a node waits only for calls that are in progress. If there
// is no such call, the code does not wait.

// mostSplits bounds the paths: s calls that split make 2^s. A result with more words than mostSplit does not split,
// because each path has a node for every word [chosen].
const (
	mostSplits = 2
	mostSplit  = 2
)

// splitsOf returns how often a group of calls may split. The number is smaller if its nodes would not fit an operand
// segment, or if the function has not fitted one before.
func (l *lowerer) splitsOf(calls int) int {
	n, known := l.c.splits[l.u.name]
	if !known {
		n = mostSplits
	}
	for n > 0 && (2*(calls-n)-1)<<n >= segmentWords { // a segment and a result for each call on every path
		n--
		l.u.fewer = true
	}
	return n
}

// step is a part of a group: a call, an item to receive, or code between them.
type step struct {
	run  func()        // the code; nil: a call or an item
	at   ast.Expr      // the call, or the channel
	call *ast.CallExpr // nil: an item
	from func() reg    // the channel of an item
	item string        // the channel, as text
	dst  []reg
	args func() []operand
	site int // number of calls and items of the group before this one

	begins []int // the lines of statements that begin before this step, the last one first
}

// makeCalls lowers the steps of a group, and waits for the results.
func (l *lowerer) makeCalls(steps []step) {
	if l.own && len(steps) > 1 { // one after the other
		for i := range steps {
			l.makeCalls(steps[i : i+1])
		}
		return
	}
	end, calls, sites := l.block(), 0, 0
	for i, s := range steps {
		if s.run == nil {
			steps[i].site, sites = sites, sites+1
			calls += len(s.dst)
		}
	}
	l.reserve(steps)
	known := len(l.pieces)
	l.together = sites
	l.steps(steps, 0, nil, l.splitsOf(calls), end)
	l.together = 0
	l.slots, l.pieces = none, l.pieces[:known]
	l.continueAt(end)
	for _, s := range steps {
		if s.from != nil && len(s.dst) > 1 {
			l.receiveRest(s.from(), s.item, s.dst)
		}
	}
}

// ask is a call that needs an instance, unless its guards answer, or an item to receive.
type ask struct {
	f    *function
	from reg // a channel, if f is nil
	args []operand
	p    *pending
	dst  []reg
	site int
	line int
	call string
}

// steps lowers the steps of a group from step i on: first the code between calls and the guards, and then the calls
// that need an instance, together with asks. splits is how often the code may split.
func (l *lowerer) steps(steps []step, i int, asks []ask, splits int, end *block) {
	for ; i < len(steps) && l.cur != nil; i++ {
		s := steps[i]
		for _, line := range slices.Backward(s.begins) {
			l.begin(line)
		}
		if s.run != nil {
			s.run()
			continue
		}
		l.line = l.c.lineOf(s.at)
		call := s.call
		if call == nil {
			asks = append(asks[:len(asks):len(asks)], ask{from: s.from(), p: &pending{dst: s.dst[0], item: s.item}, line: l.line})
			continue
		}
		f := l.c.callee(call)
		a := ask{f: f, args: s.args(), p: pendingIn(s.dst), dst: s.dst, site: s.site, line: l.line, call: types.ExprString(call)}
		for j := range a.args {
			a.args[j] = l.copied(a.args[j])
		}
		if f.guarded() {
			known := l.block()
			a.args = l.front(f, a.args, s.dst, known)
			l.line = a.line
			asked := slices.ContainsFunc(asks, func(a ask) bool { return a.p.asked }) // one node on all paths
			if asked || f.lit == nil && l.c.opt.Blocks != Largest || splits == 0 || len(s.dst) > mostSplit {
				l.askOrDeliver(&a, known)
			} else {
				need := l.cur
				l.u.splits = max(l.u.splits, splits)
				splits--
				l.continueAt(known)
				known := len(l.pieces)
				l.steps(steps, i+1, asks, splits, end)
				l.pieces = l.pieces[:known]
				l.continueAt(need)
			}
		}
		asks = append(asks[:len(asks):len(asks)], a)
	}
	if l.cur == nil {
		return
	}
	var under []*pending
	l.many = len(asks) > 2
	for k, a := range asks {
		if !a.p.asked {
			l.line = a.line // other paths through the group have other nodes
			if a.f == nil {
				a.p = &pending{dst: a.p.dst, item: a.p.item}
				l.requestItem(a.from, a.p)
			} else {
				a.p = pendingIn(a.dst)
				l.cutBefore(a.f)
				l.callNumber = k
				l.issue(a.f, a.args, a.p, a.site, func() { l.endBlock() })
			}
		}
		a.p.call = a.call
		under = append(append(under, a.p), a.p.rest...)
	}
	l.many = false
	l.await(under, end)
}

// askOrDeliver makes the call at once, or sends the value that the guards know to the node that waits for it.
func (l *lowerer) askOrDeliver(a *ask, known *block) {
	end := l.block()
	if l.cur != nil {
		l.cutBefore(a.f)
		l.issue(a.f, a.args, a.p, a.site, func() { l.endBlock() })
		l.jumpTo(end)
	}
	l.continueAt(known)
	for i, r := range a.dst {
		l.emitTo(a.p.word(i), isa.SEND, use(r), fp)
	}
	l.goInto(end)
	a.p.asked = true
}
