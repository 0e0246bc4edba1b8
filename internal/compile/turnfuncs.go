package compile

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"slices"

	"emsim/internal/compile/ir"
)

// A turn of a loop may use its own values next to the results of its calls: s += k * f(k), or
// if k > 1 && f(k) > 2 { s += k }. If all that turns do is to change one sum, which the
// intermediate form says, the turn becomes a function that gives its part of the sum, and
// the loop adds up calls of that.

// mostCaptured is how many words a turn may use from outside [chosen: more would be sent than
// a call costs].
const mostCaptured = 12

// turnSum is such a loop: the function of its turn, and how the sum takes what that gives.
type turnSum struct {
	*function
	addition
}

// inFunctions returns a loop whose turns are functions as one that adds up calls, or nil.
func (l *lowerer) inFunctions(t *turns, label string) *sumLoop {
	s, known := l.c.turns[t.at]
	if !known {
		s = l.turnSum(t, label)
		l.c.turns[t.at] = s
	}
	if s == nil {
		return nil
	}
	call := &ast.CallExpr{Fun: &ast.Ident{NamePos: t.at.Pos(), Name: "turn"}, Lparen: t.at.Pos(), Rparen: t.at.Pos()}
	l.c.byCall[call], l.c.info.Types[call] = s.function, types.TypeAndValue{Type: s.sum.Type()}
	add := &ast.ExprStmt{X: call}
	turn := *t
	turn.body = &ast.BlockStmt{Lbrace: t.at.Pos(), List: []ast.Stmt{add}, Rbrace: t.at.Pos()}
	x := &sumLoop{turns: &turn, calls: 1, nodes: map[any]*block{}}
	x.parts = map[ast.Stmt][]addend{add: {{at: add, call: call, node: s.addition, run: func() { l.addTo(s.addition, l.done[call][0]) }}}}
	return x
}

// turnSum makes the function of a loop's turn, or returns nil if the loop does more than to add up.
func (l *lowerer) turnSum(t *turns, label string) *turnSum {
	c := l.c
	heavy := c.heavy(t.body)
	if l.f == nil || c.streams(t.at) || len(heavy) == 0 || slices.ContainsFunc(heavy, func(x ast.Expr) bool {
		call, isCall := x.(*ast.CallExpr)
		return !isCall || c.callee(call).place == "own" || c.callee(call).array != nil || c.callee(call).touches
	}) {
		return nil
	}
	form := c.formOf(l.f)
	if form.Func == nil {
		return nil
	}
	n, ok := form.loops[t.at]
	if !ok {
		return nil
	}
	sum, ok := n.OneSum()
	if !ok || n.owners[sum.Index] == nil {
		return nil
	}
	s := &turnSum{addition: wayOf(sum.Op, n.owners[sum.Index])}
	captured := l.capturedBy(t, s.sum)
	if captured == nil || len(captured) > mostCaptured {
		return nil
	}
	c.trees++
	f := c.makeFunction(t.at, fmt.Sprintf("%s_turn%d", l.f.name, c.trees), "a turn of the loop")
	f.place, f.result, f.turnOf, f.params = "policy", s.sum.Type(), l.f, captured
	f.decl.Body = t.body
	for _, x := range heavy {
		f.calls = append(f.calls, x.(*ast.CallExpr))
	}
	f.body = func(l *lowerer) { l.runTurn(t, label, s, sum.Op) }
	own := *f
	own.name, own.place, own.of = "own."+f.name, "own", f
	f.own = &own
	c.order = append(c.order, f.own)
	s.function = f
	return s
}

// wayOf returns the way in which a sum takes what an operation gives.
func wayOf(op ir.Op, sum types.Object) addition {
	switch op {
	case ir.Min, ir.Max:
		return addition{sum: sum, by: op.String()}
	case ir.Mul:
		return addition{sum: sum, op: token.MUL}
	case ir.And:
		return addition{sum: sum, op: token.AND}
	case ir.Or:
		return addition{sum: sum, op: token.OR}
	case ir.Xor:
		return addition{sum: sum, op: token.XOR}
	}
	return addition{sum: sum, op: token.ADD}
}

// neutral returns what leaves a sum as it is.
func neutral(op ir.Op, t types.Type) operand {
	switch {
	case op == ir.Mul:
		return constOf(1)
	case op == ir.And, op == ir.Min && isUnsigned(t):
		return constOf(-1)
	case op == ir.Min:
		return constOf(math.MaxInt32)
	case op == ir.Max && !isUnsigned(t):
		return constOf(math.MinInt32)
	}
	return constOf(0)
}

// capturedBy lists the words that a turn uses from outside of it, or nil if one of them cannot
// be sent.
func (l *lowerer) capturedBy(t *turns, sum types.Object) []*types.Var {
	list, good := []*types.Var{}, true
	seen := map[*types.Var]bool{}
	ast.Inspect(t.body, func(n ast.Node) bool {
		e, _ := n.(ast.Expr)
		words := l.c.namedWords(e)
		for _, v := range words {
			if seen[v] || v == sum || l.c.isTable(v) || t.body.Pos() <= v.Pos() && v.Pos() < t.body.End() {
				continue
			}
			seen[v] = true
			good = good && arrayType(v.Type()) == nil && chanOf(v.Type()) == nil
			list = append(list, v)
		}
		return words == nil
	})
	if !good {
		return nil
	}
	return list
}

// runTurn runs the turn of a loop in a function of its own.
func (l *lowerer) runTurn(t *turns, label string, s *turnSum, op ir.Op) {
	sum, end := l.fresh(s.sum.Name()), l.block()
	l.vars[s.sum] = sum
	l.moveInto(sum, neutral(op, s.sum.Type()))
	l.loopBody(label, nil, end, func() { l.stmts(t.body.List) })
	l.line = 0 // the sum goes to the loop, whose line has that
	l.goInto(end)
	l.ret(inReg(sum))
}
