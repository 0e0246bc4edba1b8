package compile

import (
	"fmt"
	"go/ast"
	"go/types"
)

// call is a call in an expression: a conversion, a built-in function, a helper.
// Calls that need an instance have been made before.
func (l *lowerer) call(x *ast.CallExpr) operand {
	if l.c.info.Types[x.Fun].IsType() {
		return l.convert(x)
	}
	if f := l.c.callee(x); f != nil {
		if !f.inlined {
			return l.errorf(x, "a call of %s is not possible here: only functions without loops and calls run inside of func init and of guards", f.decl.Name.Name)
		}
		args := l.args(x, f)
		r := l.fresh(f.decl.Name.Name)
		l.helperCall(f, args, r)
		return inReg(r)
	}
	if l.c.dfCall(x) == "PEs" {
		return l.pes()
	}
	if id, ok := ast.Unparen(x.Fun).(*ast.Ident); ok {
		if b, ok := l.c.info.Uses[id].(*types.Builtin); ok {
			return l.builtin(x, b)
		}
	}
	return l.errorf(x, "this call has no translation: call a function of the program by its name")
}

func (l *lowerer) args(x *ast.CallExpr, f *function) []operand {
	if f.lit != nil {
		return l.treeArgs(x, f)
	}
	var list []operand
	for _, a := range x.Args {
		list = append(list, l.expr(a))
	}
	return list
}

func (l *lowerer) convert(x *ast.CallExpr) operand {
	to, from := l.typeOf(x), l.typeOf(x.Args[0])
	if !l.c.goodType(x, to) || !l.c.goodType(x.Args[0], from) {
		return constOf(0)
	}
	v := l.expr(x.Args[0])
	switch {
	case isFloat(to) && kindOf(from) == types.Int32:
		a := l.arg(v)
		r := l.u.newReg()
		l.emit("itof", def(r), a)
		return inReg(r)
	case isFloat(to) && !isFloat(from):
		return l.errorf(x, "the machine converts signed numbers only: write float32(int32(...))")
	case isFloat(from) && !isFloat(to):
		return l.errorf(x, "the machine has no instruction that makes a whole number from a float")
	}
	return v
}

// builtin is min, max and len.
func (l *lowerer) builtin(x *ast.CallExpr, b *types.Builtin) operand {
	if b.Name() != "min" && b.Name() != "max" {
		return l.errorf(x, "%s has no translation", b.Name())
	}
	t := l.typeOf(x)
	if !l.c.goodType(x, t) {
		return constOf(0)
	}
	if isFloat(t) {
		return l.errorf(x, "min and max of floats have no translation, because of NaN and -0: compare with <")
	}
	less := "blt"
	if isUnsigned(t) {
		less = "bltu"
	}
	r := l.fresh(b.Name())
	l.move(r, l.expr(x.Args[0]))
	for _, a := range x.Args[1:] {
		v := l.expr(a)
		take, end := l.block(), l.block()
		if b.Name() == "min" {
			l.branch(less, v, inReg(r), take, end)
		} else {
			l.branch(less, inReg(r), v, take, end)
		}
		l.at(take)
		l.move(r, v)
		l.jump(end)
		l.at(end)
	}
	return inReg(r)
}

// inside translates statements of another function in this one.
func (l *lowerer) inside(f *function, args []operand, ret func(operand), body func()) {
	outer := *l
	l.vars, l.done, l.target, l.again, l.known = map[types.Object]reg{}, map[ast.Expr]operand{}, nil, nil, map[types.Object]int64{}
	l.f, l.whole = nil, true
	for i, p := range f.params {
		if !args[i].lit && !l.c.assigned(f.decl.Body, p) {
			l.vars[p] = args[i].r
			continue
		}
		r := l.fresh(p.Name())
		l.move(r, args[i])
		l.vars[p] = r
	}
	l.ret = ret
	body()
	cur, turn := l.cur, l.turn
	*l = outer
	l.cur, l.turn = cur, turn
}

// helperCall runs a helper in place.
func (l *lowerer) helperCall(f *function, args []operand, dst reg) {
	end := l.block()
	l.inside(f, args, func(v operand) {
		l.move(dst, v)
		l.jump(end)
	}, func() {
		l.stmts(f.decl.Body.List)
		l.jump(end)
	})
	l.at(end)
}

// front runs a function's guards in place: either they answer, and the code
// goes on in known, or the call has to be made, with the arguments returned.
func (l *lowerer) front(f *function, args []operand, dst reg, known *block) (left []operand) {
	if f.lit != nil {
		l.empty(args, dst, known)
		return args
	}
	l.inside(f, args, func(v operand) {
		l.move(dst, v)
		l.jump(known)
	}, func() {
		l.stmts(f.decl.Body.List[:f.front])
		for _, p := range f.params {
			left = append(left, inReg(l.vars[p]))
		}
	})
	return left
}

// issue asks for an instance; the rest of the call is in the node got, which
// gets its operand segment and ends with then.
func (l *lowerer) issue(f *function, args []operand, p *pending, site int, then func()) {
	f.made = true
	l.turn++
	which := 2 - l.turn%2
	u := l.u
	if f.place == "own" {
		seg := u.newReg()
		l.emit("getseg", def(seg), text(f.name))
		for i, a := range args {
			l.emit(sideOf(i), l.arg(a), use(seg), text("@"+entryOf(f, i)))
		}
		l.giveReturn(f, seg, p)
		return
	}
	got := u.newNode("got", "the segment of "+f.name, l.line, u.newReg())
	code := l.cur
	l.cur = got
	seg := got.in[0]
	var words []string
	for i, a := range args {
		if a.lit && fits(a.imm) {
			l.emit(sideOf(i), l.arg(a), use(seg), text("@"+entryOf(f, i)))
			words = append(words, "")
			continue
		}
		w := l.argWord(site, f.params[i].Name())
		words = append(words, w)
		t := u.newReg()
		l.emit("ld", def(t), text("fp"), text("@"+w))
		l.emit(sideOf(i), use(t), use(seg), text("@"+entryOf(f, i)))
	}
	l.giveReturn(f, seg, p)
	then()
	l.cur = code
	for i, a := range args {
		if words[i] != "" {
			l.emit("st", l.arg(a), text("fp"), text("@"+words[i]))
		}
	}
	x := l.emit("call_go", text(fmt.Sprint(which)), at(got), text("new."+f.name))
	x.macro, x.size, x.spoil = true, 10, spoilStatic
	if f.place == "mlpe" {
		x.name, x.size, x.spoil = "call_mlpe", 48, spoilSearch
	}
}

// What the macros of lib/go.s overwrite: r3..r7, with a search also r8, r9, r11.
const (
	spoilStatic = 1<<3 | 1<<4 | 1<<5 | 1<<6 | 1<<7
	spoilSearch = spoilStatic | 1<<8 | 1<<9 | 1<<11
)

// argWord is where an argument waits for the segment. Calls at the same place
// of a group share it, because only one of them is made.
func (l *lowerer) argWord(site int, name string) string {
	want := fmt.Sprintf("%s.arg%d_%s", l.u.name, site+1, name)
	for _, w := range l.u.words {
		if w == want {
			return w
		}
	}
	l.u.words = append(l.u.words, want)
	return want
}

// giveReturn tells an instance where its result goes.
func (l *lowerer) giveReturn(f *function, seg reg, p *pending) {
	t := l.u.newReg()
	l.emit("cont", def(t), text("fp"), late(func() string { return "@" + p.node.node.name }))
	l.cur.code[len(l.cur.code)-1].form = func() string { return p.form }
	l.emit(startForm(f), use(t), use(seg), text("@"+f.name+".start"))
}

func startForm(f *function) string {
	if len(f.params) == 0 {
		return "send.1"
	}
	return "send.r"
}

// sideOf and entryOf say where argument i goes.
func sideOf(i int) string {
	if i == 0 {
		return "send.l"
	}
	return "send.r"
}

func entryOf(f *function, i int) string {
	switch {
	case len(f.params) == 1:
		return f.name + ".start"
	case i == 0:
		return f.name + ".args1"
	}
	return fmt.Sprintf("%s.args%d", f.name, i)
}
