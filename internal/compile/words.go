package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"emsim/internal/base/lists"
)

// A value consists of words: one, or several for a structure, an array or the results of a function. Its parts
// are words and arrays: a variable of a structure type becomes one variable for each part. Words live in
// registers; arrays, and structures in them, lie in memory.

// mostLocal bounds the words of a value outside tables, because a segment has 64 words. mostInside bounds how deeply
// structures are nested [chosen].
const (
	mostLocal  = 32
	mostInside = 8
)

// isStructure reports whether a type is a structure, other than one of package df.
func isStructure(t types.Type) bool {
	_, isStruct := t.Underlying().(*types.Struct)
	return isStruct && !ofDf(t)
}

// ofDf reports whether a type is declared in package df.
func ofDf(t types.Type) bool {
	n, ok := t.(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == dfPath
}

// arrayType returns a type as an array type, or nil.
func arrayType(t types.Type) *types.Array {
	if t == nil {
		return nil
	}
	a, _ := t.Underlying().(*types.Array)
	return a
}

// partsIn returns the parts of a value as fields. If there are more than mostLocal parts, it returns the first
// mostLocal+1.
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
		if len(list) > mostLocal {
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

// partCount returns how many parts a value has.
func partCount(t types.Type) int64 {
	if t == nil {
		return 0
	}
	return int64(len(partsIn(t)))
}

// wordsIn returns how many words a value has. If it has more than mostLocal parts, or more than mostWords words, the
// result may be wrong, but is greater than mostLocal.
func (c *compiler) wordsIn(t types.Type) (n int64) {
	a := arrayType(t)
	if known, ok := c.extents[t]; ok {
		return known
	}
	if a != nil {
		c.extents[t] = min(a.Len(), mostWords) * min(c.wordsIn(a.Elem()), mostWords)
		return c.extents[t]
	}
	parts := partsIn(t)
	for _, p := range parts {
		if p.Type() == t {
			return 1
		}
		n += c.wordsIn(p.Type())
	}
	if len(parts) > mostLocal { // arrays without words are parts, too
		n = max(n, mostLocal+1)
	}
	return n
}

// wordTypes returns the types of all words of a value.
func (c *compiler) wordTypes(t types.Type) (list []types.Type) {
	if a := arrayType(t); a != nil {
		return slices.Repeat(c.wordTypes(a.Elem()), int(a.Len()))
	}
	for _, p := range partsIn(t) {
		if p.Type() == t {
			return []types.Type{t}
		}
		list = append(list, c.wordTypes(p.Type())...)
	}
	return list
}

// wordsOf returns the variables of which a variable consists. A word, an array or a table consists of itself.
func (c *compiler) wordsOf(v *types.Var) []*types.Var {
	if c.words[v] == nil {
		c.words[v] = []*types.Var{v}
		if parts := partsIn(v.Type()); !c.isTable(v) && (len(parts) > 1 || parts[0].Name() != "") {
			c.words[v] = lists.Of(parts, func(w *types.Var) *types.Var {
				w = types.NewVar(v.Pos(), v.Pkg(), v.Name()+w.Name(), w.Type())
				if v.Parent() != nil {
					v.Parent().Insert(w) // no Go name contains a period
				}
				return w
			})
		}
	}
	return c.words[v]
}

// isTable reports whether a variable is declared at package level.
func (c *compiler) isTable(v *types.Var) bool { return v.Parent() == c.pkg.Scope() }

// namedWords returns the parts that an expression names, a variable or a field of one, or nil.
func (c *compiler) namedWords(e ast.Expr) []*types.Var {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := c.info.ObjectOf(x).(*types.Var); ok && !v.IsField() {
			return c.wordsOf(v)
		}
	case *ast.SelectorExpr:
		if s := c.info.Selections[x]; s != nil && s.Kind() == types.FieldVal {
			if words := c.namedWords(x.X); len(words) > 0 && !c.isTable(words[0]) {
				return partOf(words, s.Recv(), s.Index())
			}
		}
	}
	return nil
}

// fieldAt returns the first word and the type of the field to which a path of field numbers leads. The type is nil if
// the path leads through a pointer.
func fieldAt(t types.Type, path []int, size func(t types.Type) int64) (from int64, of types.Type) {
	for _, n := range path {
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return 0, nil
		}
		for i := range n {
			from += size(s.Field(i).Type())
		}
		t = s.Field(n).Type()
	}
	return from, t
}

// partOf returns the parts of the field to which a path leads.
func partOf[T any](parts []T, t types.Type, path []int) []T {
	from, t := fieldAt(t, path, partCount)
	parts = parts[min(int(from), len(parts)):]
	return parts[:min(int(partCount(t)), len(parts))]
}

// goodValue reports whether the machine can hold a value of a type, and rejects other types with an error.
func (c *compiler) goodValue(n ast.Node, t types.Type) bool {
	if a := arrayType(t); a != nil {
		return c.goodValue(n, a.Elem())
	}
	if c.wordsIn(t) > mostLocal {
		c.rejectAbout(n, types.TypeString(t, nil), largeValue, mostLocal, segmentWords)
		return false
	}
	for _, w := range partsIn(t) {
		if w.Name() != "" { // report the field, not its uses
			n = &ast.Ident{NamePos: w.Pos(), Name: w.Name()[strings.LastIndex(w.Name(), ".")+1:]}
		}
		if strings.HasSuffix(w.Name(), "._") {
			c.reject(n, blankFields)
			return false
		}
		if arrayType(w.Type()) != nil && !c.goodValue(n, w.Type()) || arrayType(w.Type()) == nil && !c.goodType(n, w.Type()) {
			return false
		}
	}
	return true
}

// answerRegs returns new registers for the results of a function.
func (l *lowerer) answerRegs(f *function) []reg {
	var list []reg
	for range f.answerWords() {
		list = append(list, l.fresh(f.decl.Name.Name))
	}
	return list
}
