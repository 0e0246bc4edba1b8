package compile

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A statement that adds up has many forms: s += f(x), s = 2*f(x) + s, if c { s = max(s, f(x)) }.
// Whole numbers can be added in any order, so each of them adds terms to a sum, and some
// terms have calls.

// addition is a way in which a sum takes its terms.
type addition struct {
	sum types.Object
	op  token.Token // if it is an operator
	by  string      // or else min or max
}

// term is what a statement adds.
type term struct {
	addition
	value ast.Expr // nil: 1
}

var additions = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL, token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR,
	token.ADD: token.ADD, token.SUB: token.ADD, token.MUL: token.MUL, token.AND: token.AND, token.OR: token.OR, token.XOR: token.XOR, // to subtract is to add
}

// sumFinder looks for a loop that only adds up.
type sumFinder struct {
	*lowerer
	x      *sumLoop
	ways   map[types.Object]addition // how the sums are added up
	light  map[ast.Stmt][]term       // statements without calls that add to what may be a sum
	beside []ast.Node                // must not use the sums
	why    string                    // there is no such loop
}

// addsUp finds out whether a loop is one, and if it waits in every turn, why.
func (l *lowerer) addsUp(t *turns) (x *sumLoop, why string) {
	calls := len(l.c.heavy(t.body))
	leaves, literal := l.c.leaves(t.body)
	switch {
	case l.u.system || l.own || l.c.streams(t.at):
		return nil, ""
	case slices.ContainsFunc(t.beside, func(n ast.Node) bool { return len(l.waits(n)) > 0 }):
		return nil, "its result decides whether there is a next turn"
	case len(l.waits(t.body)) == 0:
		return nil, ""
	case leaves:
		return nil, mayLeave
	case literal:
		return nil, "its own turns are under way together, and the next begin when all of them are done"
	}
	f := sumFinder{lowerer: l, ways: map[types.Object]addition{}, light: map[ast.Stmt][]term{}, beside: t.beside}
	f.x = &sumLoop{turns: t, parts: map[ast.Stmt][]addend{}, nodes: map[any]*block{}}
	if !f.statements(t.body.List, true) || f.x.calls != calls {
		return nil, cmp.Or(f.why, noSum)
	}
	for s, terms := range f.light {
		if _, isSum := f.ways[terms[0].sum]; !isSum || !f.adds(s, terms) {
			f.beside = append(f.beside, s)
		}
	}
	sums := map[types.Object]bool{}
	for sum := range f.ways {
		sums[sum] = true
	}
	for _, n := range f.beside {
		if l.c.mentions(n, sums) {
			return nil, l.c.lineName(l.c.lineOf(n)) + " uses the sum. If it is used behind the loop only, all calls are under way together"
		}
	}
	return f.x, ""
}

// statements goes through statements; last says that a turn ends with them.
func (f *sumFinder) statements(list []ast.Stmt, last bool) bool {
	for i, n := 0, 1; i < len(list); i += n {
		s, ok := list[i], true
		n = 1
		calls := f.x.calls
		if terms := f.termsOf(s); terms != nil {
			for _, t := range terms {
				f.x.calls += f.callsIn(t.value)
			}
			if calls == f.x.calls {
				f.light[s] = terms
			} else {
				ok = f.adds(s, terms)
			}
		} else if f.begins(s) {
			n, ok = f.lateFrom(list[i:])
		} else {
			ok = f.around(s, last && i == len(list)-1)
			calls = f.x.calls
		}
		if !ok {
			return false
		}
		f.x.several = f.x.several || f.x.calls > calls+1 || f.x.calls > calls && !(last && i+n == len(list))
	}
	return true
}

// around goes through a statement that may have others inside.
func (f *sumFinder) around(s ast.Stmt, last bool) bool {
	switch s := s.(type) {
	case *ast.IfStmt:
		f.also(s.Init)
		f.also(s.Cond)
		return f.statements(s.Body.List, last) && (s.Else == nil || f.statements([]ast.Stmt{s.Else}, last))
	case *ast.BlockStmt:
		return f.statements(s.List, last)
	}
	f.also(s)
	return true
}

// adds notes a statement that adds terms to a sum.
func (f *sumFinder) adds(s ast.Stmt, terms []term) bool {
	for _, t := range terms {
		p := addend{at: s, run: func() { f.addTerm(t) }}
		if f.callsIn(t.value) > 0 {
			p.call = f.c.heavy(t.value)[0].(*ast.CallExpr)
			p.node = any(p.call)
			if ast.Unparen(t.value) == p.call {
				p.node = t.addition
			}
		}
		f.x.parts[s] = append(f.x.parts[s], p)
		f.also(t.value)
	}
	return f.sums(terms[0].addition)
}

// sums notes a sum, unless it takes other terms in another way.
func (f *sumFinder) sums(a addition) bool {
	a.op = additions[a.op]
	old, found := f.ways[a.sum]
	f.ways[a.sum] = a
	return !found || old == a
}

// callsIn counts the calls in a term.
func (f *sumFinder) callsIn(e ast.Expr) int {
	if e == nil {
		return 0
	}
	return len(f.c.heavy(e))
}

// canBeTerm reports whether the result of a call can be added in any order.
func (f *sumFinder) canBeTerm(call *ast.CallExpr) bool {
	if !f.c.isHeavy(call) || len(f.c.heavy(call)) != 1 || f.c.wordsIn(f.typeOf(call)) != 1 {
		return false
	}
	if f.c.alone(call) {
		f.why = "the call changes an array, and the next one may read it. df.Sum runs all turns side by side"
	}
	return !f.c.alone(call)
}

// termsOf returns what a statement adds, or nil; terms without a call come first.
func (f *sumFinder) termsOf(s ast.Stmt) []term {
	if by, ok := s.(*ast.IncDecStmt); ok {
		v := f.c.named(by.X)
		if _, ok := f.vars[v]; !ok || isFloat(v.Type()) {
			return nil
		}
		op := map[token.Token]token.Token{token.INC: token.ADD, token.DEC: token.SUB}[by.Tok]
		return []term{{addition: addition{sum: v, op: op}}}
	}
	a, ok := s.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 {
		return nil
	}
	way, isTerm := addition{sum: f.c.named(a.Lhs[0])}, false // of the sum itself
	if _, ok := f.vars[way.sum]; !ok {
		return nil
	}
	from := ast.Unparen(a.Rhs[0])
	if way.op, ok = additions[a.Tok]; !ok {
		isTerm = true
		switch e := from.(type) {
		case *ast.BinaryExpr:
			way.op = additions[e.Op]
		case *ast.CallExpr:
			if b, ok := f.c.named(e.Fun).(*types.Builtin); ok && (b.Name() == "min" || b.Name() == "max") {
				way.by = b.Name()
			}
		}
		if way.op == token.ILLEGAL && way.by == "" || a.Tok != token.ASSIGN {
			return nil
		}
	}
	if isFloat(way.sum.Type()) && way.by == "" {
		f.why = "floats are added in Go's order. df.Sum adds them in pairs, with all turns side by side"
		return nil
	}
	var terms []term
	ok = true
	var take func(e ast.Expr, way addition)
	take = func(e ast.Expr, way addition) {
		e = ast.Unparen(e)
		b, isBinary := e.(*ast.BinaryExpr)
		call, isCall := e.(*ast.CallExpr)
		switch {
		case isBinary && way.by == "" && f.c.info.Types[e].Value == nil && additions[b.Op] == additions[way.op] && additions[b.Op] != token.ILLEGAL:
			take(b.X, way)
			if b.Op == token.SUB {
				way.op = token.ADD + token.SUB - way.op
			}
			take(b.Y, way)
		case isCall && way.by != "" && f.c.info.Types[e].Value == nil && f.c.isBuiltin(call, way.by):
			for _, e := range call.Args {
				take(e, way)
			}
		case isTerm && f.c.named(e) == way.sum && way.op != token.SUB:
			isTerm = false
		case len(f.c.heavy(e)) == 0:
			terms = slices.Insert(terms, 0, term{way, e})
		default:
			ok = ok && f.isLate(e)
			terms = append(terms, term{way, e})
		}
	}
	take(from, way)
	if !ok || isTerm {
		return nil
	}
	return terms
}

// also notes what must not use the sums.
func (f *sumFinder) also(n ast.Node) {
	if n != nil {
		f.beside = append(f.beside, n)
	}
}

// addTerm adds a term to its sum.
func (l *lowerer) addTerm(t term) {
	v := constOf(1)
	if t.value != nil {
		v = l.expression(t.value)
	}
	l.addTo(t.addition, v)
}

// addTo adds a value to a sum.
func (l *lowerer) addTo(a addition, v operand) {
	sum, t := inReg(l.vars[a.sum]), a.sum.Type()
	if a.by != "" {
		l.takeExtreme(a.by, sum.r, v, t)
		return
	}
	l.moveInto(sum.r, l.arith(a.op, sum, v, t, -1))
}

// leaves reports statements that leave the loop: the other chain would make its
// next turn nevertheless; and literals, whose statements leave only them.
func (c *compiler) leaves(body *ast.BlockStmt) (leaves, literal bool) {
	leaves = c.returns(body)
	ast.PreorderStack(body, nil, func(n ast.Node, stack []ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok {
			inner := looped(stack) || slices.ContainsFunc(stack, func(n ast.Node) bool { _, ok := n.(*ast.SwitchStmt); return ok })
			leaves = leaves || b.Label != nil || b.Tok == token.BREAK && !inner
		}
		literal = literal || isLiteral(n)
		return !isLiteral(n)
	})
	return leaves, literal
}
