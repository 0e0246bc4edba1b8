package tidy

import (
	"go/ast"
	"path"
	"slices"
	"strconv"
	"testing"
)

// writing lists the functions of package os that create or replace a file.
var writing = []string{"Create", "CreateTemp", "WriteFile", "OpenFile", "Rename", "Truncate", "Link", "Symlink"}

// scratch lists the files that may write temporary folders for other programs.
var scratch = []string{"rtl/sources.go"}

// checkFiles requires that only one package writes files, which it writes completely or not at all. Packages that only
// tests import are exempt.
func checkFiles(r *repo) []finding {
	var out []finding
	for _, s := range r.goFiles(func(s *source) bool {
		return !s.isTest() && !slices.Contains(scratch, s.path) && layerOf(s.dir()) >= 0 &&
			!within(s.dir(), "internal/base/wholefile")
	}) {
		name := "" // the name of package os in the file
		for _, spec := range s.code.Imports {
			if p, _ := strconv.Unquote(spec.Path.Value); p == "os" || p == "io/ioutil" {
				if name = path.Base(p); spec.Name != nil {
					name = spec.Name.Name
				}
				if name == "." || p == "io/ioutil" {
					out = append(out, r.find(spec.Pos(),
						"import os by its name, so that files that are written can be seen"))
				}
			}
		}
		ast.Inspect(s.code, func(n ast.Node) bool {
			if f, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := f.X.(*ast.Ident); ok && x.Name == name && slices.Contains(writing, f.Sel.Name) {
					out = append(out, r.find(f.Pos(),
						"os.%s: files are written whole or not at all; use internal/base/wholefile", f.Sel.Name))
				}
			}
			return true
		})
	}
	return out
}

func TestFilesCanFail(t *testing.T) {
	expect(t, checkFiles, `
-- internal/base/wholefile/w.go --
package wholefile
import "os"
var _, _ = os.Create("a")
-- internal/dev/golden/g.go --
package golden
import "os"
var _ = os.WriteFile("a", nil, 0)
-- internal/study/sweep/s_test.go --
package sweep
import "os"
var _ = os.WriteFile("a", nil, 0)
-- internal/study/sweep/s.go --
package sweep
import (
	system "os"
	"emsim/os"
)
var _, _ = system.Open("a")
`)
	expect(t, checkFiles, `
-- cmd/emsim/c.go --
package main
import "os"
func f() {
	os.Create("a")
	g(os.WriteFile)
}
-- internal/study/sweep/s.go --
package sweep
import system "os"
var _, _ = system.OpenFile("a", 0, 0)
-- trace/t.go --
package trace
import . "os"
`,
		"cmd/emsim/c.go:4: os.Create: files are written whole",
		"cmd/emsim/c.go:5: os.WriteFile: files are written whole",
		"internal/study/sweep/s.go:3: os.OpenFile",
		"trace/t.go:2: import os by its name",
	)
}
