package tidy

import (
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// variables lists the package variables of model packages that are not effectively constants, and why they are
// harmless.
var variables = map[string]string{
	"isa.Table":                       "the instruction table; rows are too large to copy, so their addresses are used",
	"isa.Aliases":                     "its second spellings, likewise",
	"internal/base/wholefile.calls":   "calls to the system under way, of a process, not of a model",
	"internal/base/wholefile.pending": "likewise",
	"internal/base/wholefile.used":    "the temporary files of a process, likewise",
}

// ranges lists the functions of model packages that range over a map, with the reason why the order does not matter.
var ranges = map[string]string{}

// A typed is a model package with its types.
type typed struct {
	dir   string
	files []*source
	pkg   *types.Package
	info  *types.Info
}

// checker type-checks the repository's packages one after the other.
type checker struct {
	r    *repo
	done map[string]*typed // by dir
	std  types.Importer
}

// models type-checks every model package.
func models(r *repo) []*typed { return r.types(isModel) }

// types type-checks every package for which keep is true, in order.
func (r *repo) types(keep func(dir string) bool) []*typed {
	if r.typed == nil {
		r.typed = &checker{r: r, done: map[string]*typed{}, std: importer.ForCompiler(r.fset, "gc", exports(r))}
	}
	dirs := map[string]bool{}
	for _, s := range r.goFiles(func(s *source) bool { return keep(s.dir()) && !s.isTest() && builds(s) }) {
		dirs[s.dir()] = true
	}
	var out []*typed
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		r.typed.check(dir)
		out = append(out, r.typed.done[dir])
	}
	return out
}

// exports returns a function that finds the compiler's type information for packages of the standard library and of
// other modules. importer.Default looks for the go command in a place that a test built with -trimpath does not know.
func exports(r *repo) importer.Lookup {
	imports := map[string]string{}
	for _, s := range r.goFiles(func(s *source) bool { return !s.isTest() && builds(s) && !within(s.dir(), "tools") }) {
		for _, spec := range s.code.Imports {
			p, _ := strconv.Unquote(spec.Path.Value)
			if p != "C" && p != "unsafe" && !within(p, module) {
				imports[p] = ""
			}
		}
	}
	args := append([]string{"list", "-e", "-export", "-f", "{{.ImportPath}} {{.Export}}"},
		slices.Sorted(maps.Keys(imports))...)
	list, err := exec.Command("go", args...).Output()
	for line := range strings.Lines(string(list)) {
		p, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		imports[p] = file
	}
	return func(p string) (io.ReadCloser, error) {
		if err != nil {
			return nil, err
		}
		if imports[p] == "" {
			return nil, fs.ErrNotExist
		}
		return os.Open(imports[p])
	}
}

func (c *checker) check(dir string) {
	if c.done[dir] != nil {
		return
	}
	p := &typed{dir: dir, info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}}
	c.done[dir] = p
	p.files = c.r.goFiles(func(s *source) bool { return s.dir() == dir && !s.isTest() && builds(s) })
	var syntax []*ast.File
	for _, s := range p.files {
		syntax = append(syntax, s.code)
	}
	conf := types.Config{Importer: c, Error: func(error) {}, FakeImportC: true}
	p.pkg, _ = conf.Check(module+"/"+dir, c.r.fset, syntax, p.info)
}

// Import returns packages of the module from the repository, and all others from the installation.
func (c *checker) Import(p string) (*types.Package, error) {
	if dir, own := strings.CutPrefix(p, module+"/"); own {
		c.check(dir)
		return c.done[dir].pkg, nil
	}
	return c.std.Import(p)
}

// checkVariables requires that package variables are errors, embedded files or tables that never change.
func checkVariables(r *repo) []finding {
	all := models(r)
	vars := map[types.Object]bool{}
	for _, p := range all {
		for _, s := range p.files {
			for _, d := range s.code.Decls {
				for _, name := range varNames(d) {
					if obj := p.info.Defs[name]; obj != nil && name.Name != "_" && !isError(obj.Type()) {
						vars[obj] = true
					}
				}
			}
		}
	}
	var out []finding
	report := func(at token.Pos, obj types.Object, what string) {
		name := strings.TrimPrefix(obj.Pkg().Path(), module+"/") + "." + obj.Name()
		if variables[name] == "" {
			out = append(out, r.find(at,
				"%s the package variable %s; keep state in a struct (exceptions: variables in "+
					"internal/dev/tidy/types_test.go)", what, name))
		}
	}
	for obj := range vars {
		if n, ok := types.Unalias(obj.Type()).(*types.Named); ok && n.Obj().Pkg() != nil &&
			strings.HasPrefix(n.Obj().Pkg().Path(), "sync") {
			report(obj.Pos(), obj, "a lock or atomic is state:")
		}
	}
	for _, p := range all {
		for _, s := range p.files {
			ast.Inspect(s.code, func(n ast.Node) bool {
				for _, x := range changed(p.info, n) {
					if obj := root(p.info, x); obj != nil && vars[obj] {
						report(x.Pos(), obj, "this changes")
					}
				}
				return true
			})
		}
	}
	slices.SortFunc(out, func(a, b finding) int { return strings.Compare(a.String(), b.String()) })
	return out
}

func varNames(d ast.Decl) []*ast.Ident {
	g, ok := d.(*ast.GenDecl)
	if !ok || g.Tok != token.VAR {
		return nil
	}
	var out []*ast.Ident
	for _, spec := range g.Specs {
		out = append(out, spec.(*ast.ValueSpec).Names...)
	}
	return out
}

func isError(t types.Type) bool {
	return t != nil && types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}

// changed returns the expressions whose variable a node changes or allows other code to change.
func changed(info *types.Info, n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Lhs
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		return []ast.Expr{n.Key, n.Value}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			return []ast.Expr{n.X}
		}
	case *ast.CallExpr:
		return changedByCall(info, n)
	}
	return nil
}

// changedByCall handles the builtins and sorting functions that change their first argument, and methods that take
// their receiver's address.
func changedByCall(info *types.Info, call *ast.CallExpr) []ast.Expr {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		if b, ok := info.Uses[f].(*types.Builtin); ok &&
			slices.Contains([]string{"clear", "copy", "delete"}, b.Name()) {
			return call.Args[:1]
		}
	case *ast.SelectorExpr:
		if s := info.Selections[f]; s != nil {
			if s.Kind() == types.MethodVal && isPointer(s.Obj().Type().(*types.Signature).Recv().Type()) &&
				!isPointer(s.Recv()) {
				return []ast.Expr{f.X}
			}
			return nil
		}
		obj := info.Uses[f.Sel]
		if obj == nil || obj.Pkg() == nil || len(call.Args) == 0 {
			return nil
		}
		if p := obj.Pkg().Path(); p == "sort" || p == "slices" &&
			(strings.HasPrefix(obj.Name(), "Sort") || obj.Name() == "Reverse") {
			return call.Args[:1]
		}
	}
	return nil
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

// root returns the variable to which an expression such as pkg.v.f[i] belongs.
func root(info *types.Info, x ast.Expr) types.Object {
	switch x := x.(type) {
	case *ast.Ident:
		return info.Uses[x]
	case *ast.SelectorExpr:
		if id, ok := x.X.(*ast.Ident); ok {
			if _, isPkg := info.Uses[id].(*types.PkgName); isPkg {
				return info.Uses[x.Sel]
			}
		}
		return root(info, x.X)
	case *ast.IndexExpr:
		return root(info, x.X)
	case *ast.SliceExpr:
		return root(info, x.X)
	case *ast.StarExpr:
		return root(info, x.X)
	case *ast.ParenExpr:
		return root(info, x.X)
	}
	return nil
}

// checkMaps forbids model packages to range over a map in its random order.
func checkMaps(r *repo) []finding {
	var out []finding
	for _, p := range models(r) {
		for _, s := range p.files {
			for _, d := range s.code.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || ranges[p.dir+"."+funcName(f)] != "" {
					continue
				}
				ast.Inspect(f, func(n ast.Node) bool {
					loop, ok := n.(*ast.RangeStmt)
					if !ok || !randomOrder(p.info, loop.X) {
						return true
					}
					out = append(out, r.find(loop.Pos(),
						"%s ranges over a map, whose order is random; range over a slice or "+
							"slices.Sorted(maps.Keys(...)) (exceptions: ranges in internal/dev/tidy/types_test.go)",
						p.dir+"."+funcName(f)))
					return true
				})
			}
		}
	}
	return out
}

// randomOrder reports whether an expression is a map, or a call of maps.Keys, maps.Values or maps.All.
func randomOrder(info *types.Info, x ast.Expr) bool {
	if call, ok := ast.Unparen(x).(*ast.CallExpr); ok {
		if f, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			obj := info.Uses[f.Sel]
			return obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == "maps"
		}
	}
	t := info.TypeOf(x)
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

func TestVariablesCanFail(t *testing.T) {
	expect(t, checkVariables, `
-- isa/table.go --
package isa
import "errors"
var Names = [...]string{"add", "sub"}
var ErrOdd = errors.New("odd")
var _ error = ErrOdd
func f() string {
	Table := [2]string{}
	Table[0] = "shadow"
	return Table[0]
}
-- emcr/e.go --
package emcr
import "emsim/isa"
func f() string { return isa.Names[1] }
`)
	expect(t, checkVariables, `
-- isa/table.go --
package isa
import (
	"slices"
	"sync"
)
type set struct{ n int }
func (s *set) add() { s.n++ }
var Names = [...]string{"add", "sub"}
var (
	hits int
	seen = map[int]bool{}
	sorted = []int{2, 1}
	mine set
	lock sync.Mutex
)
func f() {
	hits++
	delete(seen, 1)
	slices.Sort(sorted)
	mine.add()
	mine.n = 1
	p := &Names
	_ = p
}
-- emcr/e.go --
package emcr
import "emsim/isa"
func f() { isa.Names[1] = "mul" }
`,
		"emcr/e.go:3: this changes the package variable isa.Names; keep state in a struct",
		"isa/table.go:14: a lock or atomic is state: the package variable isa.lock",
		"isa/table.go:17: this changes the package variable isa.hits",
		"isa/table.go:18: this changes the package variable isa.seen",
		"isa/table.go:19: this changes the package variable isa.sorted",
		"isa/table.go:20: this changes the package variable isa.mine",
		"isa/table.go:21: this changes the package variable isa.mine",
		"isa/table.go:22: this changes the package variable isa.Names",
	)
}

func TestMapsCanFail(t *testing.T) {
	expect(t, checkMaps, `
-- pdes/p.go --
package pdes
import (
	"maps"
	"slices"
	"emsim/trace"
)
type tree struct{ leaves trace.Set }
func (t *tree) visit(m map[int]int, s []int) {
	for range s {}
	for range slices.Sorted(maps.Keys(m)) {}
	for range t.leaves {}
	for range maps.Values(m) {}
}
func other(m map[string]bool) {
	for k, v := range m { _, _ = k, v }
}
-- trace/t.go --
package trace
type Set map[string]int
`,
		"pdes/p.go:11: pdes.tree.visit ranges over a map, whose order is random",
		"pdes/p.go:12: pdes.tree.visit ranges over a map",
		"pdes/p.go:15: pdes.other ranges over a map",
	)
}
