package compile

import (
	"emsim/internal/compile/ir"
)

// Bounds of loops that are unrolled [chosen: nodes and words mostly fit one segment, and a policy with two choices
// spreads this number of calls].
const (
	mostIterations = 4
	mostTogether   = 4  // calls of all iterations
	mostUnrolled   = 60 // instructions of all iterations
)

// unrolled returns the iterations of a loop one after the other, or nil. All their calls are then made together, and
// not only the calls of one iteration. No call may need a result of an earlier iteration.
func (x *former) unrolled(n *ir.Loop) *ir.Region {
	if r, known := x.outs[n]; known {
		return r
	}
	size := 0
	n.Body.Each(func(*ir.Instr) { size++ })
	iterations := min(mostIterations, mostTogether/max(1, len(x.callsOf(n.Body))), mostUnrolled/size)
	if !x.callsIndependent(n) {
		return nil
	}
	r := x.form.Unrolled(n, iterations, x.x.copied, x.x.sameOwners)
	if x.outs[n] = r; r != nil {
		x.count(r)
		x.findMoved(r)
	}
	return r
}

// callsIndependent reports whether the calls of an iteration need no results of earlier iterations, and no result
// decides whether they are made. It reports false if the loop has operations on streams.
func (x *former) callsIndependent(n *ir.Loop) bool {
	iteration, body := n.Iteration()
	if iteration == nil || x.streamsIn(n.Body) {
		return false
	}
	late, known := map[*ir.Value]bool{}, -1
	for known < len(late) {
		known = len(late)
		x.findResults(iteration, false, true, late)
		for k, v := range iteration.Exit.Values {
			if late[v] {
				late[n.Next.Params[k]] = true
			}
		}
	}
	earlier := map[*ir.Value]bool{} // values that depend on results of earlier iterations
	for _, p := range n.Next.Params {
		if late[p] {
			earlier[p] = true
		}
	}
	x.findResults(iteration, false, false, earlier)
	calls := 0
	for _, m := range body.Body.Nodes {
		i, isInstr := m.(*ir.Instr)
		if isInstr && x.needs(i) {
			calls++
		}
		if isInstr && x.needs(i) && usesAny(i, earlier) || !isInstr && !x.simple(m) {
			return false
		}
	}
	return calls == len(x.callsOf(n.Body))
}
