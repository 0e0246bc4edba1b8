package compile

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"emsim/internal/compile/ir"
)

func (b *builder) typeOf(e ast.Expr) types.Type { return b.c.info.TypeOf(e) }

// listed returns the words of several expressions.
func (b *builder) listed(list []ast.Expr) (values []*ir.Value) {
	for _, e := range list {
		values = append(values, b.words(e)...)
	}
	return values
}

// value returns the value of an expression of one word.
func (b *builder) value(e ast.Expr) *ir.Value {
	list := b.words(e)
	if len(list) == 0 { // its type is wrong
		panic(mistake{})
	}
	return list[0]
}

// count returns the value of a shift count, an index, or another right operand. A constant that does not fit a word is
// replaced by one that does, but is too large for a shift or an index.
func (b *builder) count(e ast.Expr) *ir.Value {
	v := b.c.info.Types[e].Value
	if v == nil || constant.ToInt(v).Kind() != constant.Int || isFloat(b.typeOf(e)) {
		return b.value(e)
	}
	if n, ok := constant.Int64Val(constant.ToInt(v)); !ok || n > 1<<31-1 && irType(b.typeOf(e)) == ir.Int32 {
		return ir.Const(ir.Int32, 1<<20)
	}
	return ir.Const(irType(b.typeOf(e)), wordOf(v, b.typeOf(e)))
}

// words returns the words of an expression.
func (b *builder) words(e ast.Expr) []*ir.Value {
	defer b.c.meter.deeper()()
	e = ast.Unparen(e)
	tv := b.c.info.Types[e]
	if tv.Value != nil {
		b.demandWords(e, tv.Type)
		return []*ir.Value{ir.Const(irType(tv.Type), wordOf(tv.Value, tv.Type))}
	}
	b.refuseLarge(e, tv.Type)
	if list, ok := b.place(e); ok {
		return b.wordsOf(list)
	}
	switch x := e.(type) {
	case *ast.BinaryExpr:
		return []*ir.Value{b.binary(x)}
	case *ast.UnaryExpr:
		if x.Op == token.ARROW {
			op := ir.Receive
			if _, both := tv.Type.(*types.Tuple); both {
				op = ir.Next
			}
			return b.receive(x.X, op)
		}
		return []*ir.Value{b.unary(x)}
	case *ast.CallExpr:
		return b.call(x)
	case *ast.CompositeLit:
		return b.literal(x)
	case *ast.SelectorExpr: // a field of a function's result
		if s := b.c.info.Selections[x]; s != nil && s.Kind() == types.FieldVal {
			whole := b.words(x.X)
			if from, of := fieldAt(s.Recv(), s.Index(), b.c.wordsIn); of != nil {
				return whole[from:][:b.c.wordsIn(of)]
			}
		}
	case *ast.IndexExpr:
		return b.elementOf(x)
	}
	b.refuseExpr(e)
	return nil
}

// elementOf returns an element of an array that has no name.
func (b *builder) elementOf(x *ast.IndexExpr) []*ir.Value {
	arr := arrayType(b.typeOf(x.X))
	if arr == nil {
		b.refuseExpr(x)
	}
	m := b.newArray(x.X, "array", arr)
	list := b.parts(m, nil, 0, arr)
	b.store(list, b.words(x.X))
	return b.wordsOf(b.element(list[0], b.index(x, arr.Len()), arr.Elem()))
}

// literal returns the words of a literal.
func (b *builder) literal(x *ast.CompositeLit) []*ir.Value {
	if isStructure(b.typeOf(x)) {
		b.demandWords(x, b.typeOf(x))
	} else if arrayType(b.typeOf(x)) == nil {
		b.refuseExpr(x)
	}
	values := zeros(b.c.wordTypes(b.typeOf(x)))
	b.c.eachElement(x, b.c.wordsIn, func(from int64, of types.Type, e ast.Expr) {
		copy(values[from:], b.words(e))
	})
	return values
}

func (b *builder) binary(e *ast.BinaryExpr) *ir.Value {
	t := irType(b.typeOf(e))
	switch e.Op {
	case token.LAND, token.LOR:
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		b.demandWords(e.X, b.typeOf(e.X))
		b.demandWords(e.Y, b.typeOf(e.Y))
	default:
		b.demandWords(e, b.typeOf(e))
	}
	switch e.Op {
	case token.LAND:
		return b.choose(b.value(e.X), ir.Bool, func() *ir.Value { return b.value(e.Y) }, func() *ir.Value { return ir.Const(ir.Bool, 0) })
	case token.LOR:
		return b.choose(b.value(e.X), ir.Bool, func() *ir.Value { return ir.Const(ir.Bool, 1) }, func() *ir.Value { return b.value(e.Y) })
	case token.EQL, token.NEQ:
		n := int(b.c.wordsIn(b.typeOf(e.X)))
		if n > mostLocal {
			same := b.sameTables(e.X, e.Y)
			if e.Op == token.NEQ {
				same = b.not(same)
			}
			return same
		}
		x, y := b.parted(e.X), b.parted(e.Y)
		switch {
		case e.Op == token.EQL:
			return b.same(x, y, n)
		case n != 1:
			return b.not(b.same(x, y, n))
		}
		return b.compute(ir.NotEqual, t, x(0), y(0))
	case token.SHL, token.SHR:
		return b.operation(e.OpPos, opOf[e.Op], t, b.value(e.X), b.count(e.Y))
	}
	x, y := b.value(e.X), b.value(e.Y)
	switch e.Op {
	case token.GTR:
		return b.compute(ir.Less, ir.Bool, y, x)
	case token.GEQ:
		return b.compute(ir.LessEq, ir.Bool, y, x)
	}
	return b.operation(e.OpPos, opOf[e.Op], t, x, y)
}

// not returns the negation of a condition.
func (b *builder) not(v *ir.Value) *ir.Value {
	if v.Constant {
		return ir.Const(ir.Bool, 1-v.Word)
	}
	return b.compute(ir.Not, ir.Bool, v)
}

// same builds a comparison of two values: whether all their n words are equal.
func (b *builder) same(x, y func(i int) *ir.Value, n int) *ir.Value {
	if n == 0 {
		return ir.Const(ir.Bool, 1)
	}
	equal := func(i int) *ir.Value { return b.compute(ir.Equal, ir.Bool, x(i), y(i)) }
	v := equal(0)
	for i := 1; i < n; i++ {
		v = b.choose(v, ir.Bool, func() *ir.Value { return equal(i) }, func() *ir.Value { return ir.Const(ir.Bool, 0) })
	}
	return v
}

// parted returns a function that returns word i of an expression. A word of an array that has a place is loaded only
// when the function is called for it.
func (b *builder) parted(e ast.Expr) func(i int) *ir.Value {
	if list, ok := b.place(e); ok && b.c.info.Types[ast.Unparen(e)].Value == nil && len(list) == 1 && arrayType(list[0].of) != nil {
		words := b.wordPieces(list[0])
		return func(i int) *ir.Value { return b.wordsOf(words[i : i+1])[0] }
	}
	values := b.words(e)
	return func(i int) *ir.Value { return values[i] }
}

func (b *builder) unary(e *ast.UnaryExpr) *ir.Value {
	if e.Op == token.AND {
		b.refuseExpr(e)
	}
	v := b.value(e.X)
	switch e.Op {
	case token.SUB:
		return b.compute(ir.Neg, v.Type, v)
	case token.XOR:
		return b.compute(ir.Not, v.Type, v)
	case token.NOT:
		return b.not(v)
	}
	return v
}

// call returns the results of a call of a function, a method or a built-in function, or of a conversion.
func (b *builder) call(x *ast.CallExpr) []*ir.Value {
	c := b.c
	if c.info.Types[x.Fun].IsType() {
		return b.convert(x)
	}
	if f := c.callee(x); f != nil {
		return b.callOf(x, f)
	}
	if c.policy != nil && c.policyMethod(x) != "" {
		return b.policyMethod(x)
	}
	if c.dfCall(x) == "PEs" {
		return []*ir.Value{b.compute(ir.PEs, ir.Int32)}
	}
	if c.isBuiltin(x, "len") || c.isBuiltin(x, "cap") {
		if arr := arrayType(b.typeOf(x.Args[0])); arr != nil {
			b.words(x.Args[0]) // it has calls, or the length would be a constant
			return []*ir.Value{ir.Const(ir.Int32, arr.Len())}
		}
	}
	op := ir.Min
	if c.isBuiltin(x, "max") {
		op = ir.Max
	} else if !c.isBuiltin(x, "min") {
		b.refuseCall(x)
	}
	b.demandWords(x, b.typeOf(x))
	v := b.value(x.Args[0])
	for _, e := range x.Args[1:] {
		v = b.compute(op, v.Type, v, b.value(e))
	}
	return []*ir.Value{v}
}

// callOf returns the results of a call of a function of the program, or of one that stands for a call of package df.
func (b *builder) callOf(x *ast.CallExpr, f *function) (results []*ir.Value) {
	line := b.line
	args := b.callArgs(x, f)
	switch t := b.typeOf(x).(type) {
	case *types.Tuple:
		for v := range t.Variables() {
			results = append(results, b.newValues(v.Type())...)
		}
	default:
		results = b.newValues(t)
	}
	b.line = b.c.lineOf(x)
	i := b.emit(ir.Call, args...)
	i.Callee, i.Results, b.x.sites[i] = b.x.formed(f), results, x
	b.line = line
	return results
}

// newValues makes a value for each word of a type.
func (b *builder) newValues(t types.Type) (list []*ir.Value) {
	for _, t := range b.c.wordTypes(t) {
		list = append(list, b.f.NewValue(irType(t), ""))
	}
	return list
}

// callArgs returns the arguments of a call. For a parallel loop or a Fill, these are its first two arguments, and the
// variables that the literal uses.
func (b *builder) callArgs(x *ast.CallExpr, f *function) (args []*ir.Value) {
	if n := f.captures(); n > 0 {
		b.x.buildLiteral(f, ast.Unparen(x.Args[2]).(*ast.FuncLit))
		return append(b.listed(x.Args[:2]), b.captured(x, f.params[n:])...)
	}
	if e, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok {
		if s := b.c.info.Selections[e]; f.obj != nil && s != nil && s.Kind() == types.MethodVal {
			from, of := fieldAt(s.Recv(), s.Index()[:len(s.Index())-1], b.c.wordsIn)
			args = b.words(e.X)[from:][:b.c.wordsIn(of)]
		}
	}
	handed := map[int]*ir.Value{}
	for i, e := range x.Args {
		switch {
		case slices.ContainsFunc(f.outs, func(o outEnd) bool { return o.index == i }):
		case b.c.isChannel(e):
			handed[i] = b.endOf(e)
			args = append(args[:len(args):len(args)], handed[i])
		default:
			args = append(args[:len(args):len(args)], b.words(e)...)
		}
	}
	for i, e := range x.Args { // all arguments are evaluated before any end is handed on
		if handed[i] == nil {
			continue
		}
		b.endOf(e) // refuses the end if another argument has got it
		b.env[b.slots[b.c.objectOf(e)]] = b.handedOn
	}
	return args
}

// captured returns the values of variables that a literal uses.
func (b *builder) captured(x *ast.CallExpr, params []*types.Var) (values []*ir.Value) {
	for _, p := range params {
		slot, known := b.slots[p]
		w, isWord := b.c.arrayWords[p]
		switch {
		case known:
			values = append(values, b.env[slot])
		case isWord && b.mems[w.of] != nil:
			whole := portion{mem: b.mems[w.of], of: w.of.Type()}
			values = append(values, b.wordsOf(b.wordPieces(whole)[w.i:w.i+1])...)
		default: // its own declaration is refused
			panic(mistake{})
		}
	}
	return values
}

func (b *builder) convert(x *ast.CallExpr) []*ir.Value {
	to := b.typeOf(x)
	if isStructure(to) || arrayType(to) != nil {
		return b.words(x.Args[0])
	}
	from := b.typeOf(x.Args[0])
	b.demandWords(x, to)
	b.demandWords(x.Args[0], from)
	v, t := b.value(x.Args[0]), irType(to)
	switch {
	case isFloat(to) && !isFloat(from) && kindOf(from) != types.Int32, isFloat(from) && !isFloat(to):
		b.refuse(x, conversions)
	case v.Type == t:
	case t == ir.Float32:
		v = b.compute(ir.ToFloat, t, v)
	default:
		v = b.compute(ir.Copy, t, v)
	}
	return []*ir.Value{v}
}

// opOf maps an operator to its operation.
var opOf = map[token.Token]ir.Op{
	token.ADD: ir.Add, token.SUB: ir.Sub, token.MUL: ir.Mul, token.QUO: ir.Div, token.REM: ir.Rem, token.AND: ir.And, token.OR: ir.Or, token.XOR: ir.Xor, token.AND_NOT: ir.AndNot,
	token.SHL: ir.Shl, token.SHR: ir.Shr, token.LSS: ir.Less, token.LEQ: ir.LessEq, token.EQL: ir.Equal, token.NEQ: ir.NotEqual,
}
