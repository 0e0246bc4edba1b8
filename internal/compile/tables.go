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
			case !c.goodValue(name, obj.Type()):
				continue
			case size > 1<<16:
				c.errorf(name, "a table has 65536 words at most, because every PE has a copy")
				continue
			}
			if c.tableTotal += size; c.tableTotal > asm.MemoryWords {
				c.refuse(name, "tables need %s words, a PE has %s: every PE has a copy of each", plural.Commas(uint64(c.tableTotal)), plural.Commas(asm.MemoryWords))
			}
			t := &table{label: c.label(c.prefix + name.Name), size: size, line: c.lineOf(name)}
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
	v := c.info.Types[x].Value
	lit, isLit := ast.Unparen(x).(*ast.CompositeLit)
	switch {
	case isLit:
		c.eachElement(lit, c.wordsIn, func(from int64, of types.Type, e ast.Expr) { c.tableWords(words[from:], e, of) })
	case v == nil:
		c.errorf(x, "a table begins with a literal of constants or with zeros: fill it in func init")
	default:
		words[0] = wordOf(v, t)
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
