package compile

import (
	"cmp"
	"go/ast"

	"emsim/internal/compile/ir"
)

// The IR of all functions, and predicates on it.

// buildForms builds the IR of all functions, of literals, and of the code before the start. It refuses constructs that
// have no translation.
func (c *compiler) buildForms() {
	c.surveyed = true
	c.forms = c.newFormBuilder()
	c.forms.inits()
	for _, f := range c.order {
		if f.obj != nil && f.of == nil {
			c.forms.build(c.forms.funcs[f], func(b *builder) { b.function(f) })
		}
	}
}

// copied records, for the copy of a node, what is known about the node.
func (x *formBuilder) copied(from, to ir.Node) {
	switch from := from.(type) {
	case *ir.Instr:
		if at := x.sites[from]; at != nil {
			x.sites[to.(*ir.Instr)] = at
		}
	case *ir.Loop:
		x.heads[to.(*ir.Loop)] = x.heads[from]
	}
}

// sameOwners records that the copy of a value belongs to the same variables.
func (x *formBuilder) sameOwners(from, to *ir.Value) { x.owners[to] = x.owners[from] }

// formOf returns the IR of a function of the program, or of a loop's iteration.
func (c *compiler) formOf(f *function) *ir.Func {
	f = cmp.Or(f.of, f)
	return cmp.Or(c.built[f], c.forms.funcs[f])
}

// needs reports whether an instruction is a call that needs an instance.
func (x *former) needs(i *ir.Instr) bool {
	return i.Op == ir.Call && x.c.isHeavy(x.x.sites[i]) && !x.atHand(x.x.sites[i])
}

// awaited reports whether a group waits for an instruction: a call that needs an instance, or a receive.
func (x *former) awaited(i *ir.Instr) bool { return x.needs(i) || i.Op == ir.Receive }

// streamsIn reports whether a region has operations on streams.
func (x *former) streamsIn(r *ir.Region) (found bool) {
	r.Each(func(i *ir.Instr) { found = found || i.Op.Streams() })
	return found
}

// overChannel reports whether a loop iterates over the items of a channel.
func (x *former) overChannel(n *ir.Loop) bool {
	s, ok := x.x.heads[n].(*ast.RangeStmt)
	return ok && chanOf(x.c.info.TypeOf(s.X)) != nil
}
