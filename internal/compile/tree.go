package compile

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"emsim/internal/base/lists"
	"emsim/isa"
)

// A parallel loop, df.Sum(lo, hi, f), is a tree of instances of a template of its own. Its iterations are
// spread evenly, whatever the policy: iteration i, counted from lo, runs i PEs after the one where the loop
// begins, in the order in which PEs own the pieces of arrays. The variables that f captures go down the tree as
// arguments.
//
// Integers can be added in any order, so their tree has one instance for each PE with iterations: span.go. Floats are
// summed pairwise, so their tree halves the range until one iteration is left. An instance
// runs where its first iteration runs. If iteration i uses piece i, the loop begins on the owner of the first
// iteration's piece, so that all of them run where their pieces are. If the iterations of the entry's loop read other
// pieces, the loop begins after the last piece: as long as there are other PEs, the owners only answer reads and run no
// iterations.

// dfCall returns the name of the function of package df that is called, or "".
func (c *compiler) dfCall(x *ast.CallExpr) string {
	fun := ast.Unparen(x.Fun)
	if ix, ok := fun.(*ast.IndexExpr); ok {
		fun = ix.X
	}
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		if p, ok := c.objectOf(sel.X).(*types.PkgName); ok && p.Imported().Path() == dfPath {
			return sel.Sel.Name
		}
	}
	return ""
}

// surveyTree makes the function of a parallel loop.
func (c *compiler) surveyTree(f *function, x *ast.CallExpr) {
	f.loops = true
	lit, ok := ast.Unparen(x.Args[2]).(*ast.FuncLit)
	if !ok {
		c.reject(x.Args[2], noLiteral, "df.Sum", "i int32", "T")
		return
	}
	t := c.makeTree(f, x, lit)
	v, first := c.info.Types[x.Args[0]].Value, f == c.entry && !c.isCalled(f)
	if first && !c.ofPieces(t) {
		t.behind = c.readsFrom(t)
	}
	if t.behind != nil || c.ofPieces(t) && !(first && v != nil && wordOf(v, types.Typ[types.Int32]) == 0) {
		t.place = "owner" // of a piece; the entry is on the owner of piece 0 already
	}
}

// makeTree binds a call to a tree of instances, which adds up the values of a literal for a range of numbers.
func (c *compiler) makeTree(f *function, x *ast.CallExpr, lit *ast.FuncLit) *function {
	c.trees++
	t := c.makeFunction(x, fmt.Sprintf("%s_loop%d", f.name, c.trees), "the loop", "first", "turns")
	t.place, t.result, t.lit = "own", c.info.Types[lit].Type.(*types.Signature).Results().At(0).Type(), lit
	t.body = func(l *lowerer) { l.inPairs(t) }
	if !isFloat(t.result) {
		t.params = append(t.params, c.makeParam(x, "span"))
		t.body = func(l *lowerer) { l.inAnyOrder(t) }
	}
	if c.goodType(lit.Type, t.result) {
		c.callsLiteral(f, x, t, lit)
	}
	return t
}

// ofPieces reports whether iteration i of a parallel loop uses piece i. Then it runs on the PE that holds the piece.
func (c *compiler) ofPieces(t *function) bool {
	return slices.ContainsFunc(t.calls, func(x *ast.CallExpr) bool { return c.ofIteration(t, x) })
}

// readsFrom returns the first array that the iterations of a parallel loop read. It returns nil if the number of some
// piece is i + c or i - c, where i is the iteration's number, because the PEs of both are then as far apart as c says.
// In c - i, the distance differs between iterations.
func (c *compiler) readsFrom(t *function) (first *spread) {
	for _, x := range t.calls {
		g := c.callee(x)
		if g.array == nil || g.writes {
			continue
		}
		b, ok := ast.Unparen(x.Args[0]).(*ast.BinaryExpr)
		plus, minus := ok && b.Op == token.ADD, ok && b.Op == token.SUB
		if (plus || minus) && c.isIteration(t, b.X) || plus && c.isIteration(t, b.Y) {
			return nil
		}
		first = cmp.Or(first, g.array)
	}
	return first
}

// isIteration reports whether an expression is the number of the iteration.
func (c *compiler) isIteration(t *function, e ast.Expr) bool {
	names := t.lit.Type.Params.List[0].Names
	v, named := c.objectOf(e).(*types.Var)
	return named && len(names) > 0 && v == c.info.Defs[names[0]] && !c.assigned(t.lit.Body, v)
}

// ofIteration reports whether a call uses the piece with the iteration's number.
func (c *compiler) ofIteration(t *function, x *ast.CallExpr) bool {
	return c.callee(x).array != nil && c.isIteration(t, x.Args[0])
}

// atHand reports whether an expression reads or writes a word that is certain to be on this PE: a word of the piece
// with the iteration's number. In the own form, no word is certain to be here, because that form runs on its caller's
// PE.
func (l *lowerer) atHand(x ast.Expr) bool {
	call, ok := x.(*ast.CallExpr)
	return ok && !l.own && l.f != nil && l.f.lit != nil && l.c.callee(call).oneWord() && l.c.ofIteration(l.f, call)
}

// makeFunction makes a function for a part of the program that is not a function. name is its name in messages.
func (c *compiler) makeFunction(at ast.Node, label, name string, params ...string) *function {
	f := &function{
		name: c.label(label), loops: true, result: types.Typ[types.Int32],
		decl: &ast.FuncDecl{Name: &ast.Ident{NamePos: at.Pos(), Name: name}, Type: &ast.FuncType{Func: at.Pos(), Params: &ast.FieldList{}}, Body: &ast.BlockStmt{}},
	}
	for _, p := range params {
		f.params = append(f.params, c.makeParam(at, p))
	}
	c.order = append(c.order, f)
	return f
}

func (c *compiler) makeParam(at ast.Node, name string) *types.Var {
	return types.NewVar(at.Pos(), c.pkg, name, types.Typ[types.Int32])
}

// callsLiteral binds a call to a function that runs a literal.
func (c *compiler) callsLiteral(f *function, x *ast.CallExpr, made *function, lit *ast.FuncLit) {
	made.decl.Body, made.decl.Type = lit.Body, lit.Type
	c.capture(made, lit)
	c.byCall[x] = made
	f.calls = append(f.calls, x)
	c.surveyBody(made)
}

// capture makes parameters of the variables that a function literal uses from outside.
func (c *compiler) capture(t *function, lit *ast.FuncLit) {
	seen, before := map[types.Object]bool{}, c.mistakes
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		e, _ := n.(ast.Expr)
		for _, v := range c.namedWords(e) {
			if !seen[v] && c.mistakes == before && v.Parent() != c.pkg.Scope() && (v.Pos() < lit.Pos() || lit.End() <= v.Pos()) {
				seen[v] = true
				c.captureWord(t, lit, e, v)
			}
		}
		return c.namedWords(e) == nil
	})
}

// captureWord makes a parameter of a variable, or of a word of one.
func (c *compiler) captureWord(t *function, lit *ast.FuncLit, at ast.Expr, v *types.Var) {
	if c.assigned(lit.Body, v) {
		c.reject(at, sumChanges, v.Name())
	}
	switch {
	case chanOf(v.Type()) != nil:
		c.reject(at, sumChannel)
	case c.goodValue(at, v.Type()):
		c.addParam(t, at, v)
	}
}

// rootArgs returns the arguments of the root instance of a parallel loop's tree.
func (l *lowerer) rootArgs(f *function, args []operand) []operand {
	turns := args[1]
	if !args[0].isZero() {
		turns = l.binaryOp(isa.SUB, turns, args[0])
	}
	root := []operand{args[0], turns}
	if !isFloat(f.result) {
		root = append(root, l.allPEs())
	}
	root = append(root, args[2:]...)
	if f.place == "owner" {
		piece := l.binaryOp(isa.AND, args[0], constOf(1<<26-1)) // any PE, if there is no such piece
		if f.behind != nil {
			piece = l.loadPEWord(f.behind.pieces())
		}
		pe, _ := l.owner(piece, nil)
		root = append(root, pe)
	}
	return root
}

// valuesOf returns the values of parameters, or of variables that a function literal uses.
func (l *lowerer) valuesOf(vars []*types.Var) []operand {
	return lists.Of(vars, func(v *types.Var) operand {
		if p, ok := l.c.arrayWords[v]; ok {
			return l.wordIn(p)
		}
		return inReg(l.vars[v])
	})
}

// empty emits a test for an empty range. The result of an empty range is 0, without any instance. Lowering continues in
// the other case.
func (l *lowerer) empty(args []operand, dst []reg, known *block) {
	some, none := l.block(), l.block()
	l.branch(isa.BLT, args[0], args[1], some, none)
	l.continueAt(none)
	l.answerIn(dst, known)(constOf(0))
	l.continueAt(some)
}

// inPairs makes the tree that adds up the halves of the range. The first half stays on this PE.
func (l *lowerer) inPairs(f *function) {
	args := l.valuesOf(f.params)
	first, turns := args[0], args[1]
	inner, leaf := l.block(), l.block()
	l.branch(isa.BEQ, turns, constOf(1), leaf, inner)
	l.continueAt(leaf)
	v := inReg(l.fresh("turn"))
	l.iterationAt(f, first, v)
	l.ret(v)
	l.continueAt(inner)
	half := l.copied(l.binaryOp(isa.SHR, turns, constOf(1)))
	firstHalf := append([]operand{first, half}, args[2:]...)
	sum := func(a, b operand) { l.ret(l.arith(token.ADD, a, b, f.result, -1)) }
	if l.own {
		a := l.callOwn(f, firstHalf)
		sum(a, l.callOwn(f, append([]operand{l.binaryOp(isa.ADD, first, half), l.binaryOp(isa.SUB, turns, half)}, args[2:]...)))
		return
	}
	here, there := &pending{dst: l.u.newReg(), call: "the first half of the iterations"}, &pending{dst: l.u.newReg(), call: "the second half"}
	l.cutBlock("before a call", false)
	pe, _ := l.owner(l.binaryOp(isa.ADD, l.number(), half), nil)
	rest := append([]operand{l.binaryOp(isa.ADD, first, half), l.binaryOp(isa.SUB, turns, half)}, args[2:]...)
	l.issueOn(pe, f, rest, there, 1, func() { l.endBlock() })
	l.cutBlock("before a call", false)
	l.issueNear(f, firstHalf, here, 2, func() { l.endBlock() })
	end := l.block()
	l.await([]*pending{here, there}, end)
	l.continueAt(end)
	sum(inReg(here.dst), inReg(there.dst))
}

// inAnyOrder makes the tree over the PEs. An instance runs the iterations of its PE one after another. If they
// wait for something, they run together, in instances of their own.
func (l *lowerer) inAnyOrder(f *function) {
	args := l.valuesOf(f.params)
	i, turns := args[0], args[1]
	sum := inReg(l.fresh("sum"))
	l.moveInto(sum.r, constOf(0))
	g := l.newGather(iterationUnit, func(v operand) { l.moveInto(sum.r, l.arith(token.ADD, sum, v, f.result, -1)) })
	g.unit = iterationUnit
	l.toPEs(g, f, args[2].r, func(away operand, yes, no *block) { l.branch(isa.BLTU, away, turns, yes, no) },
		func(away, span operand) []operand {
			return append([]operand{l.binaryOp(isa.ADD, i, away), l.binaryOp(isa.SUB, turns, away), span}, args[3:]...)
		})
	all := l.copied(l.peCount())
	end := l.block()
	l.u.depth++
	turn, more := l.block(), l.block()
	step := func() {
		l.moveInto(i.r, l.binaryOp(isa.ADD, i, all))
		l.moveInto(turns.r, l.binaryOp(isa.SUB, turns, all))
	}
	x := l.newFormer(l.c.forms.literals[f.lit].form)
	together := !l.own && (x.callsIn(x.form.Body) || x.streamsIn(x.form.Body))
	if together {
		l.beginIterations(g, f, args, all, turn, end, step)
	}
	l.goInto(turn)
	v := inReg(l.fresh("turn"))
	l.iterationAt(f, i, v)
	g.add(v)
	if together {
		l.jumpTo(end)
	} else {
		l.branch(isa.BLTU, all, turns, more, end)
		l.continueAt(more)
		step()
		l.cutBlock("next turn", false)
		l.jumpTo(turn)
	}
	l.u.depth--
	l.continueAt(end)
	l.endOne(g)
	l.gathered(g)
	l.ret(sum)
}

// iterationAt runs one iteration and moves its value into to.
func (l *lowerer) iterationAt(f *function, i, to operand) {
	l.runLiteral(f.lit, to.r, i.r)
}

// peCount computes the number of PEs: (k+1) times 2 to the power of k.
func (l *lowerer) peCount() operand {
	k := l.special(isa.SpecialK)
	return l.binaryOp(isa.SHL, l.binaryOp(isa.ADD, k, constOf(1)), k)
}
