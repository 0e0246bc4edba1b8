package ir

// copier copies nodes of a function. It calls copied for every copy of an instruction or a loop, and named for every
// new value.
type copier struct {
	f      *Func
	values map[*Value]*Value // what stands for a value in the copy
	labels map[*Label]*Label
	copied func(from, to Node)
	named  func(from, to *Value)
}

// Unrolled returns a region with the iterations of a loop, which exits to the loop's end. It returns nil unless the
// number of iterations is a constant of at most `most`, and an iteration has no loops and exits only at its end. It
// calls copied for every copy of an instruction, and named for every new value.
func (f *Func) Unrolled(n *Loop, most int, copied func(from, to Node), named func(from, to *Value)) *Region {
	iteration, body := n.Iteration()
	counter, counts := n.counts(most)
	if counter == nil || iteration.Loops() || body.Body.Exit == nil {
		return nil
	}
	if further, early := body.Leaves(); further || early {
		return nil
	}
	u := &copier{f, map[*Value]*Value{}, map[*Label]*Label{}, copied, named}
	head, test := n.Body.Nodes[:len(n.Body.Nodes)-1], n.Body.Nodes[len(n.Body.Nodes)-1].(*If)
	carried, out := n.First, &Region{}
	for t, count := range counts {
		for k, p := range n.Next.Params {
			u.values[p] = carried[k]
		}
		u.values[counter] = count
		if t == len(counts)-1 {
			break
		}
		for _, m := range append(head[:len(head):len(head)], iteration.Nodes...) {
			switch i, isInstr := m.(*Instr); {
			case m == Node(body):
				out.Nodes = append(out.Nodes, u.nodes(body.Body.Nodes)...)
				for k, v := range u.list(body.Body.Exit.Values) {
					u.values[body.End.Params[k]] = v
				}
			case !isInstr || len(i.Results) != 1 || i.Results[0] != test.Cond:
				out.Nodes = append(out.Nodes, u.nodes([]Node{m})...)
			}
		}
		carried = u.list(iteration.Exit.Values)
	}
	out.Exit = &Exit{n.End, u.list(test.No.Exit.Values)}
	return out
}

// counts returns a loop's induction variable and its value at every test. It returns nil, nil unless the variable
// begins with a constant, changes by a constant and is compared with a constant, and the loop has at most `most`
// iterations.
func (n *Loop) counts(most int) (counter *Value, list []*Value) {
	iteration, _ := n.Iteration()
	if iteration == nil || iteration == n.Body {
		return nil, nil
	}
	made := map[*Value]*Instr{}
	for _, m := range append(n.Body.Nodes[:len(n.Body.Nodes)-1:len(n.Body.Nodes)-1], iteration.Nodes...) {
		if i, ok := m.(*Instr); ok && len(i.Results) == 1 {
			made[i.Results[0]] = i
		}
	}
	less := made[n.Body.Nodes[len(n.Body.Nodes)-1].(*If).Cond]
	for k, p := range n.Next.Params {
		step := made[iteration.Exit.Values[k]]
		if less == nil || less.Op != Less && less.Op != LessEq || !n.First[k].Constant || p.Type != Int32 ||
			step == nil || step.Op != Add && step.Op != Sub || step.Args[0] != p || !step.Args[1].Constant {
			continue
		}
		at := func(v *Value, now int64) (int64, bool) {
			if v == p {
				return now, true
			}
			return v.Word, v.Constant
		}
		change := step.Args[1].Word
		if step.Op == Sub {
			change = -change
		}
		for now := n.First[k].Word; len(list) <= most; now = int64(int32(now + change)) {
			a, known := at(less.Args[0], now)
			b, alsoKnown := at(less.Args[1], now)
			if !known || !alsoKnown {
				break
			}
			list = append(list, Const(Int32, now))
			if a > b || a == b && less.Op == Less {
				return p, list
			}
		}
		list = nil
	}
	return nil, nil
}

// value returns what replaces a value in this iteration, or the value itself.
func (u *copier) value(v *Value) *Value {
	if w, ok := u.values[v]; ok {
		return w
	}
	return v
}

func (u *copier) list(values []*Value) (out []*Value) {
	for _, v := range values {
		out = append(out, u.value(v))
	}
	return out
}

// newResults returns new values for the values that an iteration defines.
func (u *copier) newResults(values []*Value) (out []*Value) {
	for _, v := range values {
		u.values[v] = u.f.NewValue(v.Type, v.Name)
		u.named(v, u.values[v])
		out = append(out, u.values[v])
	}
	return out
}

// nodes copies nodes.
func (u *copier) nodes(nodes []Node) (out []Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *Instr:
			i := *n
			i.Args = u.list(n.Args)
			i.Results = u.newResults(n.Results)
			u.copied(n, &i)
			out = append(out, &i)
		case *If:
			end := u.label(n.End)
			x := &If{Cond: u.value(n.Cond), Yes: u.region(n.Yes), No: u.region(n.No), End: end}
			end.Params = u.newResults(n.End.Params)
			out = append(out, x)
		case *Block:
			end := u.label(n.End)
			x := &Block{Body: u.region(n.Body), End: end}
			end.Params = u.newResults(n.End.Params)
			out = append(out, x)
		case *Loop:
			x := &Loop{First: u.list(n.First), Next: u.label(n.Next), End: u.label(n.End)}
			x.Next.Params = u.newResults(n.Next.Params)
			x.Body = u.region(n.Body)
			x.End.Params = u.newResults(n.End.Params)
			u.copied(n, x)
			out = append(out, x)
		}
	}
	return out
}

// label makes the label that replaces a label inside the copied nodes.
func (u *copier) label(l *Label) *Label {
	u.labels[l] = &Label{}
	return u.labels[l]
}

func (u *copier) region(r *Region) *Region {
	nodes := u.nodes(r.Nodes)
	if r.Exit == nil {
		return &Region{nodes, nil}
	}
	return &Region{nodes, &Exit{u.labels[r.Exit.To], u.list(r.Exit.Values)}}
}
