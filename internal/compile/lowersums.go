package compile

import (
	"go/types"
	"maps"
	"slices"

	"emsim/internal/base/lists"
	"emsim/internal/compile/ir"
	"emsim/isa"
)

// A loop that only adds up the results of calls, as in "sum += f(x)", makes them one after the other without waiting.
// If an iteration makes one call, and runs to its end after that without branches, two chains of blocks run the
// iterations alternately. So two requests are in progress, one for each choice of a policy. Both chains begin in the
// first block: a token for the second one would wait in the queue of a busy PE, and meanwhile the first one would make
// most calls. If an iteration makes several calls, these are in progress together, and the next iteration begins when
// all of them have their segments. A node adds the results, and counts the outstanding ones. addsup.go finds such
// loops.

// lowerLoop lowers a loop.
func (x *former) lowerLoop(n *ir.Loop, g *landing) {
	lists.Of(n.Next.Params, x.register)
	x.moves(n.Next.Params, n.First)
	if t := x.c.flat[x.x.heads[n]]; t != nil {
		if x.flat(n, t); x.cur == nil {
			return
		}
	}
	var a *adding
	why := ""
	if !x.streamsIn(n.Body) {
		a, why = x.addsUp(n)
	}
	if a == nil && why != "" {
		if turns := x.unrolled(n); turns != nil {
			x.landings[n.End] = g
			x.list(turns.Nodes, turns.Exit)
			return
		}
		a = x.inFunctions(n)
	}
	if a == nil {
		defer func(known int) { x.pieces = x.pieces[:known] }(len(x.pieces))
		x.placeBeforeLoop(n)
	}
	switch {
	case a != nil:
		x.addUp(a)
		x.landings[n.End] = g
		test, _ := n.Body.Nodes[len(n.Body.Nodes)-1].(*ir.If)
		if x.cur == nil || test == nil { // an endless loop
			return
		}
		if x.c.flat[x.x.heads[n]] != nil || g.yes != nil {
			x.exit(test.No.Exit)
			return
		}
		for i, p := range g.params {
			x.values[p] = x.operand(test.No.Exit.Values[i])
		}
		g.to = x.cur
	case why != "":
		x.noteWait(n, why)
		fallthrough
	default:
		x.turns(n)
	}
}

// placeBeforeLoop emits the code that finds the places of pieces before a loop, if the loop does not change their
// numbers.
func (x *former) placeBeforeLoop(n *ir.Loop) {
	calls := x.callsOf(n.Body)
	if !slices.ContainsFunc(calls, func(i *ir.Instr) bool { return x.c.callee(x.x.sites[i]).oneWord() }) {
		return
	}
	inside := map[*ir.Value]bool{}
	for _, v := range n.Next.Params {
		inside[v] = true
	}
	n.Body.EachDefined(func(v *ir.Value) { inside[v] = true })
	for _, i := range calls {
		f := x.c.callee(x.x.sites[i])
		if f.oneWord() && !inside[i.Args[0]] && !i.Args[0].Constant {
			x.placed(f.array, x.operand(i.Args[0]))
		}
	}
}

// flat emits a test whether a loop has enough iterations for a tree, and the tree, which continues after the loop. It
// does so only if registers hold all variables that the iterations use. Lowering continues here, for the loop itself.
func (x *former) flat(n *ir.Loop, t *flatSum) {
	_, body := n.Turn()
	last := len(n.Body.Nodes) - 1
	test, ok := n.Body.Nodes[last].(*ir.If)
	if body == nil || !ok || x.made[test.Cond] == nil {
		return
	}
	found := map[types.Object]bool{}
	body.Body.EachUse(func(v *ir.Value) {
		for _, o := range x.x.owners[v] {
			if at, ok := x.values[v]; ok && !at.lit {
				x.vars[o], found[o] = at.r, true
			}
		}
	})
	tree := x.c.byCall[t.call]
	if slices.ContainsFunc(tree.params[3:], func(p *types.Var) bool { return !found[p] }) {
		return
	}
	less := x.made[test.Cond]
	k := slices.IndexFunc(n.Next.Params, func(p *ir.Value) bool { return p == less.Args[0] })
	sum := slices.IndexFunc(n.Next.Params, func(p *ir.Value) bool { return slices.Contains(x.x.owners[p], t.sum) })
	if less.Op != ir.Less || k < 0 || sum < 0 {
		return
	}
	var hi operand
	x.afresh(func() {
		x.list(n.Body.Nodes[1:last], nil)
		hi = x.operand(less.Args[1])
	})
	lo := x.operand(n.First[k])
	x.asTree(lo, hi, func() {
		dst := x.u.newReg()
		x.makeCalls([]step{{at: t.call, call: t.call, dst: []reg{dst}, args: func() []operand {
			return append([]operand{lo, hi}, x.valuesOf(tree.params[3:])...)
		}}})
		r := x.register(n.Next.Params[sum])
		x.moveInto(r, x.arith(t.op, inReg(r), inReg(dst), t.sum.Type(), -1))
		x.exit(test.No.Exit)
	})
}

// turns lowers the test and the iterations of a loop.
func (x *former) turns(n *ir.Loop) {
	x.u.depth++
	head := &landing{to: x.block(), params: n.Next.Params, turn: !x.overChannel(n)}
	x.landings[n.Next] = head
	x.goInto(head.to)
	x.bound(n)
	x.list(n.Body.Nodes, n.Body.Exit)
	x.u.depth--
}

// addUp lowers a loop that adds up.
func (x *former) addUp(a *adding) {
	for v, k := range a.sums {
		x.values[v] = x.values[a.loop.Next.Params[k]]
	}
	line := x.lineOf(a.loop)
	if a.several {
		a.gather = x.newGather(mostAsked, nil)
		a.unit = mostAsked
		x.chain(a, 1)
	} else {
		a.gather = x.newGather(2, nil)
		a.begun, a.second = x.u.newReg(), x.block()
		a.second.second = true
		x.moveInto(a.begun, constOf(0))
		x.chain(a, 1)
		x.continueAt(a.second)
		x.chain(a, 2)
	}
	x.line = line
	x.gathered(a.gather)
}

// lineOf returns the line of a loop.
func (x *former) lineOf(n *ir.Loop) int { return n.Body.Nodes[0].(*ir.Instr).Line }

// afresh lowers code that is lowered again elsewhere, and then forgets the values that the code has computed.
func (x *former) afresh(do func()) {
	values := maps.Clone(x.values)
	do()
	x.values = values
}

// chain lowers a loop as one chain. which selects the choice of the policy for its calls.
func (x *former) chain(a *adding, which int) {
	defer func(whole bool, outer *adding) {
		x.whole, x.many, x.adding, x.sums = whole, false, outer, nil
	}(x.whole, x.adding)
	x.whole, x.many, x.adding, x.sums, a.which = true, true, a, a.gather, which
	end := &landing{to: x.block()}
	x.landings[a.loop.End] = end
	x.afresh(func() { x.turns(a.loop) })
	x.continueAt(end.to)
	x.line = x.lineOf(a.loop)
	if which == 1 && !a.several && !a.near { // if no call has been made, there is nothing to wait for
		x.whetherBegun(a, a.end)
		x.countDown(a.gather)
		x.awaitResults(a.gather)
		return
	}
	x.countDown(a.gather)
	x.endChain(a)
}

// lateCode lowers the late part of an iteration.
func (x *former) lateCode(a *adding, c *lateCall, result operand) {
	defer func() { x.adding, x.goesOn = a, false }()
	x.adding, x.goesOn = nil, true
	x.afresh(func() {
		x.define(c.at.Results[0], result)
		x.list(c.nodes, nil)
	})
}

// asked makes a call of a loop that adds up. If it is the only one of its iteration, asked also lowers the rest of its
// region, and ends the iteration.
func (x *former) asked(i *ir.Instr, rest []ir.Node, exit *ir.Exit) {
	a, c := x.adding, x.adding.calls[i]
	x.line = i.Line
	site := x.x.sites[i]
	f := x.c.callee(site)
	a.callsFor(site)
	args := x.argsOf(i, nil)
	var post *block
	if a.several {
		post = x.block()
	}
	if f.guarded() {
		known, v := x.block(), x.u.newReg()
		args = x.front(f, args, []reg{v}, known)
		issue := x.cur
		x.continueAt(known)
		x.lateCode(a, c, inReg(v))
		if x.cur != nil && a.several {
			x.jumpTo(post)
		} else if x.cur != nil {
			x.afresh(func() { x.list(rest, exit) })
		}
		x.continueAt(issue)
	}
	args = x.loaded(args, a.stored)
	key := sumNode{call: i}
	if s, ok := a.onlyAdds(c); ok {
		key = s
	}
	if a.nodes[key] == nil {
		x.line = x.lineOf(a.loop) // the line where results are counted, too
		a.nodes[key] = x.countNode(a.gather, func(v operand) {
			end := x.block()
			outer := x.landings[exitTo(c.in.Exit)]
			x.landings[exitTo(c.in.Exit)] = &landing{to: end}
			x.lateCode(a, c, v)
			x.landings[exitTo(c.in.Exit)] = outer
			x.goInto(end)
		})
	}
	x.line = i.Line
	if x.cur != nil {
		x.askInChain(a, c, f, args, &pending{node: a.nodes[key], form: isa.FormOne}, post, rest)
	}
	if a.several {
		x.goInto(post)
	}
}

// onlyAdds reports whether a late part does nothing but add the result to a sum.
func (a *adding) onlyAdds(c *lateCall) (s sumNode, ok bool) {
	var added *ir.Instr
	for _, n := range c.nodes {
		i, isInstr := n.(*ir.Instr)
		if !isInstr || i.Op != ir.Mark && added != nil {
			return s, false
		}
		if i.Op != ir.Mark {
			added = i
		}
	}
	if added == nil || len(added.Args) != 2 || added.Args[0] != c.at.Results[0] && added.Args[1] != c.at.Results[0] {
		return s, false
	}
	k, isSum := a.sums[added.Results[0]]
	return sumNode{sum: k, op: added.Op}, isSum
}

// askInChain makes a call. The next iteration begins when the segment is there, or if an iteration makes several calls,
// when all of them have their segments.
func (x *former) askInChain(
	a *adding, c *lateCall, f *function, args []operand, p *pending, post *block, rest []ir.Node,
) {
	next := func() {
		x.afresh(func() {
			x.list(rest, nil)
			x.moves(a.body.End.Params, c.wayOut(a.body))
			x.goesOn = true
			x.list(a.tail, nil)
			x.goesOn = false
			x.moves(a.loop.Next.Params, a.turn.Exit.Values)
		})
	}
	head := x.landings[a.loop.Next].to
	x.oneMore(a.gather)
	near, ask := f.place == "own" || f.place == "asked", x.issue // a near call does not delay the next iteration
	a.near = near
	if near && f.own != nil { // unless this PE is short of segments
		short, enough := x.block(), x.block()
		x.short(short, enough)
		x.continueAt(enough)
		x.issueHere(f, args, p)
		if a.several {
			x.jumpTo(post)
		} else {
			next()
			x.jumpTo(head)
		}
		x.continueAt(short)
		near, ask = false, x.issueBack
	}
	if a.several {
		a.site++
		x.turn = a.site
		if len(a.calls)%2 != 0 { // otherwise every iteration would begin with the same choice of the policy
			bit := x.binaryOp(isa.SHR, inReg(a.open), constOf(askedBits))
			x.byBit = &bit
		}
		if !near {
			x.moveInto(a.open, x.binaryOp(isa.ADD, inReg(a.open), constOf(1)))
		}
		ask(f, args, p, 10+a.site, func() {
			a.wakes = append(a.wakes, x.cur)
			wait := x.block()
			x.moveInto(a.open, x.binaryOp(isa.SUB, inReg(a.open), constOf(1)))
			x.branch(isa.BNE, x.binaryOp(isa.AND, inReg(a.open), constOf(mostAsked-1)), constOf(0), wait, head)
			x.continueAt(wait)
			x.awaitResults(a.gather)
		})
		x.byBit = nil
		return
	}
	x.turn = a.which - 1
	ask(f, args, p, 10+a.which, func() {
		a.wakes = append(a.wakes, x.cur)
		if a.which == 1 {
			x.moveInto(a.begun, constOf(1))
		}
		x.jumpTo(head)
	})
	next()
	if near {
		x.jumpTo(head)
		return
	}
	x.endChain(a)
}

// endChain ends the strongly connected block of a chain. The first chain begins the second one in its own first block,
// before any result can arrive.
func (x *former) endChain(a *adding) {
	if a.which == 1 && !a.several {
		x.whetherBegun(a, a.second)
	}
	x.awaitResults(a.gather)
}

// whetherBegun emits a branch to otherwise, unless the second chain has begun.
func (x *former) whetherBegun(a *adding, otherwise *block) {
	stay := x.block()
	stay.begun = !a.near
	x.branch(isa.BNE, inReg(a.begun), constOf(0), stay, otherwise)
	x.continueAt(stay)
}

// callsOf returns the calls in a region that need instances.
func (x *former) callsOf(r *ir.Region) (list []*ir.Instr) {
	r.Each(func(i *ir.Instr) {
		if x.needs(i) {
			list = append(list, i)
		}
	})
	return list
}
