package compile

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"

	"emsim/asm"
	"emsim/internal/base/plural"
)

// surveyVars collects the tables and the arrays of package df.
func (c *compiler) surveyVars(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	for _, s := range d.Specs {
		v := s.(*ast.ValueSpec)
		for i, name := range v.Names {
			obj := c.info.Defs[name].(*types.Var)
			size := c.wordsIn(obj.Type())
			switch {
			case c.surveySpread(name, obj, i < len(v.Values)):
				continue
			case !c.goodValue(name, obj.Type()):
				continue
			case size > 1<<16:
				c.reject(name, largeTable, "this table has", plural.Commas(1<<16))
				continue
			}
			if c.tableTotal += size; c.tableTotal > asm.MemoryWords {
				c.reject(name, largeTable, "all tables up to here have", plural.Commas(asm.MemoryWords))
				panic(ended{})
			}
			t := &table{label: c.label(c.prefix + name.Name), size: size, line: c.lineOf(name)}
			switch {
			case len(v.Values) == 0:
			case len(v.Values) == len(v.Names) && c.isConstant(v.Values[i]):
				t.words = make([]int64, size)
				c.tableWords(t.words, v.Values[i], obj.Type())
			case c.policy != nil:
				c.errorf(v.Values[0], "a table of a policy begins with a literal of constants or with zeros: fill it in func setup")
			default:
				c.computed[obj] = true
			}
			c.tables = append(c.tables, t)
			c.labels[obj] = t.label
		}
	}
}

// isConstant reports whether a value, or everything in a literal, is constant.
func (c *compiler) isConstant(x ast.Expr) bool {
	if kv, ok := x.(*ast.KeyValueExpr); ok {
		x = kv.Value
	}
	lit, ok := ast.Unparen(x).(*ast.CompositeLit)
	if !ok {
		return c.info.Types[x].Value != nil
	}
	return !slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool { return !c.isConstant(e) })
}

// tableWords reads the constant literal of a table, or of an element, into words.
func (c *compiler) tableWords(words []int64, x ast.Expr, t types.Type) {
	if lit, ok := ast.Unparen(x).(*ast.CompositeLit); ok {
		c.eachElement(lit, c.wordsIn, func(from int64, of types.Type, e ast.Expr) { c.tableWords(words[from:], e, of) })
	} else {
		words[0] = wordOf(c.info.Types[x].Value, t)
	}
}

// wordOf returns the word of a constant, as a signed number.
func wordOf(v constant.Value, t types.Type) int64 {
	switch kindOf(t) {
	case types.Bool, types.UntypedBool:
		if constant.BoolVal(v) {
			return 1
		}
		return 0
	case types.Float32:
		f, _ := constant.Float32Val(v)
		return int64(int32(math.Float32bits(f)))
	}
	n, _ := constant.Int64Val(constant.ToInt(v))
	return int64(int32(uint32(n)))
}
