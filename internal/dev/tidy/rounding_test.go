package tidy

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Go may fuse x*y + z into one operation without rounding the product, "possibly across statements"; on some processors
// it does. Only a conversion of the product prevents that. So every product of floating-point numbers must be
// converted, unless it cannot become part of a sum.

// programs is the folder of the EM-4's programs; the machine rounds every product.
const programs = "programs/go"

// inexact lists the packages that may use all of package math, with the reason.
var inexact = map[string]string{
	"internal/draw/figures": "pictures have five digits; a test of the command compares them",
}

// portable lists the functions and constants of package math that are equal everywhere, to the last bit, on any
// processor.
var portable = []string{
	"Abs", "Ceil", "Copysign", "FMA", "Float32bits", "Float32frombits", "Float64bits", "Float64frombits", "Floor",
	"Frexp", "Inf", "IsInf",
	"IsNaN", "Ldexp", "Max", "Min", "Mod", "Modf", "NaN", "Nextafter", "Round", "RoundToEven", "Signbit", "Sqrt",
	"Trunc",
}

// rounds lists the portable functions whose result is rounded, not the argument itself.
var rounds = []string{"Ceil", "Floor", "Round", "RoundToEven", "Sqrt", "Trunc"}

// gonum lists the packages that may use gonum, with the reason.
var gonum = map[string]string{
	"internal/study/spread": "its quantile is rounded to nine digits, and seven digits of a probability are printed",
}

func checkRounding(r *repo) []finding {
	var out []finding
	for _, p := range r.types(func(dir string) bool { return !within(dir, "tools") && !within(dir, programs) }) {
		for _, s := range p.files {
			for _, spec := range s.code.Imports {
				if name, _ := strconv.Unquote(spec.Path.Value); strings.HasPrefix(name, "gonum.org/v1/gonum/") &&
					gonum[p.dir] == "" {
					out = append(out, r.find(spec.Pos(),
						"%s gives other last digits on other processors; use internal/base/portable (exceptions: "+
							"gonum in internal/dev/tidy/rounding_test.go)", name))
				}
			}
			var path []ast.Node
			ast.Inspect(s.code, func(n ast.Node) bool {
				if n == nil {
					path = path[:len(path)-1]
					return true
				}
				path = append(path, n)
				if product(p.info, n) && !rounded(p.info, path) {
					out = append(out, r.find(n.Pos(),
						"a product that a sum may take up without rounding, which differs from processor to "+
							"processor; write float64(x * y)"))
				}
				if name := mathFunc(p.info, n); name != "" && !slices.Contains(portable, name) && inexact[p.dir] == "" {
					out = append(out, r.find(n.Pos(),
						"math.%s has other last digits on other processors; use internal/base/portable", name))
				}
				return true
			})
		}
	}
	return out
}

// product reports whether a node is a product of floating-point numbers that may be inexact; products with powers of
// two are exact. An unknown type counts as floating-point.
func product(info *types.Info, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return n.Op == token.MUL && real(info, n) && !powerOfTwo(info, n.X) && !powerOfTwo(info, n.Y)
	case *ast.AssignStmt:
		return n.Tok == token.MUL_ASSIGN && real(info, n.Lhs[0]) && !powerOfTwo(info, n.Rhs[0])
	}
	return false
}

// real reports whether an expression may be a floating-point number and is not a constant.
func real(info *types.Info, x ast.Expr) bool {
	if info.Types[x].Value != nil {
		return false
	}
	t := info.TypeOf(x)
	if t == nil {
		return true
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return true
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Invalid || b.Info()&(types.IsFloat|types.IsComplex) != 0)
}

func powerOfTwo(info *types.Info, x ast.Expr) bool {
	v := info.Types[x].Value
	if v == nil {
		return false
	}
	f, _ := constant.Float64Val(v)
	part, _ := math.Frexp(math.Abs(f))
	return part == 0.5
}

// rounded reports whether the surroundings of the last node in a path round it or cannot use it in a sum. These are a
// conversion, a comparison, another product, a quotient, and an argument passed as an interface.
func rounded(info *types.Info, path []ast.Node) bool {
	for i := len(path) - 2; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.ParenExpr, *ast.UnaryExpr:
			continue
		case *ast.BinaryExpr:
			return n.Op != token.ADD && n.Op != token.SUB
		case *ast.AssignStmt:
			return n.Tok == token.MUL_ASSIGN || n.Tok == token.QUO_ASSIGN
		case *ast.CallExpr:
			if info.Types[n.Fun].IsType() || slices.Contains(rounds, mathFunc(info, n.Fun)) {
				return true
			}
			f, ok := info.TypeOf(n.Fun).(*types.Signature)
			return ok && passed(f, slices.IndexFunc(n.Args, func(x ast.Expr) bool { return x == path[i+1] }))
		default:
			return false
		}
	}
	return false
}

// passed reports whether a function takes argument i as an interface.
func passed(f *types.Signature, i int) bool {
	last := f.Params().Len() - 1
	if i < 0 || last < 0 {
		return false
	}
	t := f.Params().At(min(i, last)).Type()
	if s, ok := t.(*types.Slice); ok && f.Variadic() && i >= last {
		t = s.Elem()
	}
	_, ok := t.Underlying().(*types.Interface)
	return ok
}

// mathFunc returns the name of the function of package math in a selector, or "".
func mathFunc(info *types.Info, n ast.Node) string {
	s, ok := n.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if f, ok := info.Uses[s.Sel].(*types.Func); ok && f.Pkg() != nil && f.Pkg().Path() == "math" {
		return f.Name()
	}
	return ""
}

func TestRoundingCanFail(t *testing.T) {
	expect(t, checkRounding, `
-- verify/v.go --
package verify
import (
	"fmt"
	"math"
)
type length float64
func f(x, y, z float64, n int, l length) (float64, int64) {
	x = float64(x*y) + z
	x = x*y/z + 2*x - (x*y*z)/y
	x += math.Sqrt(x*y) + math.Abs(float64(x*y))
	fmt.Println(x*y, n*n+n, x*y < z, -x*y > z)
	const c = 1.1*1.1
	x *= 0.25
	x += length.x(length(l*l))
	return x / y, int64(x*y)
}
func (l length) x() float64 { return float64(l) }
-- internal/draw/figures/f.go --
package figures
import "math"
func f(x, y float64) float64 { return float64(math.Sin(x)*y) }
`)
	expect(t, checkRounding, `
-- verify/v.go --
package verify
import "math"
type length float64
func f(x, y, z float64, l length) float64 {
	x = x*y + z
	x += y*z
	x *= y
	p := x*y
	g(x*y)
	p = max(x*y, z) - math.Abs(-(x*y))
	p = math.Exp(p)
	l = 3*l
	return p*2.5
}
func g(float64) {}
func h[T int|float64](x T) T { return x*x }
-- balance/b.go --
package balance
import "gonum.org/v1/gonum/floats"
var x = floats.Sum(nil) * 3
`,
		"balance/b.go:2: gonum.org/v1/gonum/floats gives other last digits",
		"balance/b.go:3: a product",
		"verify/v.go:5: a product that a sum may take up", "verify/v.go:6: a product", "verify/v.go:7: a product",
		"verify/v.go:8: a product",
		"verify/v.go:9: a product", "verify/v.go:10: a product", "verify/v.go:10: a product",
		"verify/v.go:11: math.Exp has other last digits",
		"verify/v.go:12: a product", "verify/v.go:13: a product", "verify/v.go:16: a product",
	)
}
