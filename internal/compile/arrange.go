package compile

import (
	"slices"

	"emsim/internal/compile/ir"
)

// arrange moves instructions that follow a call in the same statement, so that they run before the call. Such an
// instruction needs no result of the call, and uses no array that the loop changes. It cannot panic, unless it is an
// index check. arrange reports whether the region makes calls.
func (a *reductionFinder) arrange(r *ir.Region) (calls bool) {
	var list, after []ir.Node // list: before the last call of this statement; after: this call, and what stays after it
	var mark ir.Node
	var last *lateCall
	here := false                  // whether this statement has made its call
	needed := map[*ir.Value]bool{} // values defined after the call
	for _, n := range r.Nodes {
		i, isInstr := n.(*ir.Instr)
		c := a.calls[i]
		switch {
		case isInstr && i.Op == ir.Mark:
			list, after, here = append(append(list, after...), n), nil, false
			mark = n
			continue
		case c != nil:
			a.several = a.several || calls
			list, after, here = append(list, after...), []ir.Node{n}, true
			calls, last = true, c
		case a.late[n]:
			if mark != nil && last != nil && slices.Contains(last.nodes, n) {
				last.nodes, a.late[mark] = slices.Insert(last.nodes, slices.Index(last.nodes, n), mark), true
			}
			after = append(after, n)
		case isInstr && here && (!mayPanic(n) || i.Op == ir.Check) && !a.changes(n) && !usesAny(n, needed):
			list = append(list, n)
		default:
			ends := isInstr && last != nil && r.Exit != nil && r.Exit.To == a.body.End
			a.several = a.several || calls && !ends
			after = append(after, n)
			for _, v := range ir.Defined(n) {
				needed[v] = true
			}
			inside, _ := ir.Parts(n)
			for _, r := range inside {
				if a.arrange(r) {
					calls = true
				}
			}
		}
		mark = nil
	}
	r.Nodes = append(list, after...)
	a.several = a.several || r.Exit == nil && calls
	return calls
}

// wayOut returns the values that reach the end of the body on the path from a call.
func (c *lateCall) wayOut(body *ir.Block) []*ir.Value {
	at := len(c.around) - 1
	e := c.around[at].Exit
	values := slices.Clone(e.Values)
	for e.To != body.End {
		to, from := e.To, values
		for at--; ; at-- { // the region with the node that the exit leaves
			if slices.ContainsFunc(c.around[at].Nodes, func(n ir.Node) bool {
				_, end := ir.Parts(n)
				return end == to
			}) {
				break
			}
		}
		e = c.around[at].Exit
		values = slices.Clone(e.Values)
		for i, v := range values {
			if k := slices.Index(to.Params, v); k >= 0 {
				values[i] = from[k]
			}
		}
	}
	return values
}

// flatten adds the terms of an expression to a sum one by one, if they depend on results of calls.
func (x *former) flatten(r *ir.Region, a *reductionFinder) {
	for at := 0; at < len(r.Nodes); at++ {
		x.c.meter.countSteps(1)
		inside, _ := ir.Parts(r.Nodes[at])
		for _, r := range inside {
			x.flatten(r, a)
		}
		i, isInstr := r.Nodes[at].(*ir.Instr)
		if !isInstr || len(i.Results) != 1 || i.SumOp() == ir.Copy {
			continue
		}
		k, isSum := a.sums[i.Results[0]]
		if !isSum {
			continue
		}
		if _, first := a.sums[i.Args[0]]; !first {
			i.Args = []*ir.Value{i.Args[1], i.Args[0]}
		}
		term := i.Args[1]
		t := x.definedBy[term]
		if t == nil || !a.results[term] || term.Name != "" || x.uses[term] > 1 || t.SumOp() != i.SumOp() {
			continue
		}
		from := slices.Index(r.Nodes, ir.Node(t))
		if from < 0 {
			continue
		}
		part := x.form.NewValue(term.Type, "")
		first := &ir.Instr{Op: i.Op, Args: []*ir.Value{i.Args[0], t.Args[0]}, Results: []*ir.Value{part}, Line: i.Line}
		if i.Args = []*ir.Value{part, t.Args[1]}; t.Op == ir.Sub {
			i.Op = ir.Add + ir.Sub - i.Op
		}
		x.definedBy[part], x.uses[part], a.sums[part] = first, 1, k
		r.Nodes = slices.Insert(r.Nodes, at, ir.Node(first))
		r.Nodes = slices.Delete(r.Nodes, from, from+1)
		at -= 2 // look at both again
	}
}
