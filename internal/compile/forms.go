package compile

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"emsim/internal/compile/ir"
)

// Which functions have an intermediate form, and from which forms code is made.

// formOf returns the intermediate form of a function, or nil.
func (c *compiler) formOf(f *function) *ir.Func {
	f = cmp.Or(f.of, f)
	form, known := c.built[f]
	if known {
		return form
	}
	if f.lit == nil && f.array == nil && f.obj != nil {
		x := c.theForms()
		if x.build(x.funcs[f], func(b *builder) { b.function(f) }); !x.missing[x.funcs[f]] {
			form = x.funcs[f]
		}
	}
	c.built[f] = form
	return form
}

// theForms returns the builder of the forms from which code is made.
func (c *compiler) theForms() *formBuilder {
	if c.forms == nil {
		c.forms = c.newFormBuilder()
	}
	return c.forms
}

// mostFormed bounds the instructions of a form from which code is made [chosen: every value has a register
// at first, and the work for each grows with how many there are].
const mostFormed = 1 << 10

// lowers reports whether the code of a function can be made from its form.
func (c *compiler) lowers(f *function, form *ir.Func) bool {
	_, ok := c.theForms().fronts[form]
	return len(form.Params) == len(f.params) && (f.front == 0 || ok) && c.canLower(form)
}

// canLower reports whether code can be made from a form.
func (c *compiler) canLower(form *ir.Func) bool {
	ok, size := !c.theForms().partial[form], 0
	form.Body.Each(func(i *ir.Instr) {
		size++
		switch i.Op {
		case ir.Store:
			ok = ok && !i.Memory.Table
		case ir.Copy:
			ok = ok && (i.Results[0].Type == i.Args[0].Type || i.Results[0].Type != ir.Float32 && i.Args[0].Type != ir.Float32)
		case ir.ToFloat:
			ok = ok && i.Args[0].Type == ir.Int32
		}
	})
	return ok && size <= mostFormed
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
	return ok && chanOf(x.typeOf(s.X)) != nil
}

// wordsOnly reports whether all values of a function, or of a part of one, are words that the machine has. Others are
// refused where they stand, which the walk over the syntax does.
func (c *compiler) wordsOnly(part ast.Node) bool {
	ok := true
	ast.Inspect(part, func(n ast.Node) bool {
		c.meter.countSteps(1)
		e, isExpr := n.(ast.Expr)
		if isExpr && c.arrayOf(e) != nil || isLiteral(n) {
			return false
		}
		if s, isRange := n.(*ast.RangeStmt); isRange && s.Key != nil && s.Tok != token.DEFINE {
			ok = false
		}
		if !isExpr || !ok {
			return ok
		}
		if x, isCall := e.(*ast.CallExpr); isCall && c.isBuiltin(x, "panic") {
			v := c.info.Types[x.Args[0]]
			return v.Value == nil && !v.IsNil()
		}
		tv := c.info.Types[e]
		if id, isName := e.(*ast.Ident); isName {
			if v, isVar := c.info.ObjectOf(id).(*types.Var); isVar && !c.isTable(v) {
				ok = hasWords(v.Type()) && c.wordsIn(v.Type()) <= mostLocal
			}
		}
		if tv.IsValue() && tv.Type != nil {
			ok = ok && hasWords(tv.Type) && (tv.Value == nil || fitsWord(tv.Value, tv.Type)) && (c.inMemory(e) || c.wordsIn(tv.Type) <= mostLocal)
		}
		return ok && tv.Value == nil
	})
	return ok
}

// hasWords reports a type whose values are words that the machine has.
func hasWords(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Chan:
		return hasWords(u.Elem())
	case *types.Signature: // of what is called
		return true
	case *types.Tuple:
		return !slices.ContainsFunc(slices.Collect(u.Variables()), func(v *types.Var) bool { return !hasWords(v.Type()) })
	case *types.Array:
		return hasWords(u.Elem())
	case *types.Struct:
		return !slices.ContainsFunc(slices.Collect(u.Fields()), func(v *types.Var) bool { return v.Name() == "_" || !hasWords(v.Type()) })
	}
	switch kindOf(t) {
	case types.Int32, types.Uint32, types.Float32, types.Bool, types.UntypedBool:
		return true
	}
	return false
}

// fitsWord reports a constant that a word of its type holds.
func fitsWord(v constant.Value, t types.Type) bool {
	switch kindOf(t) {
	case types.Int32:
		return fitsInt32(v)
	case types.Uint32:
		n, exact := constant.Int64Val(constant.ToInt(v))
		return exact && n == int64(uint32(n))
	}
	return true
}
