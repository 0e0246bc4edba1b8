package compile_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"sync/atomic"

	"emsim/internal/compile"
)

// oracle runs a Go program of the subset by its syntax tree, without any of the
// compiler's code: what Go's specification says, word by word.
type oracle struct {
	info    *types.Info
	funcs   map[string]*ast.FuncDecl
	tables  map[string][]uint32
	spreads map[string][][]uint32 // arrays of package df
	steps   atomic.Int64
}

// panicked is what the program panics with.
type panicked string

// frame is a call.
type frame struct {
	vars   map[types.Object]uint32
	chans  map[types.Object]chan uint32
	arrays map[types.Object][]uint32
	defers []chan uint32 // to be closed
	result uint32
}

func newFrame() *frame {
	return &frame{vars: map[types.Object]uint32{}, chans: map[types.Object]chan uint32{}, arrays: map[types.Object][]uint32{}}
}

// ends of statements.
type flow int

const (
	goesOn flow = iota
	returns
	breaks
	continues
)

func newOracle(src string) (*oracle, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		return nil, err
	}
	o := &oracle{
		info:  &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}},
		funcs: map[string]*ast.FuncDecl{}, tables: map[string][]uint32{}, spreads: map[string][][]uint32{},
	}
	if _, err := (&types.Config{Importer: compile.DfImporter}).Check("main", fset, []*ast.File{f}, o.info); err != nil {
		return nil, err
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			o.funcs[d.Name.Name] = d
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && d.Tok == token.VAR {
					for _, n := range v.Names {
						if t, ok := o.info.Defs[n].Type().(*types.Array); ok {
							o.tables[n.Name] = make([]uint32, t.Len())
						}
					}
				}
			}
		}
	}
	if o.funcs["init"] != nil {
		o.call("init")
	}
	return o, nil
}

// run calls a function and returns what it panics with, if it does.
func (o *oracle) run(name string, args ...uint32) (result uint32, what string) {
	defer func() {
		if r := recover(); r != nil {
			p, ok := r.(panicked)
			if !ok {
				panic(r)
			}
			what = string(p)
		}
	}()
	return o.call(name, args...), ""
}

func (o *oracle) call(name string, args ...uint32) uint32 { return o.callWith(name, args, nil) }

// callWith calls a function whose last parameters are channels.
func (o *oracle) callWith(name string, args []uint32, chans []chan uint32) uint32 {
	d := o.funcs[name]
	f := newFrame()
	i := 0
	for _, p := range d.Type.Params.List {
		for _, n := range p.Names {
			if i < len(args) {
				f.vars[o.info.Defs[n]] = args[i]
			} else {
				f.chans[o.info.Defs[n]] = chans[i-len(args)]
			}
			i++
		}
	}
	o.block(f, d.Body.List)
	for _, c := range f.defers {
		close(c)
	}
	return f.result
}

func (o *oracle) block(f *frame, list []ast.Stmt) flow {
	for _, s := range list {
		if r := o.stmt(f, s); r != goesOn {
			return r
		}
	}
	return goesOn
}

func (o *oracle) stmt(f *frame, s ast.Stmt) flow {
	if o.steps.Add(1) > 1_000_000 {
		panic("the program does not end")
	}
	switch s := s.(type) {
	case *ast.ReturnStmt:
		if len(s.Results) > 0 {
			f.result = o.expr(f, s.Results[0])
		}
		return returns
	case *ast.AssignStmt:
		if o.streamAssign(f, s) {
			return goesOn
		}
		var values []uint32
		for i, r := range s.Rhs {
			v := o.expr(f, r)
			if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
				op := map[token.Token]token.Token{token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.XOR_ASSIGN: token.XOR, token.MUL_ASSIGN: token.MUL, token.OR_ASSIGN: token.OR}[s.Tok]
				v = o.arith(op, o.expr(f, s.Lhs[i]), v, o.info.Types[s.Lhs[i]].Type)
			}
			values = append(values, v)
		}
		for i, l := range s.Lhs {
			o.set(f, l, values[i])
		}
	case *ast.IncDecStmt:
		o.set(f, s.X, o.expr(f, s.X)+map[token.Token]uint32{token.INC: 1, token.DEC: math.MaxUint32}[s.Tok])
	case *ast.IfStmt:
		if s.Init != nil {
			o.stmt(f, s.Init)
		}
		if o.expr(f, s.Cond) != 0 {
			return o.block(f, s.Body.List)
		} else if s.Else != nil {
			return o.stmt(f, s.Else)
		}
	case *ast.BlockStmt:
		return o.block(f, s.List)
	case *ast.ForStmt:
		return o.loop(f, s)
	case *ast.BranchStmt:
		return map[token.Token]flow{token.BREAK: breaks, token.CONTINUE: continues}[s.Tok]
	default:
		return o.streamStmt(f, s)
	}
	return goesOn
}

func (o *oracle) loop(f *frame, s *ast.ForStmt) flow {
	if s.Init != nil {
		o.stmt(f, s.Init)
	}
	for s.Cond == nil || o.expr(f, s.Cond) != 0 {
		switch o.block(f, s.Body.List) {
		case returns:
			return returns
		case breaks:
			return goesOn
		}
		if s.Post != nil {
			o.stmt(f, s.Post)
		}
	}
	return goesOn
}

func (o *oracle) set(f *frame, l ast.Expr, v uint32) {
	switch l := l.(type) {
	case *ast.Ident:
		if l.Name == "_" {
			return
		}
		obj := o.info.Defs[l]
		if obj == nil {
			obj = o.info.Uses[l]
		}
		f.vars[obj] = v
	case *ast.IndexExpr:
		t, i := o.element(f, l)
		t[i] = v
	}
}

func (o *oracle) element(f *frame, x *ast.IndexExpr) ([]uint32, int64) {
	t, ok := f.arrays[o.info.Uses[x.X.(*ast.Ident)]]
	if !ok {
		t = o.tables[x.X.(*ast.Ident).Name]
	}
	i := int64(o.expr(f, x.Index))
	if !o.unsigned(x.Index) {
		i = int64(int32(i))
	}
	if i < 0 || i >= int64(len(t)) {
		panic(panicked("index"))
	}
	return t, i
}

func (o *oracle) unsigned(e ast.Expr) bool { return isUnsigned(o.info.Types[e].Type) }

func isUnsigned(t types.Type) bool { return t.Underlying().(*types.Basic).Info()&types.IsUnsigned != 0 }

func truth(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

func (o *oracle) expr(f *frame, e ast.Expr) uint32 {
	if tv := o.info.Types[e]; tv.Value != nil {
		if tv.Value.Kind() == constant.Bool {
			return truth(constant.BoolVal(tv.Value))
		}
		n, _ := constant.Int64Val(tv.Value)
		return uint32(n)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return o.expr(f, e.X)
	case *ast.Ident:
		return f.vars[o.info.Uses[e]]
	case *ast.IndexExpr:
		t, i := o.element(f, e)
		return t[i]
	case *ast.UnaryExpr:
		if e.Op == token.ARROW {
			return <-o.channel(f, e.X)
		}
		x := o.expr(f, e.X)
		switch e.Op {
		case token.SUB:
			return -x
		case token.XOR:
			return ^x
		case token.NOT:
			return 1 - x
		}
		return x
	case *ast.CallExpr:
		return o.callExpr(f, e)
	case *ast.BinaryExpr:
		a := o.expr(f, e.X)
		if e.Op == token.LAND && a == 0 || e.Op == token.LOR && a != 0 {
			return a
		}
		b := o.expr(f, e.Y)
		switch e.Op {
		case token.LAND, token.LOR:
			return b
		case token.SHL, token.SHR:
			return o.shift(e, a, b)
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return o.compare(e, a, b)
		}
		return o.arith(e.Op, a, b, o.info.Types[e].Type)
	}
	panic(fmt.Sprintf("%T", e))
}

func (o *oracle) callExpr(f *frame, e *ast.CallExpr) uint32 {
	if sel, ok := e.Fun.(*ast.SelectorExpr); ok {
		return o.method(f, e, sel)
	}
	var args []uint32
	for _, a := range e.Args {
		args = append(args, o.expr(f, a))
	}
	name := e.Fun.(*ast.Ident).Name
	switch {
	case o.info.Types[e.Fun].IsType():
		return args[0]
	case name == "min" || name == "max":
		less := args[0] < args[1]
		if !o.unsigned(e) {
			less = int32(args[0]) < int32(args[1])
		}
		if less == (name == "min") {
			return args[0]
		}
		return args[1]
	}
	return o.call(name, args...)
}

func (o *oracle) compare(e *ast.BinaryExpr, a, b uint32) uint32 {
	x, y := int64(a), int64(b)
	if !o.unsigned(e.X) || !o.unsigned(e.Y) {
		x, y = int64(int32(a)), int64(int32(b))
	}
	return truth(map[token.Token]bool{token.EQL: x == y, token.NEQ: x != y, token.LSS: x < y, token.LEQ: x <= y, token.GTR: x > y, token.GEQ: x >= y}[e.Op])
}

func (o *oracle) shift(e *ast.BinaryExpr, a, n uint32) uint32 {
	if !o.unsigned(e.Y) && int32(n) < 0 {
		panic(panicked("shift"))
	}
	switch {
	case e.Op == token.SHL:
		return a << n
	case o.unsigned(e):
		return a >> n
	}
	return uint32(int32(a) >> n)
}

func (o *oracle) arith(op token.Token, a, b uint32, t types.Type) uint32 {
	switch op {
	case token.ADD:
		return a + b
	case token.SUB:
		return a - b
	case token.MUL:
		return a * b
	case token.AND:
		return a & b
	case token.OR:
		return a | b
	case token.XOR:
		return a ^ b
	case token.AND_NOT:
		return a &^ b
	}
	if b == 0 {
		panic(panicked("divide"))
	}
	switch {
	case isUnsigned(t) && op == token.QUO:
		return a / b
	case isUnsigned(t):
		return a % b
	case op == token.QUO:
		return uint32(int32(a) / int32(b))
	}
	return uint32(int32(a) % int32(b))
}
