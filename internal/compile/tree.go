package compile

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// A parallel loop, df.Sum(lo, hi, f), is a binary tree of instances of a template
// of its own: an instance has a range, which it halves until a turn of the
// loop is left (or as many as the grain says). What the function uses of its
// surroundings goes down the tree as arguments.

// dfCall returns the name of the function of package df that is called, or "".
func (c *compiler) dfCall(x *ast.CallExpr) string {
	fun := ast.Unparen(x.Fun)
	if ix, ok := fun.(*ast.IndexExpr); ok {
		fun = ix.X
	}
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		if id, ok := sel.X.(*ast.Ident); ok {
			if p, ok := c.info.Uses[id].(*types.PkgName); ok && p.Imported().Path() == dfPath {
				return sel.Sel.Name
			}
		}
	}
	return ""
}

// surveyTree makes the function of a parallel loop.
func (c *compiler) surveyTree(f *function, x *ast.CallExpr) {
	f.loops = true
	lit, ok := ast.Unparen(x.Args[2]).(*ast.FuncLit)
	if !ok {
		c.errorf(x.Args[2], "the third argument of df.Sum is a function literal: write func(i int32) T { return ... }")
		return
	}
	sig := c.info.Types[lit].Type.(*types.Signature)
	c.trees++
	t := &function{
		name: c.label(fmt.Sprintf("%s_loop%d", f.name, c.trees)), place: "policy", result: sig.Results().At(0).Type(), lit: lit,
		decl: &ast.FuncDecl{Name: &ast.Ident{NamePos: x.Pos(), Name: "the loop"}, Type: lit.Type, Body: lit.Body}, loops: true,
	}
	if !c.goodType(lit.Type, t.result) {
		return
	}
	for _, name := range []string{"lo", "hi"} {
		t.params = append(t.params, types.NewVar(x.Pos(), c.pkg, name, types.Typ[types.Int32]))
	}
	c.capture(t, lit)
	c.order = append(c.order, t)
	c.byCall[x] = t
	f.calls = append(f.calls, x)
	c.surveyBody(t)
}

// capture makes what a function literal uses of its surroundings parameters.
func (c *compiler) capture(t *function, lit *ast.FuncLit) {
	seen := map[types.Object]bool{}
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := c.info.Uses[id].(*types.Var)
		if !ok || seen[v] || v.IsField() || v.Parent() == c.pkg.Scope() || lit.Pos() <= v.Pos() && v.Pos() < lit.End() {
			return true
		}
		seen[v] = true
		if c.assigned(lit.Body, v) {
			c.errorf(id, "turns run in parallel, so a turn cannot change %s, which lies outside of it: return what is to be added up", v.Name())
		}
		if _, ok := chanOf(v.Type()); ok {
			c.errorf(id, "a channel has one sender and one receiver, and a parallel loop has many turns: make the channel inside of the loop's function")
			return true
		}
		if _, ok := v.Type().Underlying().(*types.Array); ok {
			c.errorf(id, "%s lies in the instance that declares it, and the turns run in others: assign its word to a variable, or declare the array inside", v.Name())
			return true
		}
		if c.goodType(id, v.Type()) {
			t.params = append(t.params, v)
		}
		return true
	})
}

// treeArgs are the arguments of the root of a tree.
func (l *lowerer) treeArgs(x *ast.CallExpr, f *function) []operand {
	args := []operand{l.expr(x.Args[0]), l.expr(x.Args[1])}
	for _, p := range f.params[2:] {
		r, ok := l.vars[p]
		if !ok {
			l.errorf(x, "%s has no value here", p.Name())
		}
		args = append(args, inReg(r))
	}
	return args
}

// empty answers for an empty range, which has no instances.
func (l *lowerer) empty(args []operand, dst reg, known *block) {
	some, none := l.block(), l.block()
	l.branch("blt", args[0], args[1], some, none)
	l.at(none)
	l.move(dst, constOf(0))
	l.jump(known)
	l.at(some)
}

// lowerTree makes the template of a parallel loop.
func (l *lowerer) lowerTree(f *function) {
	lo, hi := inReg(l.vars[f.params[0]]), inReg(l.vars[f.params[1]])
	n := l.op("sub", hi, lo)
	inner, leaf := l.block(), l.block()
	l.branch("bltu", constOf(int64(l.c.opt.Grain)), n, inner, leaf)
	l.at(leaf)
	l.leaf(f, lo, hi)
	l.at(inner)
	mid := l.copied(l.op("add", lo, l.op("shr", n, constOf(1))))
	rest := []operand{}
	for _, p := range f.params[2:] {
		rest = append(rest, inReg(l.vars[p]))
	}
	var under []*pending
	for i, args := range [][]operand{append([]operand{lo, mid}, rest...), append([]operand{mid, hi}, rest...)} {
		p := &pending{dst: l.u.newReg()}
		under = append(under, p)
		l.turn = i
		l.cut("before a call", false)
		l.issue(f, args, p, i, func() { l.stop() })
	}
	end := l.block()
	l.await(under, end)
	l.at(end)
	l.ret(l.arith(f.decl.Name, token.ADD, inReg(under[0].dst), inReg(under[1].dst), f.result, -1))
}

// leaf runs the turns of a range one after the other.
func (l *lowerer) leaf(f *function, lo, hi operand) {
	i, sum := inReg(l.fresh("i")), inReg(l.fresh("sum"))
	l.move(i.r, lo)
	if l.c.opt.Grain == 1 {
		l.turnOf(f, i, sum)
		l.ret(sum)
		return
	}
	l.turnOf(f, i, sum)
	head, body, end := l.block(), l.block(), l.block()
	l.jump(head)
	l.at(head)
	l.move(i.r, l.op("add", i, constOf(1)))
	l.branch("blt", i, hi, body, end)
	l.at(body)
	v := inReg(l.fresh("turn"))
	l.turnOf(f, i, v)
	l.move(sum.r, l.arith(f.decl.Name, token.ADD, sum, v, f.result, -1))
	l.jump(head)
	l.at(end)
	l.ret(sum)
}

// turnOf runs the function once.
func (l *lowerer) turnOf(f *function, i, to operand) {
	end := l.block()
	outer := l.ret
	l.ret = func(v operand) {
		l.move(to.r, v)
		l.jump(end)
	}
	if names := f.lit.Type.Params.List[0].Names; len(names) > 0 && names[0].Name != "_" {
		obj := l.c.info.Defs[names[0]]
		l.vars[obj] = i.r
		if l.c.assigned(f.lit.Body, obj) {
			l.vars[obj] = l.fresh(names[0].Name)
			l.move(l.vars[obj], i)
		}
	}
	again := l.again
	l.again = nil
	l.ins, l.closes = nil, nil
	l.stmts(f.lit.Body.List)
	l.again, l.ret = again, outer
	l.at(end)
}

// pes computes the number of PEs: (k+1) times 2 to the power of k.
func (l *lowerer) pes() operand {
	k := l.u.newReg()
	l.emit("rds", def(k), text("k"))
	return l.op("shl", l.op("add", inReg(k), constOf(1)), inReg(k))
}
