package compile

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// An array inside of a function lies in the operand segment of the instance, or
// beside the system code: one word for each element, rows one behind the other.

// mostLocal is how many words such an array can have: a segment has 64.
const mostLocal = 32

// mostUnrolled is how many words are copied, or compared, without a loop [chosen: all of
// a local array].
const mostUnrolled = mostLocal

// spot is where an array, a row or a word of one lies.
type spot struct {
	label   string
	local   bool  // in the operand segment, or beside the system code; otherwise a table
	base    reg   // what its place is relative to, or none: the segment, or address 0
	off     int64 // words behind the label
	of      types.Type
	passing bool // it has no name
}

// arrayType is a type as one of arrays, or nil.
func arrayType(t types.Type) *types.Array {
	if t == nil {
		return nil
	}
	a, _ := t.Underlying().(*types.Array)
	return a
}

// wordsIn is how many words a type has, or at least mostWords.
func (c *compiler) wordsIn(t types.Type) int64 {
	a := arrayType(t)
	if a == nil {
		return 1
	}
	if _, known := c.extents[t]; !known {
		c.extents[t] = min(a.Len(), mostWords) * min(c.wordsIn(a.Elem()), mostWords)
	}
	return c.extents[t]
}

// goodWords refuses types that are neither a word nor an array of words.
func (c *compiler) goodWords(n ast.Node, t types.Type) bool {
	for arrayType(t) != nil {
		t = arrayType(t).Elem()
	}
	return c.goodType(n, t)
}

// rootOf is the variable of which an expression is an element.
func (c *compiler) rootOf(e ast.Expr) types.Object {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			e = x.X
		case *ast.Ident:
			return c.info.ObjectOf(x)
		default:
			return nil
		}
	}
}

// newArray makes room for an array: for a variable, or without a name for the time of a
// statement.
func (l *lowerer) newArray(at ast.Node, name string, t types.Type) *spot {
	n := l.c.wordsIn(t)
	if n > mostLocal {
		l.errorf(at, "an array inside of a function has %d words at most, because it lies in the operand segment, which has %d: make it smaller, or make it a variable of the package that func init fills", mostLocal, segmentWords)
		n = 0
	}
	s := &spot{local: true, base: none, of: t, passing: name == ""}
	free := l.free[n]
	if last := len(free) - 1; s.passing && last >= 0 {
		s.label, l.free[n] = free[last], free[:last]
	} else {
		s.label = l.u.reserveWord(l.c.plain(cmp.Or(name, "array")))
		l.u.sizes[s.label] = n
	}
	if s.passing {
		l.passing = append(l.passing, s)
	}
	return s
}

// releaseArrays ends the time of all but the first n arrays without a name.
func (l *lowerer) releaseArrays(n int) {
	for _, s := range l.passing[n:] {
		n := l.u.sizes[s.label]
		l.free[n] = append(l.free[n], s.label)
	}
	l.passing = l.passing[:n]
}

// variableArray is where a variable lies that is declared here, once or in every turn of a loop.
func (l *lowerer) variableArray(name *ast.Ident, obj types.Object) *spot {
	if l.arrays[obj] == nil && l.c.goodWords(name, obj.Type()) {
		l.arrays[obj] = l.newArray(name, name.Name, obj.Type())
	}
	return cmp.Or(l.arrays[obj], &spot{base: none, of: types.NewArray(types.Typ[types.Int32], 0)})
}

// defineArray makes a variable that is an array; without a value it is all zeros.
func (l *lowerer) defineArray(name *ast.Ident, obj types.Object, value *spot) {
	if s := l.variableArray(name, obj); value == nil {
		l.clear(s)
	} else {
		l.copyArray(s, value)
	}
}

// array is where the value of an expression lies.
func (l *lowerer) array(e ast.Expr) *spot {
	defer l.c.meter.deeper()()
	t := l.typeOf(e)
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		obj := l.c.info.Uses[x]
		if s := l.arrays[obj]; s != nil {
			return s
		}
		if label, ok := l.c.labels[obj]; ok {
			return &spot{label: label, base: none, of: t}
		}
	case *ast.IndexExpr:
		if s, ok := l.element(x); ok {
			return s
		}
	case *ast.CompositeLit:
		s := l.newArray(x, "", t)
		l.fill(s, x)
		return s
	}
	l.errorf(e, "only variables that are arrays, their rows and literals have a translation here: declare it as var NAME [SIZE]TYPE")
	return &spot{base: none, of: t}
}

// element is the place of an element of an array, whose index is checked.
func (l *lowerer) element(e *ast.IndexExpr) (s *spot, ok bool) {
	arr := arrayType(l.typeOf(e.X))
	if arr == nil {
		l.errorf(e.X, "only arrays have words: declare it as var NAME [SIZE]TYPE")
		return nil, false
	}
	outer := l.array(e.X)
	i := l.count(e.Index)
	if k := kindOf(l.typeOf(e.Index)); !i.lit && k != types.Int32 && k != types.Uint32 && !l.fits(e.Index) {
		return nil, false
	}
	if m := l.maxOf(e.Index); m < 0 || m >= arr.Len() {
		l.demand(i, constOf(arr.Len()), "index")
	}
	return l.within(outer, i, arr.Elem()), outer.label != ""
}

// within is element i of an array.
func (l *lowerer) within(s *spot, i operand, t types.Type) *spot {
	to := *s
	to.of, to.passing = t, false
	n := l.c.wordsIn(t)
	switch {
	case i.lit:
		to.off += i.imm * n
		return &to
	case n != 1:
		i = l.arith(token.MUL, i, constOf(n), types.Typ[types.Int32], -1)
	}
	switch {
	case s.base != none:
		to.base = l.binaryOp("add", inReg(s.base), i).r
	case s.local && !l.u.system:
		to.base = l.u.newReg()
		l.emit("add", def(to.base), textArg("fp"), use(i.r)).place = s.label
	default:
		to.base = i.r
	}
	return &to
}

// place is the place of a word.
func (l *lowerer) place(s *spot) (base, off arg) {
	label := labelPlus(s.label, s.off)
	if s.local && !l.u.system {
		label = "@" + label
	}
	switch {
	case s.base != none:
		base = use(s.base)
	case s.local:
		base = l.u.frame()
	default:
		base = textArg("r0")
	}
	return base, textArg(label)
}

func (l *lowerer) loadWord(s *spot) operand {
	base, off := l.place(s)
	return l.computed("ld", base, off)
}

// put gives a word, or an array, a value.
func (l *lowerer) put(s *spot, v operand) {
	if v.array != nil {
		l.copyArray(s, v.array)
		return
	}
	base, off := l.place(s)
	l.emit("st", l.registerArg(v), base, off)
}

// fillsTarget is x = [N]T{...}, where the literal does not need what x was.
func (l *lowerer) fillsTarget(x, value ast.Expr) bool {
	root := l.c.rootOf(x)
	if _, ok := ast.Unparen(value).(*ast.CompositeLit); !ok || arrayType(l.typeOf(value)) == nil {
		return false
	}
	if id, ok := x.(*ast.Ident); ok && id.Name != "_" && l.c.info.Defs[id] != nil {
		l.fill(l.variableArray(id, root), value)
		return true
	}
	if l.arrays[root] == nil || within(l.c.places.names[root], value) {
		return false
	}
	l.fill(l.array(x), value)
	return true
}

// eachWord calls f for the words of arrays of one type, one after the other.
func (l *lowerer) eachWord(f func(words []*spot), arrays ...*spot) {
	t := arrays[0].of
	n := l.c.wordsIn(t)
	for arrayType(t) != nil {
		t = arrayType(t).Elem()
	}
	at := func(i operand) (words []*spot) {
		for _, s := range arrays {
			words = append(words, l.within(s, i, t))
		}
		return words
	}
	if n <= mostUnrolled {
		for i := range n {
			f(at(constOf(i)))
		}
		return
	}
	i, turn, end := inReg(l.fresh("i")), l.block(), l.block()
	l.moveInto(i.r, constOf(0))
	l.goInto(turn)
	f(at(i))
	l.moveInto(i.r, l.binaryOp("add", i, constOf(1)))
	l.branch("bltu", i, constOf(n), turn, end)
	l.continueAt(end)
}

func (l *lowerer) clear(s *spot) {
	l.eachWord(func(w []*spot) { l.put(w[0], constOf(0)) }, s)
}

// snapshot keeps a value that may change, also of an array.
func (l *lowerer) snapshot(at ast.Node, o operand) operand {
	if o.array == nil || o.array.passing {
		return l.copied(o)
	}
	s := l.newArray(at, "", o.array.of)
	l.copyArray(s, o.array)
	return operand{r: none, array: s}
}

func (l *lowerer) copyArray(to, from *spot) {
	l.eachWord(func(w []*spot) { l.put(w[0], l.loadWord(w[1])) }, to, from)
}

// compareArrays goes on in equal or in other.
func (l *lowerer) compareArrays(a, b *spot, equal, other *block) {
	l.eachWord(func(w []*spot) {
		next := l.block()
		l.compare(token.EQL, l.loadWord(w[0]), l.loadWord(w[1]), w[0].of, next, other)
		l.continueAt(next)
	}, a, b)
	l.jumpTo(equal)
}

// fill gives an array the value of a literal, or a word its value.
func (l *lowerer) fill(s *spot, e ast.Expr) {
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		l.put(s, l.expression(e))
		return
	}
	elem := arrayType(s.of).Elem()
	if int64(len(lit.Elts)) < arrayType(s.of).Len() {
		l.clear(s)
	}
	l.c.eachElement(lit, func(i int64, e ast.Expr) { l.fill(l.within(s, constOf(i), elem), e) })
}

// eachElement calls f for the elements of a literal.
func (c *compiler) eachElement(lit *ast.CompositeLit, f func(i int64, e ast.Expr)) {
	next := int64(0)
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			next, _ = constant.Int64Val(constant.ToInt(c.info.Types[kv.Key].Value))
			e = kv.Value
		}
		f(next, e)
		next++
	}
}

// defineElement gives the second variable of a loop over an array its value. A row that
// nobody changes is used where it lies.
func (l *lowerer) defineElement(s *ast.RangeStmt, from *spot) {
	v := l.c.rootOf(s.Value)
	switch {
	case arrayType(from.of) == nil:
		l.assignTo(s.Value, l.loadWord(from))
	case v == nil || s.Tok != token.DEFINE || l.c.assigned(s.Body, v) || l.c.assigned(s.Body, l.c.rootOf(s.X)):
		l.assignTo(s.Value, operand{r: none, array: from})
	default:
		l.arrays[v] = from
	}
}
