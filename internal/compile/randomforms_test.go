package compile_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Random programs have every form of the subset: statements, operators, calls.
func TestRandomForms(t *testing.T) {
	found := map[string]bool{}
	for seed := range uint64(1000) {
		src, _ := randomProgram(seed)
		f, err := parser.ParseFile(token.NewFileSet(), "p.go", src, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			if n != nil {
				found[formOf(n)] = true
			}
			return true
		})
	}
	for form := range strings.FieldsSeq(`
		:= = += -= *= /= %= &= |= ^= &^= <<= >>= ++ -- tuple:= tuple= tuple[]= tuple[call]= tuple:=receive tuple=receive tuple[]=receive
		var var=receive if if:= else for for; rangeN range:= range:=, range= switch switch:= switchtag default break continue breakL continueL return
		*ast.GoStmt *ast.DeferStmt *ast.SendStmt *ast.BlockStmt *ast.LabeledStmt *ast.ExprStmt *ast.CompositeLit *ast.KeyValueExpr
		+ - * / % & | ^ &^ << >> == != < <= > >= && || ! unary- unary+ unary^ <-
		int( uint( float( bits( min( max( df.PEs( df.Sum( spread.Get( spread.Set( spread.Fill( make( close( panic( f( short( note( row( pick( change(
		tuple=call tuple:=call var=call return2 returnCall return0 pair( turned( pair(
		lit lit: p.x= *ast.SelectorExpr p.swapped( point.swapped( moved( p.far( s.bent( unit.bent( rest( grown(`) {
		require.Contains(t, found, form)
	}
}

var digit = regexp.MustCompile(`\d+`)

func formOf(n ast.Node) string {
	opt := func(ok bool, text string) string { return map[bool]string{true: text}[ok] }
	switch n := n.(type) {
	case *ast.AssignStmt:
		if len(n.Lhs) == 1 {
			if s, ok := n.Lhs[0].(*ast.SelectorExpr); ok && s.Sel.Name == "x" {
				return "p.x" + n.Tok.String()
			}
			return n.Tok.String()
		}
		form := "tuple"
		for _, x := range n.Lhs {
			if e, ok := x.(*ast.IndexExpr); ok && form == "tuple" {
				form += "[" + opt(strings.Contains(types.ExprString(e.Index), "(n - "), "call") + "]"
			}
		}
		return form + n.Tok.String() + opt(len(n.Rhs) == 1, giver(n.Rhs[0]))
	case *ast.IncDecStmt:
		return n.Tok.String()
	case *ast.ValueSpec:
		if len(n.Names) == 2 && len(n.Values) == 1 {
			return "var=" + giver(n.Values[0])
		}
		return "var"
	case *ast.IfStmt:
		return opt(n.Else == nil, "if") + opt(n.Else != nil, "else") + opt(n.Init != nil && n.Else == nil, ":=")
	case *ast.ForStmt:
		return "for" + opt(n.Init != nil, ";")
	case *ast.RangeStmt:
		return "range" + opt(n.Key == nil, "N") + opt(n.Key != nil, n.Tok.String()) + opt(n.Value != nil, ",")
	case *ast.SwitchStmt:
		return "switch" + opt(n.Init != nil, ":=") + opt(n.Tag != nil, "tag")
	case *ast.CaseClause:
		return opt(n.List == nil, "default")
	case *ast.BranchStmt:
		return n.Tok.String() + opt(n.Label != nil, "L")
	case *ast.ReturnStmt:
		if len(n.Results) == 1 {
			_, isPair := n.Results[0].(*ast.CallExpr)
			return "return" + opt(isPair && strings.HasPrefix(types.ExprString(n.Results[0]), "pair("), "Call")
		}
		return fmt.Sprint("return", len(n.Results))
	case *ast.CompositeLit:
		if id, ok := n.Type.(*ast.Ident); ok && id.Name == "point" {
			_, named := n.Elts[0].(*ast.KeyValueExpr)
			return "lit" + opt(named, ":")
		}
	case *ast.BinaryExpr:
		return n.Op.String()
	case *ast.UnaryExpr:
		return opt(n.Op != token.NOT && n.Op != token.ARROW, "unary") + n.Op.String()
	case *ast.CallExpr:
		return digit.ReplaceAllString(types.ExprString(n.Fun), "") + "("
	}
	return fmt.Sprintf("%T", n)
}

// giver names the kind of expression that gives two values.
func giver(e ast.Expr) string {
	if _, receives := e.(*ast.UnaryExpr); receives {
		return "receive"
	}
	return "call"
}
