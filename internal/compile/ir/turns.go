package ir

// A Sum is a value that the turns of a loop change by one operation whose order does not matter.
type Sum struct {
	Index  int             // of the parameters of Next
	Op     Op              // Add (of which Sub is one), Mul, And, Or, Xor, Min or Max
	Values map[*Value]bool // that it has in a turn
	User   int             // the line of what uses it otherwise, or 0
}

// Turn returns what the turns of a loop run after the test, and the block that it begins with: the body. What
// follows comes before the next turn. It returns nil if no turn leads to a next one at its end.
func (n *Loop) Turn() (turn *Region, body *Block) {
	turn = n.Body
	if last := len(turn.Nodes) - 1; turn.Exit == nil && last >= 0 { // a test, and then the turn
		test, ok := turn.Nodes[last].(*If)
		if ok && test.No.Exit != nil && test.No.Exit.To == n.End && len(test.No.Nodes) == 0 {
			turn = test.Yes
		}
	}
	if turn.Exit == nil || turn.Exit.To != n.Next {
		return nil, nil
	}
	for _, m := range turn.Nodes {
		if body, ok := m.(*Block); ok {
			return turn, body
		}
	}
	return nil, nil
}

// OneSum returns the sum of a loop that its turns change in no other way; then each turn could be a
// function that gives what is to be added.
func (n *Loop) OneSum() (s Sum, ok bool) {
	turn, body := n.Turn()
	if turn == nil || len(body.End.Params) != 1 {
		return s, false
	}
	for k, v := range turn.Exit.Values {
		if v == body.End.Params[0] && v.Type != Float32 {
			s, ok = n.SumOf(k)
		}
	}
	return s, ok && s.User == 0
}

// SumOf returns a sum that a loop carries. The body of the loop must be left at its end only.
func (n *Loop) SumOf(k int) (s Sum, ok bool) {
	turn, body := n.Turn()
	if turn == nil || n.Next.Params[k].Type == Bool {
		return s, false
	}
	f := &sumFinder{
		sum: map[*Value]bool{n.Next.Params[k]: true}, labels: map[*Label]bool{body.End: true},
		tests: map[*Value]*Instr{}, ok: true,
	}
	f.region(body.Body)
	f.ok = f.ok && f.op != Copy && f.sum[turn.Exit.Values[k]] && turn.Exit.Values[k] != n.Next.Params[k]
	for _, r := range []*Region{n.Body, turn} { // besides the body
		for _, m := range r.Nodes {
			if m != Node(body) {
				eachInstr(m, f.uses)
			}
		}
		if turn == n.Body {
			break
		}
	}
	for j, v := range turn.Exit.Values {
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

// eachInstr calls do for the instructions of a node, of a test only for those before the turn.
func eachInstr(n Node, do func(x *Instr)) {
	if x, ok := n.(*Instr); ok {
		do(x)
	} else if n, ok := n.(*If); ok && n.Yes.Exit != nil && n.Yes.Exit.To == n.End {
		n.Yes.Each(do)
		n.No.Each(do)
	}
}

// sumFinder follows the values that a sum has in a turn.
type sumFinder struct {
	sum    map[*Value]bool   // the sum, as far as it has come
	tests  map[*Value]*Instr // conditions that use it
	labels map[*Label]bool   // inside of the turn
	op     Op
	user   int
	ok     bool
}

// sumOps says as which operation the one of an instruction counts.
var sumOps = map[Op]Op{Add: Add, Sub: Add, Mul: Mul, And: And, Or: Or, Xor: Xor, Min: Min, Max: Max}

// SumOp returns the operation of sums as which an instruction counts, or Copy.
func (x *Instr) SumOp() Op { return sumOps[x.Op] }

// uses notes a use of the sum by something else.
func (f *sumFinder) uses(x *Instr) {
	for _, v := range x.Args {
		if f.sum[v] {
			f.user = x.Line
		}
	}
}

// region goes through a part of the turn.
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
		case *Loop: // a parameter that begins with the sum is the sum in every turn
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

// extreme reports a branch that gives the sum a value if that is larger, or smaller: then the sum becomes the
// largest value, or the smallest. Of floats two zeros are equal and not the same.
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

// takes notes the operation of the sum.
func (f *sumFinder) takes(op Op) {
	f.ok = f.ok && (f.op == Copy || f.op == op)
	f.op = op
}

// exit demands of an exit that it leads to a label in the turn, and gives its parameters the sum
// if others do.
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

// TurnOf returns a function of what the body of a loop uses from outside of it. It gives what a turn does to a sum
// that has been neutral before.
func (f *Func) TurnOf(n *Loop, s Sum, name string, neutral int64) *Func {
	_, body := n.Turn()
	sum := n.Next.Params[s.Index]
	known := map[*Value]bool{sum: true}
	body.Body.EachDefined(func(v *Value) { known[v] = true })
	t := &Func{Name: name, Line: f.Line, Results: []Type{sum.Type}, End: &Label{}, values: f.values}
	body.Body.EachUse(func(v *Value) {
		if !v.Constant && !known[v] {
			known[v] = true
			t.Params = append(t.Params, v)
		}
	})
	first := &Instr{Op: Copy, Args: []*Value{Const(sum.Type, neutral)}, Results: []*Value{sum}, Line: f.Line}
	t.Body = &Region{Nodes: []Node{first, body}, Exit: &Exit{t.End, body.End.Params}}
	return t
}

// WithBody returns a loop like another one, with another body.
func (n *Loop) WithBody(body *Block) *Loop {
	turn, old := n.Turn()
	in := &Region{Exit: turn.Exit}
	for _, m := range turn.Nodes {
		if m == Node(old) {
			m = body
		}
		in.Nodes = append(in.Nodes, m)
	}
	if turn != n.Body {
		last := len(n.Body.Nodes) - 1
		test := *n.Body.Nodes[last].(*If)
		test.Yes = in
		in = &Region{Nodes: append(append([]Node{}, n.Body.Nodes[:last]...), &test)}
	}
	return &Loop{First: n.First, Next: n.Next, Body: in, End: n.End}
}
