package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"emsim/internal/base/lists"
	"emsim/internal/compile/ir"
)

// stmts builds statements. It builds unreachable statements only to report their errors.
func (b *builder) stmts(list []ast.Stmt) {
	for i, s := range list {
		if b.cur == nil && !b.unreached {
			b.aside(func() { b.stmts(list[i:]) })
			return
		}
		b.statement(s, "")
	}
}

// scope builds statements in a scope of their own.
func (b *builder) scope(list ...ast.Stmt) {
	n := len(b.env)
	b.stmts(list)
	b.env = b.env[:n]
}

func (b *builder) statement(s ast.Stmt, label string) {
	defer b.c.meter.deeper()()
	switch s := s.(type) {
	case nil, *ast.EmptyStmt:
	case *ast.BlockStmt:
		b.scope(s.List...)
	case *ast.LabeledStmt:
		b.labeled(s)
	case *ast.ForStmt:
		b.forStmt(s, label)
	case *ast.RangeStmt:
		b.rangeStmt(s, label)
	case *ast.SwitchStmt:
		b.switchStmt(s, label)
	case *ast.IfStmt:
		n := len(b.env)
		b.mark(s)
		b.simple(s.Init)
		b.branch(b.condition(s.Cond), func() { b.scope(s.Body.List...) }, func() {
			if s.Else != nil {
				b.scope(s.Else)
			}
		})
		b.env = b.env[:n]
	default:
		b.mark(s)
		b.simple(s)
	}
}

// labeled builds a statement with a label, by which break can leave it.
func (b *builder) labeled(s *ast.LabeledStmt) {
	switch s.Stmt.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt:
		b.statement(s.Stmt, s.Label.Name)
		return
	}
	b.block(func(end *join) {
		b.within(goal{label: s.Label.Name, brk: end}, func() { b.statement(s.Stmt, "") })
	})
}

// within builds the body of a statement that break and continue can leave.
func (b *builder) within(g goal, body func()) {
	b.goals = append(b.goals, g)
	body()
	b.goals = b.goals[:len(b.goals)-1]
}

// simple builds a statement that has no statements inside.
func (b *builder) simple(s ast.Stmt) {
	if s != nil && !b.attempt(func() { b.plain(s) }) {
		b.declareWrong(s)
	}
}

// plain builds a simple statement, up to its end or to a mistake.
func (b *builder) plain(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		b.returnStmt(s)
	case *ast.AssignStmt:
		b.assign(s)
	case *ast.IncDecStmt:
		one := ir.Const(irType(b.typeOf(s.X)), 1)
		if one.Type == ir.Float32 {
			one.Word = floatOne
		}
		op := map[token.Token]ir.Op{token.INC: ir.Add, token.DEC: ir.Sub}[s.Tok]
		b.modify(s.X, s.TokPos, op, func() *ir.Value { return one })
	case *ast.DeclStmt:
		d := s.Decl.(*ast.GenDecl)
		for _, spec := range d.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR {
				b.variables(v)
			}
		}
	case *ast.BranchStmt:
		b.branchStmt(s)
	case *ast.ExprStmt:
		b.exprStmt(s)
	case *ast.GoStmt:
		b.start(s)
	case *ast.SendStmt:
		b.send(s)
	case *ast.DeferStmt:
		if !b.c.isBuiltin(s.Call, "close") || b.c.objectOf(s.Call.Args[0]) == nil {
			b.refuse(s.Call, otherDefer)
		}
		if ch := b.closed(s.Call); ch != nil {
			b.deferred = append(b.deferred, ch)
		}
	case *ast.SelectStmt:
		b.refuse(s, noSelect)
	case *ast.TypeSwitchStmt:
		b.refuse(s, typeSwitch)
	}
}

// returnStmt builds a return from the function.
func (b *builder) returnStmt(s *ast.ReturnStmt) {
	values := b.wordsOf(b.named)
	if len(s.Results) > 0 {
		if a := b.c.arrayOf(s.Results[0]); a != nil {
			b.endStreams(s.Pos())
			i := b.emit(ir.Output)
			i.Memory = &ir.Memory{Name: a.label}
			b.x.outputs[i] = a
			b.leave(b.f.End)
			return
		}
		values = b.listed(s.Results)
	}
	b.endStreams(s.Pos())
	b.end(values)
}

func (b *builder) exprStmt(s *ast.ExprStmt) {
	switch x, isCall := ast.Unparen(s.X).(*ast.CallExpr); {
	case !isCall:
		b.words(s.X)
	case b.c.isBuiltin(x, "close") && b.c.objectOf(x.Args[0]) != nil:
		b.closeChannel(b.closed(x), x.Pos())
	case b.c.isBuiltin(x, "panic"):
		if v := b.c.info.Types[x.Args[0]]; v.Value == nil && !v.IsNil() {
			b.words(x.Args[0])
		}
		b.emit(ir.Panic)
		b.cur = nil
	default:
		b.words(x)
	}
}

// variables builds a var specification: it declares the names with their values, or with zeros, and refuses channels.
func (b *builder) variables(s *ast.ValueSpec) {
	values := b.listed(s.Values)
	for _, name := range s.Names {
		v, _ := b.c.info.Defs[name].(*types.Var)
		if v != nil && chanOf(v.Type()) != nil {
			b.refuse(name, channelPlace)
		}
		n := 0
		if s.Values != nil {
			n = int(b.c.wordsIn(b.typeOf(name)))
		}
		if name.Name != "_" {
			b.demandWords(name, v.Type())
			b.declare(v, values[:n:n])
		}
		values = values[n:]
	}
}

func (b *builder) assign(s *ast.AssignStmt) {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		op := opOf[s.Tok-token.ADD_ASSIGN+token.ADD]
		b.modify(s.Lhs[0], s.TokPos, op, func() *ir.Value { return b.count(s.Rhs[0]) })
		return
	}
	if b.c.makesOnly(s) {
		b.makeChannels(s)
		return
	}
	targets := lists.Of(s.Lhs, func(e ast.Expr) []portion { // their indices are evaluated first
		id, _ := e.(*ast.Ident)
		v := b.c.info.Defs[id]
		if v != nil {
			b.refuseLarge(id, v.Type())
		}
		if v != nil || isBlank(e) || b.c.isChannel(e) {
			return nil
		}
		return b.target(e)
	})
	if len(s.Lhs) == 1 && targets[0] != nil && b.c.wordsIn(b.typeOf(s.Lhs[0])) > mostLocal {
		b.copyTable(targets[0][0], s.Rhs[0])
		return
	}
	values := b.listed(s.Rhs)
	b.takeEnds(s)
	for i, e := range s.Lhs {
		t := b.typeOf(e)
		if t == nil { // blank
			t = b.typeOf(s.Rhs[min(i, len(s.Rhs)-1)])
			if several, ok := t.(*types.Tuple); ok {
				t = several.At(i).Type()
			}
		}
		n := int(b.c.wordsIn(t))
		id, _ := e.(*ast.Ident)
		switch v, _ := b.c.info.Defs[id].(*types.Var); {
		case isBlank(e):
		case chanOf(t) != nil:
			b.defineChannel(id, values[0])
		case v != nil:
			b.demandWords(e, v.Type())
			b.declare(v, values[:n:n])
		default:
			b.demandWords(e, t)
			b.store(targets[i], values[:n])
		}
		values = values[n:]
	}
}

// modify builds x op= value.
func (b *builder) modify(x ast.Expr, at token.Pos, op ir.Op, value func() *ir.Value) {
	list := b.target(x)
	v := value()
	old := b.wordsOf(list)[0]
	b.store(list, []*ir.Value{b.operation(at, op, old.Type, old, v)})
}

func (b *builder) branchStmt(s *ast.BranchStmt) {
	for _, g := range slices.Backward(b.goals) {
		to := g.cont
		if s.Tok == token.BREAK {
			to = g.brk
		}
		if to != nil && s.Tok != token.GOTO && (s.Label == nil && (g.cont != nil || g.isSwitch) || s.Label != nil && s.Label.Name == g.label) {
			b.jump(to)
			return
		}
	}
	b.refuse(s, jumps, s.Tok)
}

func (b *builder) switchStmt(s *ast.SwitchStmt, label string) {
	n := len(b.env)
	b.mark(s)
	b.simple(s.Init)
	test := b.value
	if s.Tag != nil {
		var tag []*ir.Value
		n := int(b.c.wordsIn(b.typeOf(s.Tag)))
		if !b.attempt(func() {
			b.demandWords(s.Tag, b.typeOf(s.Tag))
			tag = b.words(s.Tag)
		}) {
			n = 0 // the cases compare no words
		}
		test = func(e ast.Expr) *ir.Value {
			if n == 0 {
				return b.yes
			}
			return b.same(func(i int) *ir.Value { return tag[i] }, b.parted(e), n)
		}
	}
	b.block(func(end *join) {
		run := func(list []ast.Stmt) {
			b.within(goal{label: label, brk: end, isSwitch: true}, func() { b.scope(list...) })
			b.jump(end)
		}
		var rest *ast.CaseClause
		for _, x := range s.Body.List {
			cc := x.(*ast.CaseClause)
			if cc.List == nil {
				rest = cc
				continue
			}
			b.line = b.c.lineOf(cc.List[0])
			one := func() { b.branch(b.anyOf(cc.List, test), func() { run(cc.Body) }, func() {}) }
			b.perhaps(one)
		}
		if rest != nil {
			b.perhaps(func() { run(rest.Body) })
		}
	})
	b.env = b.env[:n]
}

// perhaps builds the next code. If it is unreachable, only its errors are reported.
func (b *builder) perhaps(build func()) {
	if b.cur == nil && !b.unreached {
		b.aside(build)
	} else {
		build()
	}
}

// anyOf builds the condition of a case: whether test is true for one of its expressions.
func (b *builder) anyOf(list []ast.Expr, test func(e ast.Expr) *ir.Value) *ir.Value {
	right := func(e ast.Expr) *ir.Value {
		v := ir.Const(ir.Bool, 1)
		b.attempt(func() { v = test(e) })
		return v
	}
	v := right(list[0])
	for _, e := range list[1:] {
		b.line = b.c.lineOf(e)
		v = b.choose(v, ir.Bool, func() *ir.Value { return ir.Const(ir.Bool, 1) }, func() *ir.Value { return right(e) })
	}
	return v
}
