package ir

// A Sum is what the turns of a loop have to do with each other, if that is all: each changes one
// variable by an operation whose order does not matter, and nothing in the loop uses it otherwise.
type Sum struct {
	Index int // of the parameters of Next
	Op    Op  // Add (of which Sub is one), Mul, And, Or, Xor, Min or Max
}

// sumFinder follows the values that a sum has in a turn.
type sumFinder struct {
	sum    map[*Value]bool // the sum, as far as it has come
	labels map[*Label]bool // inside of the turn
	op     Op
	ok     bool
}

// OneSum returns the sum of a loop that its turns change in no other way, in a block that is left
// at its end only; then each turn could be a function that gives what is to be added. It looks
// at one block in the turn: what comes before and after it counts, and must not use the sum.
func (n *Loop) OneSum() (s Sum, ok bool) {
	turn, test := n.Body, (*If)(nil)
	if last := len(turn.Nodes) - 1; turn.Exit == nil && last >= 0 { // a test, and then the turn
		if test, _ = turn.Nodes[last].(*If); test != nil && test.No.Exit != nil && test.No.Exit.To == n.End && len(test.No.Nodes) == 0 {
			turn = test.Yes
		}
	}
	if len(turn.Nodes) == 0 || turn.Exit == nil || turn.Exit.To != n.Next {
		return s, false
	}
	block, isBlock := turn.Nodes[0].(*Block)
	if !isBlock || len(block.End.Params) != 1 {
		return s, false
	}
	for i, v := range turn.Exit.Values {
		if v == block.End.Params[0] {
			s.Index = i
		}
	}
	f := &sumFinder{sum: map[*Value]bool{n.Next.Params[s.Index]: true}, labels: map[*Label]bool{block.End: true}, ok: true}
	if t := n.Next.Params[s.Index].Type; turn.Exit.Values[s.Index] != block.End.Params[0] || t == Float32 || t == Bool {
		return s, false
	}
	f.region(block.Body)
	if s.Op = f.op; !f.ok || !f.sum[block.End.Params[0]] || s.Op == Copy {
		return s, false
	}
	uses := 0
	count := func(list []*Value) {
		for _, v := range list {
			if f.sum[v] {
				uses++
			}
		}
	}
	for _, r := range []*Region{n.Body, turn} { // besides the block
		for _, m := range r.Nodes {
			if x, isInstr := m.(*Instr); isInstr {
				count(x.Args)
			} else if m != Node(block) && m != Node(test) {
				return s, false
			}
		}
	}
	count(turn.Exit.Values)
	return s, uses == 1
}

// sumOps says as which operation the one of an instruction counts.
var sumOps = map[Op]Op{Add: Add, Sub: Add, Mul: Mul, And: And, Or: Or, Xor: Xor, Min: Min, Max: Max}

// region goes through a part of the turn.
func (f *sumFinder) region(r *Region) {
	for _, n := range r.Nodes {
		inside, end := Parts(n)
		switch n := n.(type) {
		case *Instr:
			f.instr(n)
			continue
		case *If:
			f.ok = f.ok && !f.sum[n.Cond]
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
	switch {
	case of > 1, !isSum && (x.Op != Copy || x.Results[0].Type != x.Args[0].Type), x.Op == Sub && !f.sum[x.Args[0]]:
		f.ok = false
	case isSum && f.op != Copy && f.op != op:
		f.ok = false
	case isSum:
		f.op = op
	}
	if f.ok {
		f.sum[x.Results[0]] = true
	}
}
