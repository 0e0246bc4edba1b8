package compile

import (
	"go/types"
	"slices"

	"emsim/internal/compile/ir"
)

// group lowers calls that do not need each other's results as a group. Before the calls it lowers nodes that they need,
// stores, and nodes that may panic before Go makes the last call. It returns the nodes that come after the calls: nodes
// that need a result, and nodes that no call needs.
func (x *former) group(nodes []ir.Node) (rest []ir.Node) {
	late, after := map[*ir.Value]bool{}, map[ir.Node]bool{}
	var touched []*ir.Instr // loads, stores, calls and receives that later nodes may have to stay after
	last := 0
	risky := false // the code after the calls may panic, before Go makes the calls of the next statement
	for n, node := range nodes {
		x.c.meter.countSteps(1)
		i, isInstr := node.(*ir.Instr)
		if isInstr && (i.Op == ir.Panic || i.Op.Streams() && i.Op != ir.Receive || i.Op == ir.Mark && risky) || !isInstr && !x.simple(node) {
			break
		}
		needs := usesAny(node, late) || x.conflicts(node, touched)
		if needs || isInstr && x.awaited(i) {
			for _, v := range ir.Defined(node) {
				late[v] = true
			}
		}
		if needs {
			after[node] = true
			x.touches(node, func(i *ir.Instr) { touched = append(touched, i) })
		}
		if !needs && isInstr && x.awaited(i) {
			last = n
			if i.Op == ir.Receive || x.c.touches(x.x.sites[i]) || x.receives(i) {
				touched = append(touched, i)
			}
		}
		risky = risky || needs && mayPanic(node)
	}
	steps, rest := x.formSteps(nodes[:last+1], after)
	outer := x.frame
	x.frame = &frame{outer.scope, map[types.Object]bool{}}
	for _, n := range nodes[:last+1] { // variables of late values still have their old values
		for _, v := range ir.Defined(n) {
			for _, o := range x.x.owners[v] {
				x.frame.late[o] = late[v]
			}
		}
	}
	passing := len(x.passing)
	x.makeCalls(steps)
	x.releaseArrays(passing)
	x.frame = outer
	return append(rest, nodes[last+1:]...)
}

// formSteps returns the steps of a group, and the nodes that come after it.
func (x *former) formSteps(nodes []ir.Node, late map[ir.Node]bool) (steps []step, rest []ir.Node) {
	wanted, changing := map[*ir.Value]bool{}, map[*ir.Memory]bool{}
	var touched []*ir.Instr // loads, stores, calls and receives of the steps found so far, which come later
	before := false         // whether a node is in a statement before the last call's
	for _, node := range slices.Backward(nodes) {
		i, isInstr := node.(*ir.Instr)
		isCall := isInstr && x.awaited(i)
		switch {
		case isInstr && i.Op == ir.Mark:
			before = true
			next := &steps[len(steps)-1]
			next.begins = append(next.begins, i.Line)
			continue
		case late[node] || !isCall && !(before && mayPanic(node)) && !x.stores(node) && !x.conflicts(node, touched) && !definesAny(node, wanted):
			rest = append(rest, node)
			continue
		case isCall:
			steps = append(steps, x.formStep(i, changing))
		case isInstr && (x.lowersAtUse(i) || x.moved[i]):
		default:
			steps = append(steps, step{run: func() { x.lowerBetween(node) }})
			x.touches(node, func(i *ir.Instr) { changing[i.Memory] = changing[i.Memory] || i.Op == ir.Store })
		}
		x.touches(node, func(i *ir.Instr) { touched = append(touched, i) })
		ir.EachUse(node, func(v *ir.Value) { wanted[v] = true })
	}
	slices.Reverse(steps)
	slices.Reverse(rest)
	return steps, rest
}

// definesAny reports whether a node defines a wanted value, or checks one, such as an index before a load.
func definesAny(n ir.Node, wanted map[*ir.Value]bool) bool {
	i, isInstr := n.(*ir.Instr)
	return isInstr && i.Op == ir.Check && wanted[i.Args[0]] ||
		slices.ContainsFunc(ir.Defined(n), func(v *ir.Value) bool { return wanted[v] })
}

// formStep returns the step of a call or a receive.
func (x *former) formStep(i *ir.Instr, changing map[*ir.Memory]bool) step {
	if i.Op == ir.Receive {
		return x.receiveStep(i)
	}
	s := step{at: x.x.sites[i], call: x.x.sites[i], args: func() []operand { return x.argsOf(i, changing) }}
	for _, v := range i.Results {
		s.dst = append(s.dst, x.register(v))
	}
	if s.dst == nil {
		s.dst = []reg{x.u.newReg()}
	}
	return s
}

// lowerBetween lowers a node between the calls of a group.
func (x *former) lowerBetween(n ir.Node) {
	if i, ok := n.(*ir.Instr); ok {
		x.instr(i)
	} else {
		x.compound(n, nil, nil)
	}
}

// simple reports whether a node has neither loops, nor operations on streams, nor calls that need instances, and can
// only be left at its end.
func (x *former) simple(n ir.Node) bool {
	if _, isLoop := n.(*ir.Loop); isLoop {
		return false
	}
	_, end := ir.Parts(n)
	return x.simpleWithin(n, map[*ir.Label]bool{end: true})
}

func (x *former) simpleWithin(n ir.Node, labels map[*ir.Label]bool) bool {
	inside, end := ir.Parts(n)
	labels[end] = true
	return !slices.ContainsFunc(inside, func(r *ir.Region) bool {
		return r.Exit == nil || !labels[r.Exit.To] || slices.ContainsFunc(r.Nodes, func(n ir.Node) bool {
			i, isInstr := n.(*ir.Instr)
			_, isLoop := n.(*ir.Loop)
			return isLoop || isInstr && (x.needs(i) || i.Op.Streams()) || !isInstr && !x.simpleWithin(n, labels)
		})
	})
}

// usesAny reports whether a node uses any of the given values.
func usesAny(n ir.Node, some map[*ir.Value]bool) (found bool) {
	ir.EachUse(n, func(v *ir.Value) { found = found || some[v] })
	return found
}

// mayPanic reports whether a node may panic. It assumes that every call may.
func mayPanic(n ir.Node) bool {
	if i, ok := n.(*ir.Instr); ok {
		return i.Op == ir.Call || i.MayPanic()
	}
	inside, _ := ir.Parts(n)
	return slices.ContainsFunc(inside, func(r *ir.Region) bool { return slices.ContainsFunc(r.Nodes, mayPanic) })
}
