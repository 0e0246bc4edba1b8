package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"emsim/internal/base/lists"
)

// A value can have several words: a structure, and what a function returns. A variable of
// a structure type is a variable for every word, and everything else here is about those.

// mostParts bounds the words of a value, and mostInside how deep structures are inside of
// each other [chosen].
const (
	mostParts  = 32
	mostInside = 8
)

// isStructure reports a structure; an array of package df is none.
func isStructure(t types.Type) bool {
	_, isStruct := t.Underlying().(*types.Struct)
	_, isArray := spreadElem(t)
	return isStruct && !isArray
}

// partsIn are the words of a value as fields, and one more where it has too many.
func partsIn(t types.Type) []*types.Var {
	return appendWords(nil, types.NewField(token.NoPos, nil, "", t, false), 0)
}

func appendWords(list []*types.Var, v *types.Var, depth int) []*types.Var {
	var parts []*types.Var
	if tuple, ok := v.Type().(*types.Tuple); ok {
		parts = slices.Collect(tuple.Variables())
	} else if s, ok := v.Type().Underlying().(*types.Struct); ok && isStructure(v.Type()) && s.NumFields() > 0 && depth < mostInside {
		parts = slices.Collect(s.Fields())
	} else {
		return append(list, v)
	}
	for _, x := range parts {
		if len(list) > mostParts {
			break
		}
		name := ""
		if x.IsField() {
			name = v.Name() + "." + x.Name()
		}
		list = appendWords(list, types.NewField(x.Pos(), nil, name, x.Type(), false), depth+1)
	}
	return list
}

// partCount is how many words a value has.
func partCount(t types.Type) int {
	if t == nil {
		return 0
	}
	return len(partsIn(t))
}

// wordsOf are the variables that a variable consists of: itself, if it is a word.
func (c *compiler) wordsOf(v *types.Var) []*types.Var {
	if c.words[v] == nil {
		c.words[v] = []*types.Var{v}
		if parts := partsIn(v.Type()); len(parts) > 1 || parts[0].Name() != "" {
			c.words[v] = lists.Of(parts, func(w *types.Var) *types.Var {
				w = types.NewVar(v.Pos(), v.Pkg(), v.Name()+w.Name(), w.Type())
				if v.Parent() != nil {
					v.Parent().Insert(w) // no name of Go has a point
				}
				return w
			})
		}
	}
	return c.words[v]
}

// namedWords are the words that an expression names, a variable or a field of one, or nil.
func (c *compiler) namedWords(e ast.Expr) []*types.Var {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := c.info.ObjectOf(x).(*types.Var); ok && !v.IsField() {
			return c.wordsOf(v)
		}
	case *ast.SelectorExpr:
		if s := c.info.Selections[x]; s != nil && s.Kind() == types.FieldVal {
			return partOf(c.namedWords(x.X), s.Recv(), s.Index())
		}
	}
	return nil
}

// partOf are the words of a field, which the numbers of fields lead to.
func partOf[T any](words []T, t types.Type, path []int) []T {
	for _, n := range path {
		s, ok := t.Underlying().(*types.Struct)
		for i := 0; i < n && ok && len(words) > 0; i++ {
			words = words[min(len(words), partCount(s.Field(i).Type())):]
		}
		if !ok {
			return nil
		}
		t = s.Field(n).Type()
	}
	return words[:min(len(words), partCount(t))]
}

// goodValue refuses values with words that the machine does not have.
func (c *compiler) goodValue(n ast.Node, t types.Type) bool {
	words := partsIn(t)
	if len(words) > mostParts {
		c.errorf(n, "this has more than %d words: a structure, and what a function returns, has to fit an operand segment with all else that lives there. Pass parts of it", mostParts)
		return false
	}
	for _, w := range words {
		if w.Name() != "" { // the field is wrong, wherever it is used
			n = &ast.Ident{NamePos: w.Pos(), Name: w.Name()[strings.LastIndex(w.Name(), ".")+1:]}
		}
		if strings.HasSuffix(w.Name(), "._") {
			c.errorf(n, "a field without a name has no translation: leave it out, or give it a name")
			return false
		}
		if !c.goodType(n, w.Type()) {
			return false
		}
	}
	return true
}

// answerRegs are registers for what a function returns.
func (l *lowerer) answerRegs(f *function) []reg {
	var list []reg
	for range f.answerWords() {
		list = append(list, l.fresh(f.decl.Name.Name))
	}
	return list
}

// resultRegs are registers for the result of a call, or for an item.
func (l *lowerer) resultRegs(x ast.Expr) []reg {
	list := []reg{l.u.newReg()}
	for range partCount(l.typeOf(x)) - 1 {
		list = append(list, l.u.newReg())
	}
	return list
}

// values are the words of an expression.
func (l *lowerer) values(e ast.Expr) []operand {
	e = ast.Unparen(e)
	t := l.typeOf(e)
	if partCount(t) == 1 && !isStructure(t) {
		return []operand{l.expression(e)}
	}
	defer l.c.meter.deeper()()
	if o, ok := l.done[e]; ok {
		return o
	}
	switch x := e.(type) {
	case *ast.CallExpr:
		return l.callExpr(x)
	case *ast.Ident:
		if words := l.held(x); words != nil {
			return words
		}
		return slices.Repeat([]operand{l.variable(x)}, partCount(t))
	case *ast.SelectorExpr:
		return l.field(x)
	case *ast.CompositeLit:
		if s, ok := t.Underlying().(*types.Struct); ok {
			return l.structure(x, s)
		}
	}
	return l.failed(e, "this kind of expression has no translation: use arithmetic, calls, variables and tables")
}

// held are the words of a variable of the unit or of a field of one, or nil.
func (l *lowerer) held(e ast.Expr) []operand {
	words := l.c.namedWords(e)
	if len(words) == 0 {
		return nil
	}
	if _, ok := l.vars[words[0]]; !ok {
		return nil
	}
	return l.valuesOf(words)
}

// field are the words of a field of a structure.
func (l *lowerer) field(x *ast.SelectorExpr) []operand {
	if words := l.held(x); words != nil {
		return words
	}
	s := l.c.info.Selections[x]
	if s == nil || s.Kind() != types.FieldVal {
		return l.failed(x, "this has no translation: a value is a parameter, a variable of the function, a field of one or a constant")
	}
	if words := partOf(l.values(x.X), s.Recv(), s.Index()); len(words) > 0 {
		return words
	}
	return l.failed(x, "pointers have no translation: an instance cannot reach into the memory of another PE. Pass values")
}

// structure are the words of a structure that is written down.
func (l *lowerer) structure(x *ast.CompositeLit, s *types.Struct) []operand {
	values := slices.Repeat([]operand{constOf(0)}, partCount(l.typeOf(x)))
	if !l.c.goodValue(x, l.typeOf(x)) {
		return values
	}
	for i, e := range x.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			key := l.c.info.Uses[kv.Key.(*ast.Ident)]
			i = slices.IndexFunc(slices.Collect(s.Fields()), func(f *types.Var) bool { return f == key })
			e = kv.Value
		}
		copy(partOf(values, s, []int{i}), l.values(e))
	}
	return values
}

// compareWords goes to one of two blocks: whether all words of two values are equal.
func (l *lowerer) compareWords(op token.Token, a, b []operand, t types.Type, yes, no *block) {
	if op == token.NEQ {
		yes, no = no, yes
	}
	for i, w := range partsIn(t) {
		next := yes
		if i < len(a)-1 {
			next = l.block()
		}
		l.compare(token.EQL, a[i], b[i], w.Type(), next, no)
		l.continueAt(next)
	}
	l.cur = nil
}

// listed are the words of several expressions.
func (l *lowerer) listed(list []ast.Expr) (values []operand) {
	for _, e := range list {
		values = append(values, l.values(e)...)
	}
	return values
}

// failed reports an error about an expression, and makes words for it.
func (l *lowerer) failed(e ast.Expr, format string, args ...any) (values []operand) {
	for range max(1, partCount(l.typeOf(e))) {
		values = append(values, l.errorf(e, format, args...))
	}
	return values
}

// nameResults makes the variables of results that have names, where the body needs them.
func (l *lowerer) nameResults(sig *types.Signature, body *ast.BlockStmt) {
	l.named = nil // words
	for v := range sig.Results().Variables() {
		if v.Name() == "" || !within(l.c.places.bare, body) && !within(l.c.places.names[v], body) {
			continue
		}
		for _, w := range l.c.wordsOf(v) {
			l.vars[w] = l.fresh(w.Name())
			l.moveInto(l.vars[w], constOf(0))
			l.named = append(l.named, w)
		}
	}
}
