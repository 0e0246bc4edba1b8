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
	if d.Tok == token.TYPE {
		for _, s := range d.Specs {
			if t := s.(*ast.TypeSpec); kindOf(c.info.Defs[t.Name].Type()) == types.Invalid {
				c.errorf(t.Type, "a type of the program is one of int32, uint32, float32 and bool under another name: structures and others have no translation")
			}
		}
	}
	if d.Tok != token.VAR {
		return
	}
	for _, s := range d.Specs {
		v := s.(*ast.ValueSpec)
		for i, name := range v.Names {
			obj := c.info.Defs[name].(*types.Var)
			arr, isArray := obj.Type().Underlying().(*types.Array)
			switch {
			case c.surveySpread(name, obj, i < len(v.Values)):
				continue
			case !isArray:
				c.errorf(name, "a variable of the package has no translation: every PE has memory of its own. Arrays that only func init changes are tables on every PE; pass other values as parameters")
				continue
			case !c.goodType(name, arr.Elem()):
				continue
			case arr.Len() > 1<<16:
				c.errorf(name, "a table has 65536 words at most, because every PE has a copy")
				continue
			}
			if c.tableTotal += arr.Len(); c.tableTotal > asm.MemoryWords {
				c.refuse(name, "tables need %s words, a PE has %s: every PE has a copy of each", plural.Commas(uint64(c.tableTotal)), plural.Commas(asm.MemoryWords))
			}
			t := &table{label: c.label(name.Name), size: arr.Len(), line: c.lineOf(name)}
			if i < len(v.Values) {
				t.words = c.tableWords(v.Values[i], arr)
			}
			c.tables = append(c.tables, t)
			c.labels[obj] = t.label
		}
	}
}

// tableWords reads a table's literal.
func (c *compiler) tableWords(x ast.Expr, arr *types.Array) []int64 {
	lit, ok := ast.Unparen(x).(*ast.CompositeLit)
	if !ok {
		c.errorf(x, "a table begins with a literal or with zeros: fill it in func init")
		return nil
	}
	words := make([]int64, arr.Len())
	next := int64(0)
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			next, _ = constant.Int64Val(c.info.Types[kv.Key].Value)
			e = kv.Value
		}
		v := c.info.Types[e].Value
		if v == nil {
			c.errorf(e, "a table's literal has constants only: fill the table in func init")
			return nil
		}
		words[next] = wordOf(v, arr.Elem())
		next++
	}
	return words
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
