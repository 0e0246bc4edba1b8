package compile_test

import (
	"go/ast"
	"maps"
)

// method is a call of package df, or of a method of one of its arrays.
func (o *oracle) method(f *frame, e *ast.CallExpr, sel *ast.SelectorExpr) uint32 {
	var args []uint32
	for _, a := range e.Args {
		if _, ok := a.(*ast.FuncLit); !ok {
			args = append(args, o.expr(f, a))
		}
	}
	name := sel.X.(*ast.Ident).Name
	switch sel.Sel.Name {
	case "Sum":
		sum := uint32(0)
		for i := int32(args[0]); i < int32(args[1]); i++ {
			sum += o.literal(f, e.Args[2].(*ast.FuncLit), uint32(i))
		}
		return sum
	case "Fill":
		var words [][]uint32
		for i := range args[0] {
			words = append(words, make([]uint32, args[1]))
			for k := range args[1] {
				words[i][k] = o.literal(f, e.Args[2].(*ast.FuncLit), i, k)
			}
		}
		o.spreads[name] = words
		return 0
	}
	words := o.spreads[name]
	if args[0] >= uint32(len(words)) || args[1] >= uint32(len(words[args[0]])) {
		panic(panicked("index"))
	}
	if sel.Sel.Name == "Set" {
		words[args[0]][args[1]] = args[2]
		return 0
	}
	return words[args[0]][args[1]]
}

// literal calls a function literal, which sees the variables around it.
func (o *oracle) literal(f *frame, lit *ast.FuncLit, args ...uint32) uint32 {
	inner := newFrame()
	maps.Copy(inner.vars, f.vars)
	i := 0
	for _, p := range lit.Type.Params.List {
		for _, n := range p.Names {
			inner.vars[o.info.Defs[n]] = args[i]
			i++
		}
	}
	o.block(inner, lit.Body.List)
	return inner.result
}
