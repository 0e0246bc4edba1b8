package sim_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// stable lists the packages whose exported API is recorded; doc.go names them.
var stable = []string{
	"sim", "asm", "isa", "trace", "trace/sink", "mnc", "cluster/rhinet", "cluster/spmd", "pdes", "pdes/network",
	"pdes/mapping", "pdes/banyan", "pdes/lpgraph", "balance",
}

// The exported API of the stable packages is as recorded. A changed or removed line breaks users' programs: mention
// it in CHANGELOG.md.
func TestAPI(t *testing.T) {
	var out strings.Builder
	for _, dir := range stable {
		fmt.Fprintf(&out, "package %s\n\n", dir)
		for _, d := range exported(t, dir) {
			out.WriteString(d + "\n")
		}
		out.WriteString("\n")
	}
	golden.Check(t, "api.txt", []byte(out.String()))
}

// Each of the stable packages has an example that runs and has its output.
func TestExamples(t *testing.T) {
	for _, dir := range stable {
		if strings.HasPrefix(dir, "pdes/") {
			continue // the example of pdes uses these packages
		}
		text, err := os.ReadFile(filepath.Join("..", dir, "example_test.go"))
		require.NoError(t, err)
		require.Regexp(t, `(?s)\nfunc Example.*// Output:`, string(text), dir)
	}
}

// No stable signature needs a type of an internal package, because code outside the module cannot name such a type.
func TestNoInternalTypes(t *testing.T) {
	for _, dir := range stable {
		for _, f := range parse(t, dir) {
			names := map[string]string{}
			for _, spec := range f.Imports {
				p, _ := strconv.Unquote(spec.Path.Value)
				if strings.Contains(p, "/internal/") {
					name := p[strings.LastIndex(p, "/")+1:]
					if spec.Name != nil {
						name = spec.Name.Name
					}
					names[name] = p
				}
			}
			ast.FileExports(f)
			for _, d := range f.Decls {
				shape(d)
				ast.Inspect(d, func(n ast.Node) bool {
					if g, ok := n.(*ast.TypeSpec); ok && g.Assign.IsValid() {
						return false // an alias gives the type a public name
					}
					if s, ok := n.(*ast.SelectorExpr); ok {
						if x, ok := s.X.(*ast.Ident); ok && names[x.Name] != "" {
							t.Errorf("%s: the API mentions %s.%s of %s", dir, x.Name, s.Sel.Name, names[x.Name])
						}
					}
					return true
				})
			}
		}
	}
}

// parse returns the parsed files of a package, without its tests.
func parse(t *testing.T, dir string) []*ast.File {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
	require.NoError(t, err)
	require.NotEmpty(t, files, dir)
	var list []*ast.File
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		list = append(list, f)
	}
	return list
}

var fset = token.NewFileSet()

// exported returns the exported declarations of a package as sorted texts.
func exported(t *testing.T, dir string) []string {
	var list []string
	for _, f := range parse(t, dir) {
		if !ast.FileExports(f) {
			continue
		}
		for _, d := range f.Decls {
			if shape(d) {
				var b bytes.Buffer
				require.NoError(t, (&printer.Config{
					Mode:     printer.UseSpaces | printer.TabIndent,
					Tabwidth: 8,
				}).Fprint(&b, fset, d))
				list = append(list, b.String())
			}
		}
	}
	slices.Sort(list)
	return list
}

// shape removes from a declaration everything that a caller does not see. It reports whether anything is left.
func shape(d ast.Decl) bool {
	switch d := d.(type) {
	case *ast.FuncDecl:
		d.Body, d.Doc = nil, nil
		if d.Recv != nil {
			typ := d.Recv.List[0].Type
			if s, ok := typ.(*ast.StarExpr); ok {
				typ = s.X
			}
			x, ok := typ.(*ast.Ident)
			return !ok || x.IsExported()
		}
	case *ast.GenDecl:
		d.Doc = nil
		return d.Tok != token.IMPORT && len(d.Specs) > 0
	}
	return true
}
