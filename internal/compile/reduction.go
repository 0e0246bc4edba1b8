package compile

import (
	"cmp"
	"go/types"
	"slices"

	"emsim/internal/compile/ir"
)

// A reduction loop is a loop whose iterations depend on each other only through sums, which take their terms in any
// order. The late part of an iteration is the code that needs the result of a call. Besides this result it uses only
// sums, and values that the loop does not change. So it can run in the node where the result arrives, and the next
// iterations begin before that.

// reduction is a reduction loop.
type reduction struct {
	*gather
	loop      *ir.Loop
	iteration *ir.Region // the body, and the code before the next iteration
	body      *ir.Block
	sums      map[*ir.Value]int // by value: the index of its sum among the loop-carried values
	calls     map[*ir.Instr]*lateCall
	late      map[ir.Node]bool    // nodes of late parts, which do not run with the rest of the iteration
	stored    map[*ir.Memory]bool // arrays that the loop changes
	several   bool                // an iteration makes several calls, or runs other code after one
	near      bool                // the last call needs no segment of another PE

	nodes  map[*ir.Instr]*block // where the results of calls arrive
	begun  reg                  // in the first chain: whether the second chain has begun
	second *block               // the block where the second chain begins
	which  int                  // the chain that is lowered, 1 or 2
	site   int                  // number of calls that have been lowered
	tail   []ir.Node            // the nodes of the iteration after the body
}

// lateCall is a call with the late part of its iteration.
type lateCall struct {
	at     *ir.Instr
	in     *ir.Region   // the region with the call
	nodes  []ir.Node    // the late part
	around []*ir.Region // the regions around it in the body, outermost first
}

// reductionFinder finds out whether a loop is a reduction loop.
type reductionFinder struct {
	*former
	*reduction
	inside  map[*ir.Value]bool      // values that the loop defines
	owner   map[*ir.Value]*lateCall // by value: the call whose result it needs
	around  []*ir.Region            // the regions around the current place, outermost first
	results map[*ir.Value]bool      // values that depend on results
	users   map[*ir.Value]int       // by value: the line of a use that is not part of the sum
	reads   bool                    // calls use arrays of package df
	writes  bool                    // other code of the iterations changes such arrays
	why     string
}

// findReduction returns n as a reduction loop, or nil if it is not one. If it therefore has to wait in every iteration,
// findReduction also returns why.
func (x *former) findReduction(n *ir.Loop) (*reduction, string) {
	if x.own || !x.callsIn(n.Body) {
		return nil, ""
	}
	iteration, body := n.Iteration()
	if iteration == nil {
		return nil, mayLeave
	}
	test, heavy := n.Body, func(m ir.Node) bool { i, ok := m.(*ir.Instr); return ok && x.needs(i) }
	switch further, _ := body.Leaves(); {
	case further:
		return nil, mayLeave
	case !x.callsIn(body.Body), slices.ContainsFunc(iteration.Nodes, heavy),
		test != iteration && slices.ContainsFunc(test.Nodes[:len(test.Nodes)-1], x.callsAt):
		return nil, "its result decides whether there is a next iteration"
	}
	a := &reductionFinder{
		former: x,
		reduction: &reduction{
			loop: n, iteration: iteration, body: body, sums: map[*ir.Value]int{}, calls: map[*ir.Instr]*lateCall{},
			late: map[ir.Node]bool{}, stored: storedIn(n.Body), nodes: map[*ir.Instr]*block{},
		},
		inside: map[*ir.Value]bool{}, owner: map[*ir.Value]*lateCall{}, results: map[*ir.Value]bool{},
		users: map[*ir.Value]int{},
	}
	a.tail = iteration.Nodes[slices.Index(iteration.Nodes, ir.Node(body))+1:]
	size := 1
	n.Body.Each(func(*ir.Instr) { size++ })
	for k, p := range n.Next.Params {
		x.c.meter.countSteps(size)
		a.inside[p] = true
		s, ok := n.SumOf(k)
		for v := range s.Values {
			if ok && s.User > 0 {
				a.users[v] = s.User
			} else if ok {
				a.sums[v] = k
			}
		}
	}
	x.findResults(body.Body, false, true, a.results)
	x.flatten(body.Body, a)
	n.Body.EachDefined(func(v *ir.Value) { a.inside[v] = true })
	switch {
	case !a.region(body.Body):
		return nil, cmp.Or(a.carriesResult(), a.why, moreThanAdds+a.remedy("does all of it"))
	case a.reads && a.writes:
		return nil, changesArray
	}
	a.arrange(body.Body)
	return a.reduction, ""
}

// callsIn reports whether a region makes calls that need instances.
func (x *former) callsIn(r *ir.Region) bool { return slices.ContainsFunc(r.Nodes, x.callsAt) }

func (x *former) callsAt(n ir.Node) bool {
	if i, ok := n.(*ir.Instr); ok {
		return x.needs(i)
	}
	inside, _ := ir.Parts(n)
	return slices.ContainsFunc(inside, x.callsIn)
}

// findResults finds the values that depend on late values and, if fresh is set, on results of calls. A value depends on
// another one that is an operand, or that decides which branch runs. decided says that the branch around the region
// depends on a late value.
func (x *former) findResults(r *ir.Region, decided, fresh bool, late map[*ir.Value]bool) {
	for _, n := range r.Nodes {
		test, isIf := n.(*ir.If)
		i, isInstr := n.(*ir.Instr)
		decides := isIf && late[test.Cond]
		inside, _ := ir.Parts(n)
		for _, r := range inside {
			x.findResults(r, decided || decides, fresh, late)
		}
		if isInstr && (fresh && x.needs(i) || usesAny(i, late)) || decides {
			for _, v := range ir.Defined(n) {
				late[v] = true
			}
		}
	}
	if r.Exit != nil {
		for i, v := range r.Exit.Values {
			if (decided || late[v]) && i < len(r.Exit.To.Params) {
				late[r.Exit.To.Params[i]] = true
			}
		}
	}
}

// region visits a region of an iteration, and reports whether its late parts can run where results arrive.
func (a *reductionFinder) region(r *ir.Region) bool {
	a.around = append(a.around, r)
	defer func() { a.around = a.around[:len(a.around)-1] }()
	var left *lateCall // the call whose late part may have left the region
	for _, n := range r.Nodes {
		a.c.meter.countSteps(1)
		i, isInstr := n.(*ir.Instr)
		c, ok := a.ownerOf(n)
		if left != nil && (!isInstr || i.Op != ir.Mark) {
			ok = ok && !a.callsAt(n) && (c == nil || c == left)
			c = left
		}
		switch {
		case !ok || c != nil && a.callsAt(n):
			return a.failTurn("makes these calls", needsSeveral)
		case isInstr && a.needs(i):
			if len(i.Results) != 1 {
				return a.fail(severalWords, types.ExprString(a.x.sites[i]), len(i.Results))
			}
			if !a.canBeTerm(i) {
				return false
			}
			c = &lateCall{at: i, in: r, around: slices.Clone(a.around)}
			a.calls[i], a.owner[i.Results[0]] = c, c
		case c != nil:
			if !a.lateNode(n, c, r) {
				return false
			}
			if !isInstr && !a.simple(n) {
				left = c
			}
		case isInstr:
			a.writes = a.writes || i.Op == ir.Call && a.c.alone(a.x.sites[i])
		default:
			if l, isLoop := n.(*ir.Loop); isLoop && a.callsAt(n) {
				return a.failTurn("runs that loop", innerLoop, a.c.lineName(a.lineOf(l)))
			}
			inside, _ := ir.Parts(n)
			for _, r := range inside {
				if !a.region(r) {
					return false
				}
			}
		}
	}
	return r.Exit == nil || a.exit(r.Exit)
}

// canBeTerm reports whether a call may be in progress together with other calls.
func (a *reductionFinder) canBeTerm(i *ir.Instr) bool {
	site := a.x.sites[i]
	switch {
	case a.c.alone(site):
		return a.fail(changesArray)
	case a.c.callee(site).lit != nil:
		return a.fail("its own iterations are in progress together, and the next begin when all of them are done")
	}
	a.reads = a.reads || a.c.touches(site)
	return true
}

// ownerOf returns the call whose result a node needs, or nil. ok is false if it needs several results, or if a result
// decides about calls inside it.
func (a *reductionFinder) ownerOf(n ir.Node) (c *lateCall, ok bool) {
	ok = true
	ir.EachUse(n, func(v *ir.Value) {
		if o := a.owner[v]; o != nil {
			ok, c = ok && (c == nil || c == o), o
		}
	})
	if _, isInstr := n.(*ir.Instr); isInstr || !a.callsAt(n) {
		return c, ok
	}
	test, isIf := n.(*ir.If)
	return nil, !isIf || a.owner[test.Cond] == nil // the nodes inside are visited one by one
}

// exit reports whether an exit passes no result of a call to its label, except as a sum. If not, it records why the
// loop is not a reduction loop.
func (a *reductionFinder) exit(e *ir.Exit) bool {
	for i, v := range e.Values {
		if _, isSum := a.sums[e.To.Params[i]]; isSum || a.owner[v] == nil {
			continue
		}
		if user := a.users[e.To.Params[i]]; user > 0 {
			return a.failUsed(user)
		}
		return a.failSum(v)
	}
	return true
}

// lateNode adds a node to the late part of an iteration, and reports whether it can run there.
func (a *reductionFinder) lateNode(n ir.Node, c *lateCall, r *ir.Region) bool {
	i, isInstr := n.(*ir.Instr)
	_, end := ir.Parts(n)
	if a.changes(n) {
		return a.failTurn("does all of it, with the array as an argument,", usesArray)
	}
	if r != c.in || isInstr && i.Op == ir.Panic ||
		!isInstr && !a.simpleWithin(n, map[*ir.Label]bool{end: true, exitTo(r.Exit): true}) {
		return false
	}
	own := map[*ir.Value]bool{}
	if !isInstr {
		inside, _ := ir.Parts(n)
		for _, r := range inside {
			r.EachDefined(func(v *ir.Value) { own[v] = true })
		}
	}
	ok := true
	ir.EachUse(n, func(v *ir.Value) {
		if _, isSum := a.sums[v]; !isSum && !own[v] && a.owner[v] == nil {
			ok = ok && a.pull(v, c)
		}
	})
	c.nodes, a.late[n] = append(c.nodes, n), true
	for _, v := range ir.Defined(n) {
		if _, isSum := a.sums[v]; !isSum {
			a.owner[v] = c
		}
	}
	return ok && a.endsAlike(n, r.Exit)
}

// changes reports whether a node uses an array that the loop changes, or calls a function that uses arrays of package
// df.
func (a *reductionFinder) changes(n ir.Node) (found bool) {
	a.touches(n, func(i *ir.Instr) { found = found || i.Op == ir.Call || a.stored[i.Memory] })
	return found
}

// endsAlike reports whether the exits of a late node that lead to the target of end pass the same values as end, except
// for sums.
func (a *reductionFinder) endsAlike(n ir.Node, end *ir.Exit) bool {
	inside, _ := ir.Parts(n)
	return !slices.ContainsFunc(inside, func(r *ir.Region) bool {
		if e := r.Exit; e != nil && end != nil && e.To == end.To {
			for i, v := range e.Values {
				if _, isSum := a.sums[e.To.Params[i]]; !isSum && v != end.Values[i] {
					return true
				}
			}
		}
		return slices.ContainsFunc(r.Nodes, func(n ir.Node) bool { return !a.endsAlike(n, end) })
	})
}

// pull reports whether a late part can use a value that is not late. To the late part, it adds the instructions that
// compute the value from values that the loop does not change.
func (a *reductionFinder) pull(v *ir.Value, c *lateCall) bool {
	if v.Constant || !a.inside[v] {
		return true
	}
	i := a.definedBy[v]
	if i != nil && !a.changes(i) && !a.needs(i) {
		if slices.Contains(c.nodes, ir.Node(i)) {
			return true
		}
		if !slices.ContainsFunc(i.Args, func(v *ir.Value) bool { return !a.pull(v, c) }) {
			c.nodes = append(c.nodes, i)
			return true
		}
	}
	if user := a.users[v]; user > 0 {
		return a.failUsed(user)
	}
	if k := slices.Index(a.loop.Next.Params, v); k >= 0 && a.results[a.iteration.Exit.Values[k]] {
		return a.failSum(v) // it would have to be a sum
	}
	if i != nil && a.changes(i) && i.Op == ir.Load {
		return a.failTurn("does all of it, with the array as an argument,", usesArray)
	}
	if v.Name != "" {
		return a.failTurn("does all of it, with "+v.Name+" as an argument,", usesChanged, v.Name)
	}
	return false
}
