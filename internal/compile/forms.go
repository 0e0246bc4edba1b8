package compile

import (
	"cmp"
	"go/ast"
	"go/constant"

	"emsim/internal/compile/ir"
)

// Which functions have an intermediate form, and what it says of calls.

// buildForms builds all functions, literals and what runs before the start, and refuses what has no translation.
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

// copied notes of a copy what is known of a node.
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

// named notes whose value a copy of a value is.
func (x *formBuilder) named(from, to *ir.Value) { x.owners[to] = x.owners[from] }

// formOf returns the form of a function of the program, or of a turn of a loop.
func (c *compiler) formOf(f *function) *ir.Func {
	f = cmp.Or(f.of, f)
	return cmp.Or(c.built[f], c.forms.funcs[f])
}

// needs reports a call that an instance answers.
func (x *former) needs(i *ir.Instr) bool {
	return i.Op == ir.Call && x.c.isHeavy(x.x.sites[i]) && !x.atHand(x.x.sites[i])
}

// awaited reports what the code waits for in a group: a call that an instance answers, and an item.
func (x *former) awaited(i *ir.Instr) bool { return x.needs(i) || i.Op == ir.Receive }

// streamsIn reports whether a region has to do with streams.
func (x *former) streamsIn(r *ir.Region) (found bool) {
	r.Each(func(i *ir.Instr) { found = found || i.Op.Streams() })
	return found
}

// overChannel reports a loop over the items of a channel.
func (x *former) overChannel(n *ir.Loop) bool {
	s, ok := x.x.heads[n].(*ast.RangeStmt)
	return ok && chanOf(x.c.info.TypeOf(s.X)) != nil
}

// fitsInt32 reports a constant that a signed word holds.
func fitsInt32(v constant.Value) bool {
	n, exact := constant.Int64Val(constant.ToInt(v))
	return exact && n == int64(int32(n))
}
