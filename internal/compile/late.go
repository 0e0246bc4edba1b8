package compile

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// What a turn does with a result can be more than to add it: if f(x) > 3 { s++ }, or
// y := f(x) and then if y > m { m = y }. If that uses only the result and what the loop does
// not change, and changes only sums, it is the late part of the turn: it runs where the
// result comes, in whatever order results come.

// An addend is what a statement adds to sums.
type addend struct {
	at   ast.Stmt
	call *ast.CallExpr // whose result it needs, or nil
	node any           // where that comes: terms of a sum that are calls share a node
	run  func()        // adds, once the call has been made
}

// late is the late part of a turn that begins with a call.
type late struct {
	*sumFinder
	call *ast.CallExpr
	list []ast.Stmt
}

// begins reports whether a statement makes a call itself, and not only in statements inside.
func (f *sumFinder) begins(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.IfStmt:
		return s.Init != nil && len(f.c.heavy(s.Init)) > 0 || len(f.c.heavy(s.Cond)) > 0
	case *ast.AssignStmt:
		return len(f.c.heavy(s)) > 0
	}
	return false
}

// lateFrom finds the late part that begins with the first statement of a list, and
// returns how many statements it has.
func (f *sumFinder) lateFrom(list []ast.Stmt) (n int, ok bool) {
	n = 1
	own := f.declared(list[0])
	for i := range list {
		if i >= n && f.c.mentions(list[i], own) {
			for ; n <= i; n++ {
				maps.Copy(own, f.declared(list[n]))
			}
		}
	}
	list = list[:n]
	calls := f.c.heavy(list[0])
	call, isCall := calls[0].(*ast.CallExpr)
	p := &late{f, call, list}
	if len(calls) > 1 || !isCall || !f.canBeTerm(call) || slices.ContainsFunc(list[1:], func(s ast.Stmt) bool { return len(f.c.heavy(s)) > 0 }) {
		return n, false
	}
	early := true
	for _, a := range call.Args {
		f.also(a)
		f.eachVariable(a, nil, func(v *types.Var) { early = early && !p.has(v) })
	}
	if !early || !p.statements(list) {
		return n, false
	}
	f.x.calls++
	f.x.parts[list[0]] = []addend{{at: list[0], call: call, node: call, run: func() {
		for _, s := range list {
			f.statement(s, "")
		}
	}}}
	for _, s := range list[1:] {
		f.x.parts[s] = []addend{} // the first one has it
	}
	return n, true
}

// declared returns the variables that a statement makes for the next ones.
func (f *sumFinder) declared(s ast.Stmt) map[types.Object]bool {
	own := map[types.Object]bool{}
	if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
		for _, e := range a.Lhs {
			if v := f.c.info.Defs[e.(*ast.Ident)]; v != nil {
				own[v] = true
			}
		}
	}
	return own
}

// has reports a variable of the late part.
func (p *late) has(v types.Object) bool {
	return v != nil && p.list[0].Pos() <= v.Pos() && v.Pos() < p.list[len(p.list)-1].End()
}

// statements reports whether all statements can be in the late part.
func (p *late) statements(list []ast.Stmt) bool {
	return !slices.ContainsFunc(list, func(s ast.Stmt) bool { return !p.takes(s) })
}

// takes reports whether a statement can be in the late part.
func (p *late) takes(s ast.Stmt) bool {
	switch s := s.(type) {
	case nil:
		return true
	case *ast.BlockStmt:
		return p.statements(s.List)
	case *ast.IfStmt:
		if !p.takes(s.Init) {
			return false
		}
		if t, ok := p.extremeOf(s); ok {
			return p.sums(t.addition) && p.reads(t.value)
		}
		return p.reads(s.Cond) && p.takes(s.Body) && p.takes(s.Else)
	case *ast.AssignStmt:
		if !slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { return !p.isOwn(e) }) {
			return p.reads(s.Rhs...)
		}
	case *ast.IncDecStmt:
		if p.isOwn(s.X) {
			return true
		}
	default:
		return false
	}
	terms := p.termsOf(s)
	for _, t := range terms {
		if t.value != nil && !p.reads(t.value) {
			return false
		}
	}
	return terms != nil && p.sums(terms[0].addition)
}

// isOwn reports a variable of the late part that is a word.
func (p *late) isOwn(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && (id.Name == "_" || p.has(p.c.info.ObjectOf(id)) && p.c.wordsIn(p.c.info.TypeOf(id)) == 1 && arrayType(p.c.info.TypeOf(id)) == nil)
}

// reads reports whether the late part can use expressions.
func (p *late) reads(list ...ast.Expr) bool {
	for _, e := range list {
		p.also(e)
		if !p.uses(e, p.call, p.has) {
			return false
		}
	}
	return true
}

// isLate reports whether a term can be computed when the result of the one call in it comes.
func (f *sumFinder) isLate(e ast.Expr) bool {
	call, ok := f.c.heavy(e)[0].(*ast.CallExpr)
	return ok && f.canBeTerm(call) && f.callsIn(e) == 1 && f.uses(e, call, func(types.Object) bool { return false })
}

// uses reports whether an expression uses the result of a call, what is its own, and
// what the loop does not change.
func (f *sumFinder) uses(e ast.Expr, call *ast.CallExpr, own func(types.Object) bool) bool {
	ok := true
	f.eachVariable(e, call, func(v *types.Var) {
		if ok && !own(v) && f.changes(v) {
			ok = false
			f.why = fmt.Sprintf(usesChanged, v.Name())
		}
	})
	ast.Inspect(e, func(n ast.Node) bool {
		b, isBinary := n.(*ast.BinaryExpr)
		ok = ok && !isLiteral(n) && !(isBinary && (b.Op == token.LAND || b.Op == token.LOR) && f.callsIn(b.Y) > 0)
		return ok
	})
	return ok
}

// eachVariable calls do for the variables that an expression uses outside of a call.
func (f *sumFinder) eachVariable(e ast.Expr, call *ast.CallExpr, do func(*types.Var)) {
	ast.Inspect(e, func(n ast.Node) bool {
		f.c.meter.countSteps(1)
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := f.c.info.Uses[id].(*types.Var); ok && !v.IsField() {
				do(v)
			}
		}
		return call == nil || n != call
	})
}

// changes reports whether the loop changes a variable, or makes it.
func (f *sumFinder) changes(v *types.Var) bool {
	at := f.x.at
	return at.Pos() <= v.Pos() && v.Pos() < at.End() || f.c.assigned(at, v) ||
		slices.ContainsFunc(f.c.wordsOf(v), func(w *types.Var) bool { return f.c.assigned(at, w) })
}

// extremeOf returns what if x > m { m = x } adds to m: m becomes the largest x. It takes no
// floats, of which two zeros are equal and not the same.
func (f *sumFinder) extremeOf(s *ast.IfStmt) (t term, ok bool) {
	c, isBinary := ast.Unparen(s.Cond).(*ast.BinaryExpr)
	if !isBinary || s.Else != nil || len(s.Body.List) != 1 {
		return t, false
	}
	a, isAssign := s.Body.List[0].(*ast.AssignStmt)
	if !isAssign || a.Tok != token.ASSIGN || len(a.Lhs) != 1 {
		return t, false
	}
	t.sum, t.value = f.c.named(a.Lhs[0]), a.Rhs[0]
	if _, known := f.vars[t.sum]; !known || isFloat(t.sum.Type()) || f.callsIn(t.value) > 0 {
		return t, false
	}
	larger, smaller := c.X, c.Y
	switch c.Op {
	case token.GTR, token.GEQ:
	case token.LSS, token.LEQ:
		larger, smaller = c.Y, c.X
	default:
		return t, false
	}
	text := types.ExprString(ast.Unparen(t.value))
	switch {
	case f.c.named(smaller) == t.sum && types.ExprString(ast.Unparen(larger)) == text:
		t.by = "max"
	case f.c.named(larger) == t.sum && types.ExprString(ast.Unparen(smaller)) == text:
		t.by = "min"
	}
	return t, t.by != ""
}
