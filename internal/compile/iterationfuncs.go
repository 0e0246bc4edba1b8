package compile

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"math"
	"slices"

	"emsim/internal/compile/ir"
)

// An iteration may use its own values next to the results of its calls, as in s += k * f(k), or in a branch on k > 1 &&
// f(k) > 2 that adds k. If the iterations of a loop only change one sum, an iteration becomes a function that returns
// its term, and the loop becomes a reduction loop over calls of this function.

// mostCaptured bounds the words that an iteration may use from outside [chosen: sending more would cost more than a
// call].
const mostCaptured = 12

// inFunctions makes a function from a loop's iterations, if they only change one sum. It returns the reduction loop
// over calls of the function, or nil.
func (x *former) inFunctions(n *ir.Loop) *reduction {
	s, ok := x.oneSum(n)
	if !ok {
		return nil
	}
	t, known := x.c.iterations[n]
	if !known {
		if t, _ = x.iterationFunction(n, s, "turn", "an iteration of the loop"); t != nil {
			x.c.makeOwn(t)
		}
		x.c.iterations[n] = t
	}
	if t == nil {
		return nil
	}
	line, form := x.lineOf(n), x.c.built[t]
	_, body := n.Iteration()
	sum := body.End.Params[0]
	result, added := x.form.NewValue(sum.Type, ""), x.form.NewValue(sum.Type, "")
	call := &ir.Instr{Op: ir.Call, Args: form.Params, Results: []*ir.Value{result}, Callee: form, Line: line}
	terms := []*ir.Value{n.Next.Params[s.Index], result}
	add := &ir.Instr{Op: s.Op, Args: terms, Results: []*ir.Value{added}, Line: line}
	out := &ir.Exit{To: body.End, Values: []*ir.Value{added}}
	in := &ir.Region{Nodes: []ir.Node{call, add}, Exit: out}
	x.x.sites[call] = x.c.callFrom(x.x.heads[n], t)
	a, _ := x.findReduction(n.WithBody(&ir.Block{Body: in, End: body.End}))
	return a
}

// oneSum returns the sum of a loop whose iterations only change it. ok reports whether the loop is one, and its
// iterations can be functions: they make calls, but no call stays on its PE, uses arrays of package df, or is a
// parallel loop. No other code uses the arrays of the iterations.
func (x *former) oneSum(n *ir.Loop) (s ir.Sum, ok bool) {
	if s, ok = n.OneSum(); !ok {
		return s, false
	}
	_, body := n.Iteration()
	calls := x.callsOf(n.Body)
	stays := func(i *ir.Instr) bool {
		f := x.c.callee(x.x.sites[i])
		return f.place == "own" || f.touches || f.lit != nil
	}
	return s, len(calls) > 0 && len(calls) == len(x.callsOf(body.Body)) && x.keepsArrays(body.Body) &&
		!slices.ContainsFunc(calls, stays)
}

// keepsArrays reports whether the arrays that a region uses are used nowhere else.
func (x *former) keepsArrays(r *ir.Region) bool {
	uses := map[*ir.Memory]int{}
	count := func(n int) func(i *ir.Instr) {
		return func(i *ir.Instr) {
			if (i.Op == ir.Load || i.Op == ir.Store) && !i.Memory.Table {
				uses[i.Memory] += n
			}
		}
	}
	r.Each(count(1))
	inside := slices.Collect(maps.Keys(uses))
	x.form.Body.Each(count(-1))
	return !slices.ContainsFunc(inside, func(m *ir.Memory) bool {
		return uses[m] != 0 || x.part != nil && x.part.outer[m]
	})
}

// callFrom returns a call of the function made from a loop's iterations.
func (c *compiler) callFrom(loop ast.Stmt, f *function) *ast.CallExpr {
	at := loop.Pos()
	x := &ast.CallExpr{Fun: &ast.Ident{NamePos: at, Name: "turn"}, Lparen: at, Rparen: at}
	c.byCall[x] = f
	return x
}

// iterationFunction makes a function from a loop's iterations. It also returns the function's IR, which has the same
// parameters. It returns nil, nil if the iterations use too many values from outside.
func (x *former) iterationFunction(n *ir.Loop, s ir.Sum, kind, name string) (*function, *ir.Func) {
	c, at := x.c, x.x.heads[n]
	sum := n.Next.Params[s.Index]
	label := fmt.Sprintf("%s_%s%d", x.form.Name, kind, c.trees+1)
	form := x.form.IterationOf(n, s, label, neutral(s.Op, sum.Type), x.x.copied, x.x.sameOwners)
	if len(form.Params) > mostCaptured {
		return nil, nil
	}
	c.trees++
	f := c.makeFunction(at, form.Name, name)
	f.place, f.result = "policy", typeOfWord[sum.Type]
	for _, v := range form.Params {
		p := types.NewVar(at.Pos(), c.pkg, cmp.Or(v.Name, "v"), typeOfWord[v.Type])
		for _, o := range x.x.owners[v] {
			if o, ok := o.(*types.Var); ok {
				p = o
			}
		}
		if slices.ContainsFunc(f.params, func(q *types.Var) bool { return q.Name() == p.Name() }) {
			p = types.NewVar(at.Pos(), c.pkg, fmt.Sprint(p.Name(), len(f.params)), p.Type())
		}
		f.params = append(f.params, p)
	}
	for _, i := range x.callsOf(n.Body) {
		f.calls = append(f.calls, x.x.sites[i])
	}
	c.built[f] = form
	return f, form
}

// neutral returns the neutral value of a sum's operation.
func neutral(op ir.Op, t ir.Type) int64 {
	switch {
	case op == ir.Mul:
		return 1
	case op == ir.And, op == ir.Min && t == ir.Uint32:
		return -1
	case op == ir.Min:
		return math.MaxInt32
	case op == ir.Max && t == ir.Int32:
		return math.MinInt32
	}
	return 0
}
