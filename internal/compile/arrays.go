package compile

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"emsim/internal/base/lists"
	"emsim/isa"
)

// An array inside of a function lies in the operand segment of the instance, or
// beside the system code: one word for each element, rows one behind the other.

// spot is where an array lies, or a row, a structure or a word of one.
type spot struct {
	label   string
	local   bool  // in the operand segment, or beside the system code; otherwise a table
	base    reg   // what its place is relative to, or none: the segment, or address 0
	off     int64 // words behind the label
	of      types.Type
	passing bool // it has no name
}

// rootOf is the variable of which an expression is a part.
func (c *compiler) rootOf(e ast.Expr) types.Object {
	for {
		if words := c.namedWords(e); len(words) == 1 {
			return words[0]
		}
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.Ident:
			return c.info.ObjectOf(x)
		default:
			return nil
		}
	}
}

// inMemory reports what lies in an array or a table.
func (c *compiler) inMemory(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return c.labels[c.info.Uses[x]] != ""
	case *ast.IndexExpr:
		return true
	case *ast.SelectorExpr:
		return c.info.Selections[x] != nil && c.inMemory(x.X)
	}
	return false
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
func (l *lowerer) variableArray(at ast.Node, obj types.Object) *spot {
	if l.arrays[obj] == nil && l.c.goodValue(at, obj.Type()) {
		l.arrays[obj] = l.newArray(at, obj.Name(), obj.Type())
	}
	return cmp.Or(l.arrays[obj], &spot{base: none, of: types.NewArray(types.Typ[types.Int32], 0)})
}

// array is where the value of an expression lies.
func (l *lowerer) array(e ast.Expr) (s *spot) {
	defer l.c.meter.deeper()()
	e = ast.Unparen(e)
	t := l.typeOf(e)
	if words := l.c.namedWords(e); len(words) == 1 && l.arrays[words[0]] != nil {
		return l.arrays[words[0]]
	}
	if o, ok := l.done[e]; ok {
		return l.assembled(e, t, o)[0].array
	}
	switch x := e.(type) {
	case *ast.Ident:
		if v, ok := l.c.info.Uses[x].(*types.Var); ok && l.c.labels[v] != "" {
			return l.c.tableSpot(v)
		}
	case *ast.IndexExpr:
		return l.element(x)
	case *ast.SelectorExpr:
		if l.c.inMemory(x) {
			f := l.c.info.Selections[x]
			from, of := fieldAt(f.Recv(), f.Index(), l.c.wordsIn)
			return l.array(x.X).part(from, of)
		}
		s = l.field(x)[0].array
	case *ast.CompositeLit:
		s = l.newArray(x, "", t)
		l.fill(s, x)
	case *ast.CallExpr:
		s = l.callExpr(x)[0].array
	}
	if s == nil {
		return l.failed(e, "only variables that are arrays, their rows, results and literals have a translation here: declare it as var NAME [SIZE]TYPE")[0].array
	}
	return s
}

// element is the place of an element of an array, whose index is checked.
func (l *lowerer) element(e *ast.IndexExpr) *spot {
	arr := arrayType(l.typeOf(e.X))
	if arr == nil {
		l.errorf(e.X, "only arrays have words: declare it as var NAME [SIZE]TYPE")
		return &spot{base: none, of: l.typeOf(e)}
	}
	outer := l.array(e.X)
	i := l.count(e.Index)
	if !i.lit && !l.fits(e.Index) {
		return &spot{base: none, of: arr.Elem()}
	}
	if m := l.maxOf(e.Index); m < 0 || m >= arr.Len() {
		l.demand(i, constOf(arr.Len()), "index")
	}
	return l.within(outer, i, arr.Elem())
}

// part is a part that begins so many words behind the beginning.
func (s *spot) part(from int64, of types.Type) *spot {
	to := *s
	to.off, to.of, to.passing = to.off+from, of, false
	return &to
}

// within is element i of an array.
func (l *lowerer) within(s *spot, i operand, t types.Type) *spot {
	n := l.c.wordsIn(t)
	if i.lit {
		return s.part(i.imm*n, t)
	}
	to := s.part(0, t)
	if n != 1 {
		i = l.arith(token.MUL, i, constOf(n), types.Typ[types.Int32], -1)
	}
	switch {
	case s.base != none:
		to.base = l.binaryOp(isa.ADD, inReg(s.base), i).r
	case s.local && !l.u.system:
		to.base = l.u.newReg()
		l.emit(isa.ADD, def(to.base), fp, use(i.r)).place = s.label
	default:
		to.base = i.r
	}
	return to
}

// place is the place of a word.
func (l *lowerer) place(s *spot) (base, off arg) {
	off = arg{kind: isLabel, name: s.label, n: s.off}
	if s.local && !l.u.system {
		off.kind = isWord
	}
	switch {
	case s.base != none:
		base = use(s.base)
	case s.local:
		base = l.u.frame()
	default:
		base = r0
	}
	return base, off
}

func (l *lowerer) loadWord(s *spot) operand {
	base, off := l.place(s)
	return l.computed(isa.LD, base, off)
}

// partsAt are the places of the parts of a value.
func (l *lowerer) partsAt(s *spot) (list []*spot) {
	from := int64(0)
	for _, p := range partsIn(s.of) {
		list = append(list, s.part(from, p.Type()))
		from += l.c.wordsIn(p.Type())
	}
	return list
}

// valuesAt are the parts that lie at a place.
func (l *lowerer) valuesAt(s *spot) []operand {
	return lists.Of(l.partsAt(s), func(p *spot) operand {
		if arrayType(p.of) == nil {
			return l.loadWord(p)
		}
		return operand{r: none, array: p}
	})
}

// put gives what lies at a place a value; for an array nothing stands for zeros.
func (l *lowerer) put(s *spot, values ...operand) {
	for i, p := range l.partsAt(s) {
		base, off := l.place(p)
		switch {
		case i >= len(values): // an error
		case arrayType(p.of) == nil:
			l.emit(isa.ST, l.registerArg(values[i]), base, off)
		case values[i].array == nil:
			l.clear(p)
		default:
			l.copyArray(p, values[i].array)
		}
	}
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

// eachWord calls f for the words of values of one type, one after the other.
func (l *lowerer) eachWord(f func(words []*spot), values ...*spot) {
	t := values[0].of
	if arrayType(t) == nil {
		parts := lists.Of(values, l.partsAt)
		for i, p := range parts[0] {
			each := lists.Of(parts, func(list []*spot) *spot { return list[i] })
			if arrayType(p.of) == nil {
				f(each)
			} else {
				l.eachWord(f, each...)
			}
		}
		return
	}
	for arrayType(t) != nil {
		t = arrayType(t).Elem()
	}
	n := l.c.wordsIn(values[0].of) / max(1, l.c.wordsIn(t))
	at := func(i operand) {
		l.eachWord(f, lists.Of(values, func(s *spot) *spot { return l.within(s, i, t) })...)
	}
	if l.c.wordsIn(values[0].of) <= mostLocal {
		for i := range n {
			at(constOf(i))
		}
		return
	}
	i, turn, end := inReg(l.fresh("i")), l.block(), l.block()
	l.moveInto(i.r, constOf(0))
	l.goInto(turn)
	at(i)
	l.moveInto(i.r, l.binaryOp(isa.ADD, i, constOf(1)))
	l.branch(isa.BLTU, i, constOf(n), turn, end)
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

// fill gives an array the value of a literal, or an element its value.
func (l *lowerer) fill(s *spot, e ast.Expr) {
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok || arrayType(s.of) == nil {
		l.put(s, l.values(e)...)
		return
	}
	if int64(len(lit.Elts)) < arrayType(s.of).Len() {
		l.clear(s)
	}
	l.c.eachElement(lit, l.c.wordsIn, func(from int64, of types.Type, e ast.Expr) { l.fill(s.part(from, of), e) })
}

// eachElement calls f for the elements of a literal, with where they begin and their types.
func (c *compiler) eachElement(lit *ast.CompositeLit, size func(t types.Type) int64, f func(from int64, of types.Type, e ast.Expr)) {
	next, t := int64(0), c.info.TypeOf(lit)
	arr := arrayType(t)
	for _, e := range lit.Elts {
		kv, named := e.(*ast.KeyValueExpr)
		if named {
			e = kv.Value
		}
		if arr == nil {
			if s := t.Underlying().(*types.Struct); named {
				next = int64(slices.Index(slices.Collect(s.Fields()), c.info.Uses[kv.Key.(*ast.Ident)].(*types.Var)))
			}
			from, of := fieldAt(t, []int{int(next)}, size)
			f(from, of, e)
		} else {
			if named {
				next, _ = constant.Int64Val(constant.ToInt(c.info.Types[kv.Key].Value))
			}
			f(next*size(arr.Elem()), arr.Elem(), e)
		}
		next++
	}
}

// defineElement gives the second variable of a loop over an array its value. A row that
// nobody changes is used where it lies.
func (l *lowerer) defineElement(s *ast.RangeStmt, from *spot) {
	v := l.c.rootOf(s.Value)
	switch {
	case arrayType(from.of) == nil:
		l.assignTo(s.Value, l.valuesAt(from)...)
	case v == nil || s.Tok != token.DEFINE || l.c.assigned(s.Body, v) || l.c.assigned(s.Body, l.c.rootOf(s.X)):
		l.assignTo(s.Value, operand{r: none, array: from})
	default:
		l.arrays[v] = from
	}
}
