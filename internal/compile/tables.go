package compile

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"emsim/asm"
	"emsim/internal/base/plural"
)

// surveyVars collects the tables.
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
			case arrayType(obj.Type()) == nil:
				c.errorf(name, "a variable of the package has no translation: every PE has memory of its own. Arrays that only func init changes are tables on every PE; pass other values as parameters")
				continue
			case !c.goodWords(name, obj.Type()):
				continue
			case size > 1<<16:
				c.errorf(name, "a table has 65536 words at most, because every PE has a copy")
				continue
			}
			if c.tableTotal += size; c.tableTotal > asm.MemoryWords {
				c.refuse(name, "tables need %s words, a PE has %s: every PE has a copy of each", plural.Commas(uint64(c.tableTotal)), plural.Commas(asm.MemoryWords))
			}
			t := &table{label: c.label(name.Name), size: size, line: c.lineOf(name)}
			if i < len(v.Values) {
				t.words = make([]int64, size)
				c.tableWords(t.words, v.Values[i], obj.Type())
			}
			c.tables = append(c.tables, t)
			c.labels[obj] = t.label
		}
	}
}

// tableWords reads the literal of a table, or of an element.
func (c *compiler) tableWords(words []int64, x ast.Expr, t types.Type) {
	arr, v := arrayType(t), c.info.Types[x].Value
	lit, isLit := ast.Unparen(x).(*ast.CompositeLit)
	switch {
	case arr == nil && v == nil:
		c.errorf(x, "a table's literal has constants only: fill the table in func init")
	case arr == nil:
		words[0] = wordOf(v, t)
	case !isLit:
		c.errorf(x, "a table begins with a literal or with zeros: fill it in func init")
	default:
		n := c.wordsIn(arr.Elem())
		c.eachElement(lit, func(i int64, e ast.Expr) { c.tableWords(words[i*n:], e, arr.Elem()) })
	}
}

// wordOf is the word of a constant, as a signed number.
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
