package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"emsim/internal/base/lists"
	"emsim/internal/compile/ir"
	"emsim/isa"
)

// The entry runs once and has the machine to itself. So a loop in the entry can run as a parallel loop of package df.
// The loop must count its iterations and have enough of them. Each iteration must make calls, and must change only one
// sum.

// leastFlat is the least number of iterations for a tree [chosen: with 5 short iterations a tree takes 1.7 to 2 times
// the clocks of a loop; with 60 it takes the same number on 4 PEs, and 0.3 of it on 80].
const leastFlat = 16

// A flatSum is the tree that replaces such a loop.
type flatSum struct {
	call        *ast.CallExpr // stands for the tree
	args        []*ir.Value   // values that iterations use from outside, besides their numbers
	number, sum *ir.Value     // the loop-carried values
	from, to    *ir.Value     // the first number, and the one after the last
}

// flatSum returns the tree of a loop, or nil if it stays a loop.
func (x *former) flatSum(n *ir.Loop) *flatSum {
	t, known := x.c.flat[n]
	if !known && x.runsOnce() {
		if s, ok := x.oneSum(n); ok && s.Op == ir.Add && len(n.Next.Params) == 2 && x.callsAlways(n) {
			t = x.countedSum(n, s)
		}
		x.c.flat[n] = t
	}
	return t
}

// runsOnce reports whether the next code runs once, while no other code runs.
func (x *former) runsOnce() bool {
	c := x.c
	return x.f != nil && x.f == c.entry && !c.isCalled(x.f) && x.u.depth == 0 &&
		len(c.spreads)+len(c.places.streams) == 0
}

// callsAlways reports whether every iteration makes calls outside branches. An inner loop with calls counts, even if it
// may have no iteration. In a tree, an iteration without calls would need an instance for nothing.
func (x *former) callsAlways(n *ir.Loop) bool {
	_, body := n.Iteration()
	return slices.ContainsFunc(body.Body.Nodes, func(m ir.Node) bool {
		switch m.(type) {
		case *ir.Instr, *ir.Loop:
			return x.callsAt(m)
		}
		return false
	})
}

// countedSum returns the tree of a loop with a sum, if its other loop-carried value counts up to a limit that the loop
// does not change.
func (x *former) countedSum(n *ir.Loop, s ir.Sum) *flatSum {
	k := 1 - s.Index
	t := &flatSum{number: n.Next.Params[k], sum: n.Next.Params[s.Index], from: n.First[k]}
	less := x.countsTo(n, k)
	iteration, _ := n.Iteration()
	if iteration == n.Body || less == nil || less.Op != ir.Less || t.number.Type != ir.Int32 {
		return nil
	}
	if i := x.definedBy[t.from]; i != nil && i.Op == ir.Copy && i.Args[0].Constant {
		t.from = i.Args[0]
	}
	t.to = less.Args[1]
	if t.from.Constant && t.to.Constant && t.to.Word-t.from.Word < leastFlat || t.to == t.number || t.to == t.sum {
		return nil
	}
	carried := map[*ir.Value]bool{t.number: true, t.sum: true}
	if slices.ContainsFunc(n.Body.Nodes[:len(n.Body.Nodes)-1], func(m ir.Node) bool {
		i, isInstr := m.(*ir.Instr)
		return !isInstr || i.Op == ir.Call || i.Memory != nil && !i.Memory.Table || i != less && usesAny(i, carried)
	}) {
		return nil
	}
	return x.makeFlat(n, s, t)
}

// makeFlat makes the tree of a loop. It returns nil if the iterations use too many values from outside.
func (x *former) makeFlat(n *ir.Loop, s ir.Sum, t *flatSum) *flatSum {
	c, at := x.c, x.x.heads[n]
	f, form := x.iterationFunction(n, s, "loop", "the loop")
	if f == nil {
		return nil
	}
	number, params := c.makeParam(at, "number"), f.params
	f.params = []*types.Var{c.makeParam(at, "first"), c.makeParam(at, "turns"), c.makeParam(at, "span")}
	for i, v := range form.Params {
		if v == t.number {
			number = params[i]
		} else {
			f.params, t.args = append(f.params, params[i]), append(t.args, v)
		}
	}
	f.lit = &ast.FuncLit{Type: &ast.FuncType{Func: at.Pos(), Params: &ast.FieldList{}}, Body: &ast.BlockStmt{}}
	sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(number), nil, false)
	c.info.Types[f.lit] = types.TypeAndValue{Type: sig}
	x.x.literals[f.lit] = &formedPart{form: form, params: params}
	f.place, f.body = "own", func(l *lowerer) { l.inAnyOrder(f) }
	c.makeOwn(f)
	t.call = c.callFrom(at, f)
	return t
}

// flat emits code that runs a loop as a tree if it has enough iterations. Then that code continues after the loop, and
// otherwise here.
func (x *former) flat(n *ir.Loop, t *flatSum) {
	last := len(n.Body.Nodes) - 1
	var hi operand
	x.withNewValues(func() {
		x.list(n.Body.Nodes[1:last], nil)
		hi = x.operand(t.to)
	})
	lo := x.operand(t.from)
	few, some, many := x.block(), x.block(), x.block()
	switch {
	case lo.lit && hi.lit:
		x.jumpTo(many)
	case lo.isZero():
		x.branch(isa.BLT, constOf(leastFlat-1), hi, many, few)
	default:
		x.branch(isa.BLT, lo, hi, some, few)
		x.continueAt(some)
		x.branch(isa.BLTU, x.binaryOp(isa.SUB, hi, lo), constOf(leastFlat), few, many)
	}
	x.continueAt(many)
	x.begin(x.lineOf(n))
	result, sum := x.u.newReg(), x.register(t.sum)
	x.makeCalls([]step{{at: t.call, call: t.call, dst: []reg{result}, args: func() []operand {
		return append([]operand{lo, hi}, lists.Of(t.args, x.operand)...)
	}}})
	x.moveInto(sum, x.arith(token.ADD, inReg(sum), inReg(result), typeOfWord[t.sum.Type], -1))
	x.moveInto(x.register(t.number), hi)
	x.exit(n.Body.Nodes[last].(*ir.If).No.Exit)
	if x.cur = few; lo.lit && hi.lit {
		x.cur = nil
	}
}
