package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"emsim/internal/base/lists"
	"emsim/isa"
)

// stmts translates statements. Calls of neighbouring statements that do not
// need each other's results are made together: group.go.
func (l *lowerer) stmts(list []ast.Stmt) {
	for i := 0; i < len(list); {
		l.here() // behind a return: still checked, then left out
		n, passing := 0, len(l.passing)
		if slices.ContainsFunc(l.c.heavy(list[i]), l.due) {
			n = l.group(list[i:])
		}
		if n == 0 {
			l.statement(list[i], "")
			n = 1
		}
		l.releaseArrays(passing)
		i += n
		if i < len(list) {
			l.line = l.c.lineOf(list[i-1])
			l.cutBlock("after a statement", false)
		}
	}
}

// due reports a call that has not been made.
func (l *lowerer) due(x ast.Expr) bool { return l.done[x] == nil }

// perhaps translates a statement that a part of the program may have.
func (l *lowerer) perhaps(s ast.Stmt) {
	if s != nil {
		l.stmts([]ast.Stmt{s})
	}
}

func (l *lowerer) statement(s ast.Stmt, label string) {
	defer l.c.meter.deeper()()
	l.line = l.c.lineOf(s)
	switch s := s.(type) {
	case *ast.ReturnStmt:
		l.returnStmt(s)
	case *ast.AssignStmt:
		l.assign(s)
	case *ast.IncDecStmt:
		op := token.ADD
		if s.Tok == token.DEC {
			op = token.SUB
		}
		one := constOf(1)
		if isFloat(l.typeOf(s.X)) {
			one = constOf(0x3f800000)
		}
		l.update(s.X, op, one)
	case *ast.DeclStmt:
		l.declare(s)
	case *ast.IfStmt:
		l.ifStmt(s)
	case *ast.ForStmt:
		l.forStmt(s, label)
	case *ast.RangeStmt:
		l.rangeStmt(s, label)
	case *ast.SwitchStmt:
		l.switchStmt(s, label)
	case *ast.BlockStmt:
		l.stmts(s.List)
	case *ast.LabeledStmt:
		l.statement(s.Stmt, s.Label.Name)
	case *ast.BranchStmt:
		l.branchStmt(s)
	case *ast.ExprStmt:
		l.exprStmt(s)
	case *ast.DeferStmt:
		if ch := l.closeOf(s.Call); ch != nil {
			l.closes = append(l.closes, ch)
			return
		}
		l.errorf(s, "only close of a channel can be deferred: defer close(NAME)")
	case *ast.GoStmt:
		l.goStmt(s)
	case *ast.SelectStmt:
		l.errorf(s, "select has no translation: its answer would depend on time. Receive from one channel after the other")
	case *ast.SendStmt:
		l.sendStmt(s)
	case *ast.TypeSwitchStmt:
		l.errorf(s, "a type switch has no translation: values have one type")
	}
}

func (l *lowerer) exprStmt(s *ast.ExprStmt) {
	x, isCall := ast.Unparen(s.X).(*ast.CallExpr)
	if !isCall || l.c.callee(x) != nil || l.c.policyMethod(x) != "" {
		l.values(s.X) // Go has calls and receives here
		return
	}
	b, isBuiltin := l.c.named(x.Fun).(*types.Builtin)
	switch {
	case l.closeOf(x) != nil:
		l.closeChan(l.closeOf(x))
	case l.c.isBuiltin(x, "panic"):
		if v := l.c.info.Types[x.Args[0]]; v.Value == nil && !v.IsNil() {
			l.expression(x.Args[0])
		}
		l.jumpTo(l.panics("called"))
	case isBuiltin:
		l.errorf(s, "%s has no translation: %s", b.Name(), builtinRemedy(b.Name()))
	default:
		l.errorf(s, "this statement has no effect that the machine knows: assign the result to a variable")
	}
}

func (l *lowerer) returnStmt(s *ast.ReturnStmt) {
	var values []operand
	if len(s.Results) > 0 {
		if a := l.c.arrayOf(s.Results[0]); a != nil {
			l.endStreams()
			l.returnArray(a)
			l.cur = nil
			return
		}
		if l.tailCall(s) {
			return
		}
		values = l.listed(s.Results)
	} else if values = l.valuesOf(l.named); len(values) == 0 {
		values = []operand{constOf(0)}
	}
	l.endStreams()
	l.ret(l.inWords(values)...)
	l.cur = nil
}

// tailCall makes a loop of "return f(x)" in f itself.
func (l *lowerer) tailCall(s *ast.ReturnStmt) bool {
	x := l.ownCall(s)
	if _, done := l.done[x]; x == nil || done {
		return false
	}
	args := l.callArgs(x, l.f)
	if len(l.f.arrays) > 1 { // one may be another one's argument
		args = lists.Of(args, l.load)
	}
	for i, a := range lists.Of(args, l.copied) {
		if p, ok := l.c.arrayWords[l.f.params[i]]; ok {
			if to := l.wordIn(p).array; a.array == nil || *a.array != *to {
				l.put(to, l.load(a))
			}
		} else {
			l.moveInto(l.vars[l.f.params[i]], a)
		}
	}
	l.cutBlock("next turn", true)
	l.jumpTo(l.again)
	return true
}

// ownCall is the call of a statement that can become a loop, or nil.
func (l *lowerer) ownCall(s ast.Stmt) *ast.CallExpr {
	r, ok := s.(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 || l.f == nil || l.f.front > 0 || l.again == nil || l.c.streams(l.f.decl) {
		return nil
	}
	if x, ok := ast.Unparen(r.Results[0]).(*ast.CallExpr); ok && l.c.callee(x) == l.f && len(l.c.heavy(x)) == 1 {
		return x
	}
	return nil
}

// copied keeps the value of a variable that may change.
func (l *lowerer) copied(o operand) operand {
	if o.lit || o.array != nil {
		return o
	}
	t := l.u.newReg()
	l.moveInto(t, o)
	return inReg(t)
}

func (l *lowerer) declare(s *ast.DeclStmt) {
	d := s.Decl.(*ast.GenDecl)
	if d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		v := spec.(*ast.ValueSpec)
		if len(v.Names) == 2 && len(v.Values) == 1 {
			if from, ok := isReceive(v.Values[0]); ok {
				l.receiveBoth([]ast.Expr{v.Names[0], v.Names[1]}, from)
				continue
			}
		}
		var values []operand
		for i, name := range v.Names {
			var given ast.Expr
			if i < len(v.Values) {
				given = v.Values[i]
			}
			if given != nil {
				l.prepare(given)
				if l.fillsTarget(name, given) {
					continue
				}
				values = l.values(given)
			}
			n := int(partCount(l.c.info.TypeOf(name)))
			for len(values) < n {
				values = append(values, constOf(0))
			}
			l.define(name, values[:n]...)
			values = values[n:]
		}
	}
}

// define makes a new variable.
func (l *lowerer) define(name *ast.Ident, values ...operand) {
	obj := l.c.info.Defs[name]
	if name.Name == "_" || obj == nil {
		return
	}
	if chanOf(obj.Type()) != nil {
		if x := l.c.chans[obj.(*types.Var)]; x == nil || !x.remote {
			l.errorf(name, "no channel can be made here: write %s := make(chan TYPE) at the beginning of a function", name.Name)
		} else if x.taker == nil {
			l.ins = append(l.ins, obj)
		}
	} else if !l.c.goodValue(name, obj.Type()) {
		values = nil
	}
	for i, w := range l.c.wordsOf(obj.(*types.Var)) {
		if arrayType(w.Type()) != nil && i < len(values) {
			l.put(l.variableArray(name, w), values[i])
			continue
		}
		r, again := l.vars[w]
		if !again { // a loop or another way through a group comes by again
			r = l.fresh(w.Name())
			l.vars[w] = r
		}
		if i < len(values) {
			l.moveInto(r, values[i])
		}
	}
}

func (l *lowerer) assign(s *ast.AssignStmt) {
	from, isItem := isReceive(s.Rhs[0])
	switch {
	case len(s.Lhs) == 2 && len(s.Rhs) == 1 && isItem:
		l.receiveBoth(s.Lhs, from)
	case l.c.makesOnly(s):
		for _, name := range s.Lhs {
			l.makeChan(s, name)
		}
	case s.Tok == token.ASSIGN || s.Tok == token.DEFINE:
		defer l.indexFirst(s.Lhs)()
		if len(s.Lhs) == 1 && l.fillsTarget(s.Lhs[0], s.Rhs[0]) {
			return
		}
		values := l.listed(s.Rhs)
		if _, isCall := ast.Unparen(s.Rhs[0]).(*ast.CallExpr); len(s.Rhs) > 1 || len(values) > 1 && !isCall {
			values = lists.Of(values, func(v operand) operand { return l.snapshot(s, v) })
		}
		for i, lhs := range s.Lhs {
			n := int64(1)
			if len(s.Rhs) == len(s.Lhs) {
				n = partCount(l.typeOf(s.Rhs[i]))
			} else if t, ok := l.typeOf(s.Rhs[0]).(*types.Tuple); ok {
				n = partCount(t.At(i).Type())
			}
			l.assignTo(lhs, values[:n]...)
			values = values[n:]
		}
	default:
		op := s.Tok - token.ADD_ASSIGN + token.ADD // in the same order
		if op == token.SHL || op == token.SHR {
			v := l.count(s.Rhs[0])
			l.modify(s.Lhs[0], func(old operand) operand { return l.shift(op, old, v, l.typeOf(s.Lhs[0]), l.countBound(s.Rhs[0])) })
			return
		}
		l.update(s.Lhs[0], op, l.expression(s.Rhs[0]))
	}
}

// indexFirst evaluates the indices of several targets before anything is
// assigned, as Go does: one target may be what another one's index is made of.
func (l *lowerer) indexFirst(targets []ast.Expr) (forget func()) {
	if len(targets) == 1 {
		return func() {}
	}
	before := maps.Clone(l.done)
	for _, x := range targets {
		for e, ok := ast.Unparen(x).(*ast.IndexExpr); ok; e, ok = ast.Unparen(e.X).(*ast.IndexExpr) {
			i := ast.Unparen(e.Index)
			l.done[i] = []operand{l.copied(l.count(i))}
		}
	}
	return func() { l.done = before }
}

// closeOf is the channel that a call closes, or nil.
func (l *lowerer) closeOf(x *ast.CallExpr) types.Object {
	if !l.c.isBuiltin(x, "close") {
		return nil
	}
	return l.c.named(x.Args[0])
}

// update is x op= value.
func (l *lowerer) update(x ast.Expr, op token.Token, v operand) {
	l.modify(x, func(old operand) operand { return l.arith(op, old, v, l.typeOf(x), -1) })
}

// modify gives a variable or a word of a table a value made from the old one.
func (l *lowerer) modify(x ast.Expr, f func(old operand) operand) {
	if l.c.inMemory(x) {
		if s := l.array(x); s.label != "" && l.writable(x) {
			base, off := l.place(s)
			l.emit(isa.ST, l.registerArg(f(l.computed(isa.LD, base, off))), base, off)
		}
		return
	}
	l.assignTo(x, f(l.expression(x)))
}

func (l *lowerer) writable(e ast.Expr) bool {
	if l.arrays[l.c.rootOf(e)] != nil {
		return true
	}
	if !l.initing {
		l.errorf(e, "only func init changes a variable of the package: every PE has a copy, and a change on one would not be seen on others. Pass values as parameters, write an array in the function, or a df.Array")
	}
	return l.initing
}

// assignTo assigns to a variable, to a part of one or to a part of an array.
func (l *lowerer) assignTo(x ast.Expr, values ...operand) {
	id, isName := ast.Unparen(x).(*ast.Ident)
	switch {
	case isName && id.Name == "_":
	case isName && l.c.info.Defs[id] != nil:
		l.define(id, values...)
	case l.c.inMemory(x):
		if s := l.array(x); s.label != "" && l.writable(x) {
			l.put(s, values...)
		}
	default:
		words := l.c.namedWords(x)
		for i, w := range words {
			r, ok := l.vars[w]
			switch s := l.arrays[w]; {
			case i >= len(values):
			case s != nil:
				l.put(s, values[i])
			case ok:
				l.moveInto(r, values[i])
			default:
				words = nil
			}
		}
		if len(words) == 0 {
			l.errorf(x, "%s cannot be assigned to here", types.ExprString(x))
		}
	}
}

func (l *lowerer) ifStmt(s *ast.IfStmt) {
	l.perhaps(s.Init)
	l.line = l.c.lineOf(s)
	l.prepare(s.Cond)
	l.choose(func(yes, no *block) { l.branchOn(s.Cond, yes, no) }, func() { l.stmts(s.Body.List) }, func() { l.perhaps(s.Else) })
}
