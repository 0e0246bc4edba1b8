package ir

// A Sum is a loop-carried value that the iterations change by one operation whose order does not matter.
type Sum struct {
	Index  int             // among the parameters of Next
	Op     Op              // Add (which includes Sub), Mul, And, Or, Xor, Min or Max
	Values map[*Value]bool // the values that hold the sum within an iteration
	User   int             // a line that uses the sum in another way, or 0
}

// Iteration returns the region that an iteration runs after the loop's test, and its first block: the body. The
// nodes after the body run before the next iteration. Iteration returns nil, nil if there is no body or the region does
// not end with the next iteration.
func (n *Loop) Iteration() (iteration *Region, body *Block) {
	iteration = n.Body
	if last := len(iteration.Nodes) - 1; iteration.Exit == nil && last >= 0 { // a test, then the iteration
		test, ok := iteration.Nodes[last].(*If)
		if ok && test.No.Exit != nil && test.No.Exit.To == n.End && len(test.No.Nodes) == 0 {
			iteration = test.Yes
		}
	}
	if iteration.Exit == nil || iteration.Exit.To != n.Next {
		return nil, nil
	}
	for _, m := range iteration.Nodes {
		if body, ok := m.(*Block); ok {
			return iteration, body
		}
	}
	return nil, nil
}

// OneSum returns the sum that the loop's body gives as its only value, if nothing else uses the sum and it is not a
// float. Then each iteration could be a function that returns its term.
func (n *Loop) OneSum() (s Sum, ok bool) {
	iteration, body := n.Iteration()
	if iteration == nil || len(body.End.Params) != 1 {
		return s, false
	}
	for k, v := range iteration.Exit.Values {
		if v == body.End.Params[0] && v.Type != Float32 {
			s, ok = n.SumOf(k)
		}
	}
	return s, ok && s.User == 0
}

// SumOf returns parameter k of Next as a sum, if it is one and no exit in the body leads further than to its end.
func (n *Loop) SumOf(k int) (s Sum, ok bool) {
	iteration, body := n.Iteration()
	if iteration == nil || n.Next.Params[k].Type == Bool {
		return s, false
	}
	f := &sumFinder{
		sum: map[*Value]bool{n.Next.Params[k]: true}, labels: map[*Label]bool{body.End: true},
		tests: map[*Value]*Instr{}, ok: true,
	}
	f.region(body.Body)
	f.ok = f.ok && f.op != Copy && f.sum[iteration.Exit.Values[k]] && iteration.Exit.Values[k] != n.Next.Params[k]
	for _, r := range []*Region{n.Body, iteration} { // uses outside the body
		for _, m := range r.Nodes {
			if m != Node(body) {
				eachInstr(m, f.uses)
			}
		}
		if iteration == n.Body {
			break
		}
	}
	for j, v := range iteration.Exit.Values {
		f.ok = f.ok && (j == k || !f.sum[v])
	}
	for _, x := range f.tests {
		f.user = max(f.user, x.Line)
	}
	s = Sum{Index: k, Op: f.op, Values: map[*Value]bool{}, User: f.user}
	for v, is := range f.sum {
		if is {
			s.Values[v] = true
		}
	}
	return s, f.ok
}

// eachInstr calls do for an instruction, or for the instructions in an If whose Yes exits to the If's own end. The
// loop's own test is not such an If.
func eachInstr(n Node, do func(x *Instr)) {
	if x, ok := n.(*Instr); ok {
		do(x)
	} else if n, ok := n.(*If); ok && n.Yes.Exit != nil && n.Yes.Exit.To == n.End {
		n.Yes.Each(do)
		n.No.Each(do)
	}
}

// sumFinder tracks the values that hold the sum within an iteration.
type sumFinder struct {
	sum    map[*Value]bool   // whether a value holds the sum so far
	tests  map[*Value]*Instr // comparisons that use it, by result
	labels map[*Label]bool   // inside the iteration
	op     Op
	user   int
	ok     bool
}

// sumOps maps an operation to the one it counts as in a sum: a subtraction is an addition.
var sumOps = map[Op]Op{Add: Add, Sub: Add, Mul: Mul, And: And, Or: Or, Xor: Xor, Min: Min, Max: Max}

// SumOp returns the operation that an instruction counts as in a sum, or Copy if it cannot be part of one.
func (x *Instr) SumOp() Op { return sumOps[x.Op] }

// uses records a use of the sum outside the summation.
func (f *sumFinder) uses(x *Instr) {
	for _, v := range x.Args {
		if f.sum[v] {
			f.user = x.Line
		}
	}
}

// region follows the sum through a region of the iteration.
func (f *sumFinder) region(r *Region) {
	for _, n := range r.Nodes {
		inside, end := Parts(n)
		switch n := n.(type) {
		case *Instr:
			f.instr(n)
			continue
		case *If:
			if f.extreme(n) {
				continue
			}
		case *Loop: // a parameter that starts as the sum must be the sum in every iteration
			f.labels[n.Next] = true
			f.exit(&Exit{n.Next, n.First})
		}
		f.labels[end] = true
		for _, r := range inside {
			f.region(r)
		}
	}
	if r.Exit != nil {
		f.exit(r.Exit)
	}
}

// extreme reports whether a branch replaces the sum with a value that is larger, or smaller, and then counts it
// as a maximum or minimum. Comparisons of floats are not in tests, because 0 and -0 are equal but not the same.
func (f *sumFinder) extreme(n *If) bool {
	x := f.tests[n.Cond]
	ends := func(r *Region) bool { return r.Exit != nil && r.Exit.To == n.End }
	if x == nil || len(n.End.Params) != 1 || !ends(n.Yes) || !ends(n.No) || len(n.No.Nodes) > 0 {
		return false
	}
	op, old, v := Max, x.Args[0], x.Args[1]
	if f.sum[v] {
		op, old, v = Min, v, old
	}
	given := n.Yes.Exit.Values[0]
	for _, m := range n.Yes.Nodes {
		i, ok := m.(*Instr)
		if !ok || i.Op != Mark && (i.Op != Copy || i.Args[0] != v || i.Results[0] != given) {
			return false
		}
	}
	if n.No.Exit.Values[0] != old || given != v && len(n.Yes.Nodes) < 2 {
		return false
	}
	delete(f.tests, n.Cond)
	f.takes(op)
	f.sum[n.End.Params[0]] = f.ok
	return true
}

// takes records the operation of the sum, which must always be the same.
func (f *sumFinder) takes(op Op) {
	f.ok = f.ok && (f.op == Copy || f.op == op)
	f.op = op
}

// exit requires an exit to lead to a label inside the iteration, and a parameter to get the sum from all exits
// or from none.
func (f *sumFinder) exit(e *Exit) {
	if f.ok = f.ok && f.labels[e.To]; !f.ok {
		return
	}
	for i, v := range e.Values {
		p := e.To.Params[i]
		known, seen := f.sum[p]
		switch {
		case !seen:
			f.sum[p] = f.sum[v]
		case known != f.sum[v]:
			f.ok = false
		}
	}
}

// instr follows the sum through an instruction.
func (f *sumFinder) instr(x *Instr) {
	of := 0
	for _, v := range x.Args {
		if f.sum[v] {
			of++
		}
	}
	if of == 0 {
		return
	}
	op, isSum := sumOps[x.Op]
	isSum = isSum && of == 1 && (x.Op != Sub || f.sum[x.Args[0]]) &&
		(x.Args[0].Type != Float32 || op == Min || op == Max)
	switch {
	case isSum:
		f.takes(op)
		f.sum[x.Results[0]] = true
	case x.Op == Copy && x.Results[0].Type == x.Args[0].Type:
		f.sum[x.Results[0]] = true
	case of == 1 && (x.Op == Less || x.Op == LessEq) && x.Args[0].Type != Float32:
		f.tests[x.Results[0]] = x
	default:
		f.user = x.Line
	}
}

// IterationOf returns a function that runs a copy of the body of a loop once, with the sum starting at neutral, and
// returns the sum. Its parameters are the values that the body uses from outside. It calls copied for every copy of an
// instruction or a loop, and named for every new value.
func (f *Func) IterationOf(n *Loop, s Sum, name string, neutral int64,
	copied func(from, to Node), named func(from, to *Value),
) *Func {
	_, body := n.Iteration()
	sum := n.Next.Params[s.Index]
	u := &copier{f, map[*Value]*Value{sum: Const(sum.Type, neutral)}, map[*Label]*Label{}, copied, named}
	in := &Region{Nodes: u.nodes([]Node{body})}
	t := &Func{Name: name, Line: f.Line, Results: []Type{sum.Type}, Body: in, End: &Label{}, values: f.values}
	in.Exit = &Exit{t.End, u.list(body.End.Params)}
	known := map[*Value]bool{}
	in.EachDefined(func(v *Value) { known[v] = true })
	in.EachUse(func(v *Value) {
		if !v.Constant && !known[v] {
			known[v] = true
			t.Params = append(t.Params, v)
		}
	})
	return t
}

// WithBody returns a copy of the loop with another body.
func (n *Loop) WithBody(body *Block) *Loop {
	iteration, old := n.Iteration()
	in := &Region{Exit: iteration.Exit}
	for _, m := range iteration.Nodes {
		if m == Node(old) {
			m = body
		}
		in.Nodes = append(in.Nodes, m)
	}
	if iteration != n.Body {
		last := len(n.Body.Nodes) - 1
		test := *n.Body.Nodes[last].(*If)
		test.Yes = in
		in = &Region{Nodes: append(append([]Node{}, n.Body.Nodes[:last]...), &test)}
	}
	return &Loop{First: n.First, Next: n.Next, Body: in, End: n.End}
}
