package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"emsim/internal/base/lists"
	"emsim/isa"
)

// A group is a number of calls that are made before any result is waited for:
// the calls of one statement, and of the next ones as far as these do not need the
// results. Then comes one node that fires when all results are there.
//
// Where the caller tests the guards, a call may turn out to need no instance.
// Then the code splits: on one way the value is known, on the other it is under
// way. So a node waits only for what is really in progress, and if that is
// nothing there is no wait at all.

// mostSplits bounds the ways: with s calls that split there are 2^s. A result with more
// words than mostSplit does not split, because each way has a node for every word [chosen].
const (
	mostSplits = 2
	mostSplit  = 2
)

// splitsOf is how often a group of calls may split: less often if its nodes would not fit
// an operand segment, or if it is known that the function does not.
func (l *lowerer) splitsOf(calls int) int {
	n, known := l.c.splits[l.u.name]
	if !known {
		n = mostSplits
	}
	for n > 0 && (2*(calls-n)-1)<<n >= segmentWords { // a segment and a result for each call on every way
		n--
		l.u.fewer = true
	}
	return n
}

// step is a part of a group: a call, or what is done between calls.
type step struct {
	run  func()        // nil: a call
	at   ast.Expr      // the call, or the channel
	call *ast.CallExpr // nil: an item is received
	from func() reg    // from there
	item string
	dst  []reg
	args func() []operand
	site int // how many calls of the group come before it
}

// callStep returns the step of a call.
func (l *lowerer) callStep(x ast.Expr) step {
	s := step{at: x, dst: l.regs(l.typeOf(x))}
	if call, ok := x.(*ast.CallExpr); ok {
		s.call, s.args = call, func() []operand { return l.callArgs(call, l.c.callee(call)) }
	} else {
		from := x.(*ast.UnaryExpr).X
		s.from, s.item = func() reg { return l.chanReg(from) }, types.ExprString(from)
	}
	return s
}

// group translates the calls of the first statements of a list together, then
// the statements themselves. It returns how many.
func (l *lowerer) group(list []ast.Stmt) int {
	if l.compound(list[0]) || l.ownCall(list[0]) != nil {
		return 0
	}
	n, steps, plain := l.collect(list)
	if n == 0 { // a call in an argument of a call: the inner ones first
		l.line = l.c.lineOf(list[0])
		l.prepare(list[0])
		l.statement(list[0], "")
		l.forget(list[0])
		return 1
	}
	late := map[types.Object]bool{}
	for i, s := range list[:n] {
		targets, _ := l.assignees(s)
		for _, v := range targets {
			late[v] = !plain[i]
		}
	}
	outer := l.frame
	l.frame = &frame{outer.scope, late}
	l.makeCalls(steps)
	l.frame = outer
	for i, s := range list[:n] {
		if !plain[i] {
			l.statement(s, "")
			l.forget(s)
		}
	}
	return n
}

// compound reports a statement with statements inside.
func (l *lowerer) compound(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.BlockStmt, *ast.LabeledStmt, *ast.GoStmt, *ast.SendStmt:
		return true
	case *ast.AssignStmt:
		_, isItem := isReceive(s.Rhs[0])
		return isItem && len(s.Lhs) == 2 && len(s.Rhs) == 1
	case *ast.DeclStmt:
		return slices.ContainsFunc(s.Decl.(*ast.GenDecl).Specs, func(s ast.Spec) bool {
			v, ok := s.(*ast.ValueSpec)
			if !ok || len(v.Names) != 2 || len(v.Values) != 1 {
				return false
			}
			_, isItem := isReceive(v.Values[0])
			return isItem
		})
	}
	return false
}

// prepare makes the calls in a statement or expression, those in arguments of
// others first; afterwards the expressions find their results.
func (l *lowerer) prepare(n ast.Node) {
	for {
		var steps []step
		var before []ast.Expr // in Go's order
		list, lazy := l.c.prompt(n)
		l.c.meter.countSteps(len(list) + len(lazy))
		wary := slices.ContainsFunc(list, func(x ast.Expr) bool { return l.hears(x) || l.c.alone(x) })
		for _, x := range list {
			if _, ok := l.done[x]; ok {
				continue
			}
			if wary && l.apart(x, before) {
				break
			}
			before = append(before, x)
			if l.innerDone(x) {
				steps = append(steps, l.callStep(x))
			}
		}
		if len(steps) == 0 {
			return
		}
		l.refuseLazy(list, lazy)
		l.makeCalls(steps)
	}
}

// apart reports what cannot be in progress together with something before it: a
// receive from the same channel, or of an item with several words, whose sender waits for the
// questions of all; what changes an array; and what uses one next to a receive, because the
// sender may have changed it, too.
func (l *lowerer) apart(x ast.Expr, before []ast.Expr) bool {
	from, takes := isReceive(x)
	for _, y := range before {
		o, alsoTakes := isReceive(y)
		switch {
		case y.Pos() <= x.Pos() && x.Pos() < y.End(): // x is an argument of y
		case takes && alsoTakes && (l.c.named(from.X) == l.c.named(o.X) || l.c.wordsIn(l.typeOf(x)) > 1 || l.c.wordsIn(l.typeOf(y)) > 1),
			l.hears(x) && l.c.touches(y), l.hears(y) && l.c.touches(x),
			l.c.alone(x), l.c.alone(y):
			return true
		}
	}
	return false
}

// innerDone reports whether all calls in the arguments have been made.
func (l *lowerer) innerDone(x ast.Expr) bool {
	prompt, _ := l.c.prompt(x)
	for _, y := range prompt {
		if _, ok := l.done[y]; y != x && !ok {
			return false
		}
	}
	return true
}

// forget drops the results of the calls in a statement: a loop may come by again.
func (l *lowerer) forget(n ast.Node) {
	for _, x := range l.c.heavy(n) {
		delete(l.done, x)
	}
}

// refuseLazy refuses calls that would be made before what stands left of them, where that matters.
func (l *lowerer) refuseLazy(prompt, lazy []ast.Expr) {
	for _, y := range lazy {
		for _, x := range prompt {
			if y.Pos() < x.Pos() && (l.hears(x) || l.c.alone(x) || l.hears(y) || l.c.alone(y)) {
				l.errorf(y, "Go makes this only sometimes, and before the next call or receive of the statement, one of which may notice the other: write an if statement")
			}
		}
	}
}

// collect finds out how many statements form a group, and its steps. plain
// statements are steps themselves.
func (l *lowerer) collect(list []ast.Stmt) (n int, steps []step, plain []bool) {
	waits := map[types.Object]bool{} // variables whose values are still to come
	read := map[types.Object]bool{}  // variables that statements of the group still need
	var before []ast.Expr
	for _, s := range list {
		calls := l.c.heavy(s)
		targets, last := l.assignees(s)
		if l.compound(s) || len(calls) == 0 && (last || l.c.mentions(s, waits)) || slices.ContainsFunc(targets, func(v types.Object) bool { return read[v] }) {
			break
		}
		_, lazy := l.c.prompt(s)
		bad := lazy != nil
		for i, x := range calls {
			bad = bad || l.apart(x, before) || l.apart(x, calls[:i]) || len(l.c.heavy(x)) > 1 || l.c.mentions(x, waits)
		}
		if bad {
			break
		}
		if len(calls) == 0 {
			if s.(*ast.AssignStmt).Tok != token.DEFINE { // a result before it may change its variable
				break
			}
			steps = append(steps, step{run: func() { l.statement(s, "") }})
		}
		for _, x := range calls {
			steps = append(steps, l.callStep(x))
		}
		before = append(before, calls...)
		plain = append(plain, len(calls) == 0)
		n++
		if len(calls) > 0 {
			for _, v := range targets {
				waits[v] = true
			}
			ast.Inspect(s, func(n ast.Node) bool {
				e, _ := n.(ast.Expr)
				id, _ := n.(*ast.Ident)
				words := l.c.namedWords(e)
				for _, w := range words {
					read[w] = read[w] || l.c.info.Defs[id] == nil
				}
				return words == nil
			})
		}
		if last {
			break
		}
	}
	for n > 0 && plain[n-1] { // statements after the last call come later
		n--
		plain = plain[:n]
		steps = steps[:len(steps)-1]
	}
	return n, steps, plain
}

// assignees are the variables that a statement gives values to; last says that
// nothing after the statement can belong to its group.
func (l *lowerer) assignees(s ast.Stmt) (targets []types.Object, last bool) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || len(a.Rhs) != 1 || a.Tok != token.DEFINE && a.Tok != token.ASSIGN {
		return nil, true
	}
	for _, x := range a.Lhs {
		words := l.c.namedWords(x)
		if id, ok := x.(*ast.Ident); words == nil && !(ok && id.Name == "_") {
			return nil, true
		}
		for _, w := range words {
			targets = append(targets, w)
		}
	}
	return targets, false
}

// makeCalls makes the calls of a group and waits for them.
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
			l.done[s.at] = lists.Of(s.dst, inReg)
			calls += len(s.dst)
		}
	}
	l.reserve(steps)
	known := len(l.pieces)
	l.steps(steps, 0, nil, l.splitsOf(calls), end)
	l.slots, l.pieces = none, l.pieces[:known]
	l.continueAt(end)
	for _, s := range steps {
		if s.from != nil && len(s.dst) > 1 {
			l.receiveRest(s.from(), s.item, s.dst)
		}
	}
}

// ask is a call whose guards have said that it needs an instance.
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

// steps tests the guards of the calls from step i on; after all tests the calls
// are made that are needed. splits is how often the code may split.
func (l *lowerer) steps(steps []step, i int, asks []ask, splits int, end *block) {
	for ; i < len(steps) && l.cur != nil; i++ {
		s := steps[i]
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
		if l.atHand(call) {
			l.moveInto(s.dst[0], l.touch(f, s.args()))
			continue
		}
		a := ask{f: f, args: s.args(), p: pendingIn(s.dst), dst: s.dst, site: s.site, line: l.line, call: types.ExprString(call)}
		for j := range a.args {
			a.args[j] = l.copied(a.args[j])
		}
		if f.guarded() {
			known := l.block()
			a.args = l.front(f, a.args, s.dst, known)
			l.line = a.line
			asked := slices.ContainsFunc(asks, func(a ask) bool { return a.p.asked }) // its result has one node, on whatever way
			if asked || f.lit == nil && l.c.opt.Blocks != Largest || splits == 0 || len(s.dst) > mostSplit {
				l.askOrDeliver(&a, known)
			} else if need := l.cur; need == nil { // the guards always answer
				l.continueAt(known)
				continue
			} else {
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
			l.line = a.line // other ways through the group have other nodes
			if a.f == nil {
				a.p = &pending{dst: a.p.dst, item: a.p.item}
				l.question(a.from, a.p)
			} else {
				a.p = pendingIn(a.dst)
				l.cutBefore(a.f)
				l.turn = k
				l.issue(a.f, a.args, a.p, a.site, func() { l.endBlock() })
			}
		}
		a.p.call = a.call
		under = append(append(under, a.p), a.p.rest...)
	}
	l.many = false
	l.await(under, end)
}

// askOrDeliver makes the call at once, or sends the value that the guards know
// to the node that waits for it.
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
