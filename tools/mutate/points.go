package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A point is one change of one place in a source file.
type point struct {
	File       string // base name of the file
	Func       string // enclosing function or declaration
	Kind       string // kind of change, such as "compare" or "drop"
	Nth        int    // index among points of equal kind, text and function, from 0
	Old, New   string // the replaced text, on one line and cut to a readable length, and its replacement
	Line       int
	start, end int    // replaced bytes
	with       string // their replacement
}

// identity returns a name of the point that does not depend on the code around it.
func (p *point) identity() string {
	return fmt.Sprintf("%s %s %s#%d %s => %s", p.File, p.Func, p.Kind, p.Nth, p.Old, p.New)
}

// swaps maps each operator to its replacements.
var swaps = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL},
	token.REM: {token.MUL},
	token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.AND}, token.AND_NOT: {token.AND},
	token.SHL: {token.SHR}, token.SHR: {token.SHL},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN},
	token.MUL_ASSIGN: {token.QUO_ASSIGN}, token.QUO_ASSIGN: {token.MUL_ASSIGN},
	token.AND_ASSIGN: {token.OR_ASSIGN}, token.OR_ASSIGN: {token.AND_ASSIGN}, token.AND_NOT_ASSIGN: {token.OR_ASSIGN},
	token.INC: {token.DEC}, token.DEC: {token.INC},
}

// finder collects the points of one file.
type finder struct {
	fset *token.FileSet
	src  []byte
	file string
	in   string
	seen map[string]int
	out  []point
}

// pointsOf returns the points of a source file in the order of the text.
func pointsOf(name string, src []byte) ([]point, error) {
	f := &finder{fset: token.NewFileSet(), src: src, file: filepath.Base(name), seen: map[string]int{}}
	tree, err := parser.ParseFile(f.fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			f.in = funcName(d)
			if d.Body != nil {
				ast.Inspect(d.Body, f.visit)
			}
		case *ast.GenDecl:
			if d.Tok == token.VAR || d.Tok == token.CONST {
				f.in = "declarations"
				ast.Inspect(d, f.visit)
			}
		}
	}
	return f.out, nil
}

func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*"), "[")
	return name + "." + d.Name.Name
}

// visit adds the points of one node, and reports whether to visit its children.
func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		if onlyPanics(n.Body) {
			return false // the condition of an assertion never holds, so no test can make it hold
		}
		f.replaceNode("negate", n.Cond, "!("+f.sourceText(n.Cond)+")")
	case *ast.CallExpr:
		if name := called(n); name == "panic" || name == "make" {
			return false // assertions, and sizes, many of which only save time
		}
	case *ast.BinaryExpr:
		if n.Op == token.ADD && (isString(n.X) || isString(n.Y)) {
			return true // strings have no subtraction
		}
		for _, op := range swaps[n.Op] {
			f.addAt("operator", n.OpPos, len(n.Op.String()), op.String())
		}
	case *ast.ReturnStmt:
		if k := len(n.Results); k > 1 && isError(n.Results[k-1]) {
			ast.Inspect(n.Results[k-1], f.visit)
			return false // callers do not use values that are returned with an error
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT || n.Op == token.SUB {
			f.addAt("operator", n.OpPos, 1, " ")
		}
	case *ast.AssignStmt:
		for _, op := range swaps[n.Tok] {
			f.addAt("operator", n.TokPos, len(n.Tok.String()), op.String())
		}
		if n.Tok != token.DEFINE {
			f.replaceNode("drop", n, "")
		}
	case *ast.IncDecStmt:
		for _, op := range swaps[n.Tok] {
			f.addAt("operator", n.TokPos, 2, op.String())
		}
		f.replaceNode("drop", n, "")
	case *ast.ExprStmt:
		if called(n.X) == "panic" {
			return false
		}
		f.replaceNode("drop", n, "")
	case *ast.BranchStmt:
		if n.Label == nil && (n.Tok == token.BREAK || n.Tok == token.CONTINUE) {
			f.replaceNode("drop", n, "")
		}
	case *ast.BasicLit:
		f.literal(n)
	case *ast.Ident:
		switch n.Name {
		case "true":
			f.replaceNode("constant", n, "false")
		case "false":
			f.replaceNode("constant", n, "true")
		}
	}
	return true
}

// literal adds a point that increases an integer by one.
func (f *finder) literal(n *ast.BasicLit) {
	if n.Kind != token.INT {
		return
	}
	if v, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
		f.replaceNode("constant", n, strconv.FormatInt(v+1, 10))
	}
}

func onlyPanics(b *ast.BlockStmt) bool {
	if len(b.List) != 1 {
		return false
	}
	e, ok := b.List[0].(*ast.ExprStmt)
	return ok && called(e.X) == "panic"
}

// called returns the name of the function that an expression calls: panic, or .Errorf for one in another package. It
// returns "" if the expression is not a call.
func called(e ast.Expr) string {
	if c, ok := e.(*ast.CallExpr); ok {
		switch f := c.Fun.(type) {
		case *ast.Ident:
			return f.Name
		case *ast.SelectorExpr:
			return "." + f.Sel.Name
		}
	}
	return ""
}

// isError reports whether a result is a non-nil error: err, or a new error. It judges by names.
func isError(e ast.Expr) bool {
	if id, ok := e.(*ast.Ident); ok {
		return id.Name == "err"
	}
	return slices.Contains([]string{"Errorf", "errorf", "usagef", "Usagef"}, strings.TrimPrefix(called(e), "."))
}

func isString(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.STRING
	case *ast.BinaryExpr:
		return e.Op == token.ADD && (isString(e.X) || isString(e.Y))
	}
	return false
}

func (f *finder) offset(p token.Pos) int { return f.fset.Position(p).Offset }

func (f *finder) sourceText(n ast.Node) string {
	return string(f.src[f.offset(n.Pos()):f.offset(n.End())])
}

// replaceNode adds a point that replaces a whole node.
func (f *finder) replaceNode(kind string, n ast.Node, with string) {
	f.point(kind, f.offset(n.Pos()), f.offset(n.End()), with, f.sourceText(n), with)
}

// addAt adds a point that replaces n bytes. Its texts include the line around them.
func (f *finder) addAt(kind string, pos token.Pos, n int, with string) {
	at := f.offset(pos)
	from, to := at, at+n
	for from > 0 && f.src[from-1] != '\n' && at-from < 24 {
		from--
	}
	for to < len(f.src) && f.src[to] != '\n' && to-at < 24 {
		to++
	}
	f.point(kind, at, at+n, with, string(f.src[from:to]), string(f.src[from:at])+with+string(f.src[at+n:to]))
}

func (f *finder) point(kind string, start, end int, with, before, after string) {
	line := 1 + bytes.Count(f.src[:start], []byte{'\n'})
	p := point{
		File: f.file, Func: f.in, Kind: kind, Old: oneLine(before), New: oneLine(after), Line: line,
		start: start, end: end, with: with,
	}
	id := p.identity()
	p.Nth = f.seen[id]
	f.seen[id]++
	f.out = append(f.out, p)
}

// mutate returns the source with the point's change.
func (p *point) mutate(src []byte) []byte {
	return slices.Concat(src[:p.start], []byte(p.with), src[p.end:])
}

// oneLine returns s as one line of at most 60 bytes.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 60 {
		s = strings.ToValidUTF8(s[:57], "") + "..."
	}
	return s
}
