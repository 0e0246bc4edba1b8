package compile

import (
	"maps"
	"slices"

	"emsim/internal/base/lists"
	"emsim/internal/compile/ir"
	"emsim/isa"
)

// A reduction loop over the results of calls, as in "sum += f(x)", makes the calls one after the other without waiting.
// If an iteration makes one call, and runs to its end after that without branches, two chains of blocks run the
// iterations alternately. So two requests are in progress at a time, one for each choice of a policy. Both chains begin
// in the first block: a token for the second one would wait in the queue of a busy PE, and meanwhile the first one
// would make most calls. If an iteration makes several calls, these are in progress together, and the next iteration
// begins when all of them have their segments. A node adds the results, and counts the outstanding ones. reduction.go
// finds such loops.

// lowerLoop lowers a loop: as a tree over the PEs, unrolled, as a reduction loop, or with a test before each iteration.
func (x *former) lowerLoop(n *ir.Loop, g *landing) {
	lists.Of(n.Next.Params, x.register)
	x.moves(n.Next.Params, n.First)
	tree := x.flatSum(n)
	if tree != nil {
		if x.flat(n, tree); x.cur == nil {
			return
		}
	}
	var a *reduction
	why := ""
	if !x.streamsIn(n.Body) {
		a, why = x.findReduction(n)
	}
	if a == nil && why != "" {
		if iterations := x.unrolled(n); iterations != nil {
			x.landings[n.End] = g
			x.list(iterations.Nodes, iterations.Exit)
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
		if tree != nil || g.yes != nil {
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
		x.iterate(n)
	}
}

// placeBeforeLoop emits the code that finds the places of pieces before a loop, if the loop does not change the numbers
// of the pieces.
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

// iterate lowers the test and the iterations of a loop.
func (x *former) iterate(n *ir.Loop) {
	x.u.depth++
	head := &landing{to: x.block(), params: n.Next.Params, iteration: !x.overChannel(n)}
	x.landings[n.Next] = head
	x.goInto(head.to)
	x.bound(n)
	x.list(n.Body.Nodes, n.Body.Exit)
	x.u.depth--
}

// addUp lowers a reduction loop: as one chain of blocks if an iteration makes several calls, otherwise as two chains
// that run the iterations alternately.
func (x *former) addUp(a *reduction) {
	for v, k := range a.sums {
		x.values[v] = x.values[a.loop.Next.Params[k]]
	}
	line := x.lineOf(a.loop)
	if testOf(a.loop) != nil {
		x.begin(line)
	}
	if a.several {
		unit := int64(leastUnit)
		for unit <= int64(len(a.calls)) {
			unit *= 2
		}
		a.gather = x.newGather(unit, nil)
		a.unit = unit
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

// headOf reports whether a mark begins the test of the reduction loop. With two chains, that test runs once more than
// in Go. So the loop's line begins where the loop and where each iteration begins, and not at the test.
func (x *former) headOf(i *ir.Instr) bool {
	a := x.reduction
	return a != nil && testOf(a.loop) != nil && a.loop.Body.Nodes[0] == ir.Node(i)
}

// lineOf returns the line of a loop.
func (x *former) lineOf(n *ir.Loop) int { return n.Body.Nodes[0].(*ir.Instr).Line }

// withNewValues lowers code that is lowered again elsewhere, and then forgets the values that the code has computed.
func (x *former) withNewValues(do func()) {
	values := maps.Clone(x.values)
	do()
	x.values = values
}

// chain lowers a loop as one chain. which selects the choice of the policy for its calls.
func (x *former) chain(a *reduction, which int) {
	defer func(whole bool, outer *reduction) {
		x.whole, x.reduction, x.sums = whole, outer, nil
	}(x.whole, x.reduction)
	x.whole, x.reduction, x.sums, a.which = true, a, a.gather, which
	end := &landing{to: x.block()}
	x.landings[a.loop.End] = end
	x.withNewValues(func() { x.iterate(a.loop) })
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
func (x *former) lateCode(a *reduction, c *lateCall, result operand) {
	defer func() { x.reduction, x.rerun = a, nil }()
	x.reduction, x.rerun = nil, map[*ir.Instr]bool{}
	for _, n := range c.nodes {
		if i, ok := n.(*ir.Instr); ok {
			x.rerun[i] = !a.late[n]
		}
	}
	x.withNewValues(func() {
		x.define(c.at.Results[0], result)
		x.list(c.nodes, nil)
	})
}

// asked makes a call of a reduction loop. If it is the only call of its iteration, asked also lowers the rest of its
// region, and ends the iteration.
func (x *former) asked(i *ir.Instr, rest []ir.Node, exit *ir.Exit) {
	a, c := x.reduction, x.reduction.calls[i]
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
			x.withNewValues(func() { x.list(rest, exit) })
		}
		x.continueAt(issue)
	}
	args = x.loaded(args, a.stored)
	if a.nodes[i] == nil {
		x.line = x.lineOf(a.loop) // the line where results are counted, too
		a.nodes[i] = x.countNode(a.gather, func(v operand) {
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
		x.askInChain(a, c, f, args, &pending{node: a.nodes[i], form: isa.FormOne}, post, rest)
	}
	if a.several {
		x.goInto(post)
	}
}

// askInChain makes a call. The next iteration begins when the call has its segment. If an iteration makes several
// calls, it begins when all of them have their segments.
func (x *former) askInChain(
	a *reduction, c *lateCall, f *function, args []operand, p *pending, post *block, rest []ir.Node,
) {
	next := func() {
		x.withNewValues(func() {
			x.list(rest, nil)
			x.moves(a.body.End.Params, c.wayOut(a.body))
			x.list(a.tail, nil)
			x.moves(a.loop.Next.Params, a.iteration.Exit.Values)
		})
	}
	head := x.landings[a.loop.Next].to
	x.oneMore(a.gather)
	near, ask := f.place == "own" || f.place == "asked", x.issue // a near call does not delay the next iteration
	a.near = near
	if near && f.own != nil { // the call is made here, unless this PE is short of segments
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
		x.callNumber = a.site
		if !near {
			x.moveInto(a.open, x.binaryOp(isa.ADD, inReg(a.open), constOf(1)))
		}
		ask(f, args, p, 10+a.site, func() {
			a.wakes = append(a.wakes, x.cur)
			wait := x.block()
			x.moveInto(a.open, x.binaryOp(isa.SUB, inReg(a.open), constOf(1)))
			x.branch(isa.BNE, x.binaryOp(isa.AND, inReg(a.open), constOf(a.unit-1)), constOf(0), wait, head)
			x.continueAt(wait)
			x.awaitResults(a.gather)
		})
		return
	}
	x.callNumber = a.which - 1
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
func (x *former) endChain(a *reduction) {
	if a.which == 1 && !a.several {
		x.whetherBegun(a, a.second)
	}
	x.awaitResults(a.gather)
}

// whetherBegun emits a branch to the block otherwise, which is taken unless the second chain has begun.
func (x *former) whetherBegun(a *reduction, otherwise *block) {
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
