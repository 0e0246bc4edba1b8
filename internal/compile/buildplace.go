package compile

import (
	"fmt"
	"go/ast"
	"go/types"

	"emsim/internal/compile/ir"
)

// A portion is a part of a variable, a field or an element: a variable's slot, or words in memory.
type portion struct {
	slot  int
	mem   *ir.Memory
	index *ir.Value // nil: 0
	plus  int64
	of    types.Type
}

// parts returns the parts of a value that lies in memory.
func (b *builder) parts(m *ir.Memory, index *ir.Value, plus int64, t types.Type) (list []portion) {
	for _, p := range partsIn(t) {
		list = append(list, portion{mem: m, index: index, plus: plus, of: p.Type()})
		plus += b.c.wordsIn(p.Type())
	}
	return list
}

// declare makes a new variable. If values is nil, it begins with zeros.
func (b *builder) declare(v *types.Var, values []*ir.Value) (list []portion) {
	for _, w := range b.c.wordsOf(v) {
		n := int(b.c.wordsIn(w.Type()))
		if values == nil {
			values = zeros(b.c.wordTypes(v.Type()))
		}
		p := portion{of: w.Type()}
		if arrayType(w.Type()) != nil {
			if b.mems[w] == nil {
				b.mems[w] = &ir.Memory{} // for an array that is refused
				b.mems[w] = b.newArray(&ast.Ident{NamePos: v.Pos(), Name: v.Name()}, w.Name(), w.Type())
				b.x.holders[b.mems[w]] = w
			}
			p.mem = b.mems[w]
		} else {
			p.slot = b.newSlot(w, nil)
			b.slots[w] = p.slot
		}
		b.store([]portion{p}, values[:n])
		values = values[n:]
		list = append(list, p)
	}
	return list
}

// newArray makes room for an array of an instance.
func (b *builder) newArray(at ast.Node, name string, t types.Type) *ir.Memory {
	b.refuseLarge(at, t)
	m := &ir.Memory{Name: fmt.Sprint(name, len(b.f.Arrays)), Words: b.c.wordsIn(t)}
	b.f.Arrays = append(b.f.Arrays, m)
	return m
}

// newSlot makes a slot with a value. owner is its variable, or nil.
func (b *builder) newSlot(owner types.Object, v *ir.Value) int {
	b.owners = append(b.owners[:len(b.env)], owner)
	b.env = append(b.env, v)
	return len(b.env) - 1
}

func zeros(list []types.Type) (values []*ir.Value) {
	for _, t := range irTypes(list) {
		values = append(values, ir.Const(t, 0))
	}
	return values
}

// place returns the parts of a variable, a field or an element, or false if an expression is not one.
func (b *builder) place(e ast.Expr) ([]portion, bool) {
	c := b.c
	e = ast.Unparen(e)
	if words := c.namedWords(e); len(words) > 0 && !c.isTable(words[0]) {
		var list []portion
		for _, w := range words {
			slot, known := b.slots[w]
			m := b.mems[w]
			if m == nil && !known {
				return nil, false
			}
			list = append(list, portion{slot: slot, mem: m, of: w.Type()})
		}
		return list, true
	}
	switch x := e.(type) {
	case *ast.Ident:
		if m := b.mems[c.info.Uses[x]]; m != nil {
			return b.parts(m, nil, 0, c.info.TypeOf(x)), true
		}
	case *ast.SelectorExpr:
		if s := c.info.Selections[x]; s != nil && s.Kind() == types.FieldVal {
			if list, ok := b.place(x.X); ok {
				return partOf(list, s.Recv(), s.Index()), true
			}
		}
	case *ast.IndexExpr:
		arr := arrayType(c.info.TypeOf(x.X))
		list, ok := b.place(x.X)
		if arr == nil || !ok || len(list) != 1 {
			return nil, false
		}
		return b.element(list[0], b.index(x, arr.Len()), arr.Elem()), true
	}
	return nil, false
}

// index returns the index of an element. It builds the check of the bounds, unless the index is a constant.
func (b *builder) index(x *ast.IndexExpr, n int64) *ir.Value {
	i := b.count(x.Index)
	if !i.Constant {
		b.demandWords(x.Index, b.typeOf(x.Index))
		b.emit(ir.Check, i, ir.Const(ir.Uint32, n)).At = b.c.lineAt(x.Pos())
	}
	return i
}

// element returns the parts of element i of an array.
func (b *builder) element(p portion, i *ir.Value, t types.Type) []portion {
	n := b.c.wordsIn(t)
	if i.Constant {
		return b.parts(p.mem, p.index, p.plus+i.Word*n, t)
	}
	if n != 1 {
		i = b.compute(ir.Mul, i.Type, i, ir.Const(i.Type, n))
	}
	if p.index != nil {
		if i.Type != p.index.Type {
			i = b.compute(ir.Copy, p.index.Type, i)
		}
		i = b.compute(ir.Add, i.Type, p.index, i)
	}
	return b.parts(p.mem, i, p.plus, t)
}

// wordPieces returns the single words of a part in memory, as parts.
func (b *builder) wordPieces(p portion) (list []portion) {
	arr := arrayType(p.of)
	if arr == nil {
		return []portion{p}
	}
	for i := range arr.Len() {
		for _, q := range b.element(p, ir.Const(ir.Int32, i), arr.Elem()) {
			list = append(list, b.wordPieces(q)...)
		}
	}
	return list
}

// wordsOf returns the words of parts.
func (b *builder) wordsOf(list []portion) (values []*ir.Value) {
	for _, p := range list {
		if p.mem == nil {
			values = append(values, b.env[p.slot])
			continue
		}
		for _, q := range b.wordPieces(p) {
			v := b.f.NewValue(irType(q.of), "")
			x := b.emit(ir.Load, q.at())
			x.Memory, x.Offset, x.Results = q.mem, q.plus, []*ir.Value{v}
			values = append(values, v)
		}
	}
	return values
}

// at returns the index of a part.
func (p portion) at() *ir.Value {
	if p.index == nil {
		return ir.Const(ir.Int32, 0)
	}
	return p.index
}

// store assigns words to parts.
func (b *builder) store(list []portion, values []*ir.Value) {
	for _, p := range list {
		if p.mem == nil {
			b.env[p.slot] = b.owned(b.given(values[0], b.nameOf(p.slot)), p.slot)
			values = values[1:]
			continue
		}
		for _, q := range b.wordPieces(p) {
			x := b.emit(ir.Store, q.at(), values[0])
			x.Memory, x.Offset = q.mem, q.plus
			values = values[1:]
		}
	}
}

// given returns a value with the name of a variable. A value without a name gets that name. A constant, or a value with
// another name, is copied.
func (b *builder) given(v *ir.Value, name string) *ir.Value {
	if v.Name == name || name == "" {
		return v
	}
	if v.Name == "" && !v.Constant {
		v.Name = name
		return v
	}
	to := b.compute(ir.Copy, v.Type, v)
	to.Name = name
	return to
}

// isBlank reports whether the target of an assignment is the blank identifier.
func isBlank(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "_"
}
