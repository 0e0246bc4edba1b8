package compile

import (
	"cmp"
	"go/types"
	"slices"

	"emsim/internal/compile/ir"
)

// A loop adds up if its turns have nothing to do with each other but sums, which take
// what they get in any order: the results of calls come late, and what needs a result, the late
// part of a turn, uses else only sums and what the loop does not change. Then it runs where the
// result comes, and the next turns begin before that.

// adding is such a loop.
type adding struct {
	*gather
	loop    *ir.Loop
	turn    *ir.Region // the body, and what comes before the next turn
	body    *ir.Block
	sums    map[*ir.Value]int // which of the values that the loop carries they are
	calls   map[*ir.Instr]*lateCall
	late    map[ir.Node]bool
	stored  map[*ir.Memory]bool // arrays that the loop changes
	several bool                // a turn makes several calls, or runs other code after one
	near    bool                // the last call needs no segment of another PE

	nodes  map[*ir.Instr]*block // where the results of calls come
	begun  reg                  // in the first chain: whether the second one has begun
	second *block               // where it begins
	which  int                  // of the chains is lowered
	site   int                  // of calls, that have been lowered
	tail   []ir.Node
}

// lateCall is a call, and the late part of its turn.
type lateCall struct {
	at     *ir.Instr
	in     *ir.Region
	nodes  []ir.Node
	around []*ir.Region // the regions around it in the body, from the outside
}

// adder finds out whether a loop adds up.
type adder struct {
	*former
	*adding
	inside  map[*ir.Value]bool      // values that the loop makes
	owner   map[*ir.Value]*lateCall // whose result values need
	around  []*ir.Region            // regions around the place, from the outside
	results map[*ir.Value]bool      // what depends on results
	users   map[*ir.Value]int       // the lines of what uses values of sums otherwise
	reads   bool                    // calls use arrays of package df
	writes  bool                    // turns change them besides
	why     string
}

// addsUp returns a loop that adds up, or why it has to wait in every turn, if it does.
func (x *former) addsUp(n *ir.Loop) (*adding, string) {
	if x.own || !x.callsIn(n.Body) {
		return nil, ""
	}
	turn, body := n.Turn()
	if turn == nil {
		return nil, mayLeave
	}
	test, heavy := n.Body, func(m ir.Node) bool { i, ok := m.(*ir.Instr); return ok && x.needs(i) }
	switch further, _ := body.Leaves(); {
	case further:
		return nil, mayLeave
	case !x.callsIn(body.Body), slices.ContainsFunc(turn.Nodes, heavy),
		test != turn && slices.ContainsFunc(test.Nodes[:len(test.Nodes)-1], x.callsAt):
		return nil, "its result decides whether there is a next turn"
	}
	a := &adder{
		former: x,
		adding: &adding{
			loop: n, turn: turn, body: body, sums: map[*ir.Value]int{}, calls: map[*ir.Instr]*lateCall{},
			late: map[ir.Node]bool{}, stored: storedIn(n.Body), nodes: map[*ir.Instr]*block{},
		},
		inside: map[*ir.Value]bool{}, owner: map[*ir.Value]*lateCall{}, results: map[*ir.Value]bool{},
		users: map[*ir.Value]int{},
	}
	a.tail = turn.Nodes[slices.Index(turn.Nodes, ir.Node(body))+1:]
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
	return a.adding, ""
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

// findResults finds the values that depend on late ones, and, if fresh is set, on results of calls: by what computes
// them, or because such a value decides about the way, which decided says of the whole region.
func (x *former) findResults(r *ir.Region, decided, fresh bool, late map[*ir.Value]bool) {
	for _, n := range r.Nodes {
		test, isIf := n.(*ir.If)
		i, isInstr := n.(*ir.Instr)
		decides := isIf && late[test.Cond]
		inside, _ := ir.Parts(n)
		for _, r := range inside {
			x.findResults(r, decided || decides, fresh, late)
		}
		if isInstr && (fresh && x.needs(i) || uses(i, late)) || decides {
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

// region goes through a region of a turn, and reports whether its late parts are good.
func (a *adder) region(r *ir.Region) bool {
	a.around = append(a.around, r)
	defer func() { a.around = a.around[:len(a.around)-1] }()
	var left *lateCall // whose late part may have gone to the end
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

// canBeTerm reports whether other calls may be in progress with a call.
func (a *adder) canBeTerm(i *ir.Instr) bool {
	site := a.x.sites[i]
	switch {
	case a.c.alone(site):
		return a.fail(changesArray)
	case a.c.callee(site).lit != nil:
		return a.fail("its own turns are in progress together, and the next begin when all of them are done")
	}
	a.reads = a.reads || a.c.touches(site)
	return true
}

// ownerOf returns the call whose result a node needs, or nil.
func (a *adder) ownerOf(n ir.Node) (c *lateCall, ok bool) {
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
	return nil, !isIf || a.owner[test.Cond] == nil // what is inside decides
}

// exit demands that what an exit hands on is no result, unless it is a sum.
func (a *adder) exit(e *ir.Exit) bool {
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

// lateNode takes a node into the late part of a turn.
func (a *adder) lateNode(n ir.Node, c *lateCall, r *ir.Region) bool {
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

// changes reports whether a node uses an array that the loop changes.
func (a *adder) changes(n ir.Node) (found bool) {
	a.touches(n, func(i *ir.Instr) { found = found || i.Op == ir.Call || a.stored[i.Memory] })
	return found
}

// endsAlike demands of the exits of a late node that lead to the end of its region that they hand on what the
// region does, except for sums.
func (a *adder) endsAlike(n ir.Node, end *ir.Exit) bool {
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

// pull reports whether a late part can use a value that does not come late, and takes
// what computes it from what the loop does not change.
func (a *adder) pull(v *ir.Value, c *lateCall) bool {
	if v.Constant || !a.inside[v] {
		return true
	}
	i := a.made[v]
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
	if k := slices.Index(a.loop.Next.Params, v); k >= 0 && a.results[a.turn.Exit.Values[k]] {
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
