package tidy

import (
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strconv"
	"testing"
)

// reading lists the functions, by package, that read a file of any size and kind, or return a folder as a file system.
var reading = map[string][]string{
	"os":            {"ReadFile", "Open", "OpenFile", "OpenInRoot", "OpenRoot", "DirFS"},
	"io/fs":         {"ReadFile"},
	"text/template": {"ParseFiles", "ParseGlob"}, "html/template": {"ParseFiles", "ParseGlob"},
	"github.com/BurntSushi/toml": {"DecodeFile", "DecodeFS"},
}

// plainReads maps the calls that may do so, by file, to the reason why they never read a user's whole file.
var plainReads = map[string]string{
	"asm/include.go: fs.ReadFile(a.opt.Library, name)": "the library is in the executable",
	"internal/base/input/input.go: os.Open(name)": "the one reader, after it has looked " +
		"at what the file is",
	"internal/base/memlimit/left.go: os.DirFS(\"/\")":                         "only what Linux says about memory",
	"internal/base/memlimit/left.go: fs.ReadFile(root, \"proc/self/cgroup\")": "Linux writes it",
	"internal/base/memlimit/left.go: fs.ReadFile(root, file)":                 "Linux writes it",
	"internal/base/memlimit/watch.go: os.DirFS(\"/\")":                        "only what Linux says about memory",
	"internal/command/grade.go: os.DirFS(filepath.Dir(args[0]))":              "exercise.Read reads it by input.Want",
	"internal/command/docs.go: fs.ReadFile(files, file)":                      "the pages are in the executable",
	"internal/draw/figures/em4beyond.go: fs.ReadFile(t, t.name)":              "tables in the executable",
	"internal/machine/exercise/check.go: os.OpenRoot(cmp.Or(folder, \".\"))":  "the assembler reads it by input.Want",
	"internal/machine/exercise/exercise.go: fs.ReadFile(dir, \"order.txt\")":  "the library is in the executable",
	"internal/play/build.go: fs.ReadFile(sources, path)":                      "the sources are in the executable",
	"internal/play/build.go: os.DirFS(folder)":                                "readKept reads it by input.Want",
	"internal/study/sweep/store.go: os.DirFS(s.Dir)":                          "only names are looked for",
	"isa/doc/main.go: os.ReadFile(args[0])": "go generate gives it the " +
		"project's own page",
	"rtl/sources.go: fs.ReadFile(files, path)": "the sources are in the executable",
}

// checkReads requires that files named by the user are read by package input, which limits their size. Exempt are
// packages that only tests import, and the package that writes files.
func checkReads(r *repo) []finding {
	var out []finding
	left := map[string]bool{}
	for call := range plainReads {
		left[call] = true
	}
	for _, s := range r.goFiles(func(s *source) bool {
		return !s.isTest() && layerOf(s.dir()) >= 0 && !within(s.dir(), "internal/base/wholefile")
	}) {
		names := map[string][]string{}
		for _, spec := range s.code.Imports {
			p, _ := strconv.Unquote(spec.Path.Value)
			switch {
			case p == "io/ioutil" || reading[p] != nil && spec.Name != nil && spec.Name.Name == ".":
				out = append(out, r.find(spec.Pos(), "import %s so that reads can be seen", p))
			case spec.Name != nil:
				names[spec.Name.Name] = reading[p]
			default:
				names[path.Base(p)] = reading[p]
			}
		}
		seen := map[*ast.SelectorExpr]bool{}
		ast.Inspect(s.code, func(n ast.Node) bool {
			text, f := "", (*ast.SelectorExpr)(nil)
			switch n := n.(type) {
			case *ast.CallExpr:
				f, _ = n.Fun.(*ast.SelectorExpr)
				text = types.ExprString(n)
			case *ast.SelectorExpr:
				f, text = n, types.ExprString(n)
			}
			if f == nil || seen[f] {
				return true
			}
			seen[f] = true
			if x, ok := f.X.(*ast.Ident); ok && slices.Contains(names[x.Name], f.Sel.Name) {
				call := s.path + ": " + text
				if delete(left, call); plainReads[call] == "" {
					out = append(out, r.find(f.Pos(),
						"%s reads whatever the file is, without end; use internal/base/input", text))
				}
			}
			return true
		})
	}
	if r.all["internal/base/input/input.go"] {
		for call := range left {
			out = append(out, finding{call, 0, "there is no such call any more: take it out of plainReads"})
		}
	}
	return out
}

func TestReadsCanFail(t *testing.T) {
	expect(t, checkReads, `
-- internal/base/wholefile/w.go --
package wholefile
import "os"
var _, _ = os.Open("a")
-- internal/study/sweep/s_test.go --
package sweep
import "os"
var _, _ = os.ReadFile("a")
-- internal/study/sweep/store.go --
package sweep
import (
	"os"
	"io/fs"
)
var _, _ = fs.Glob(os.DirFS(s.Dir), "emsim-*")
-- internal/study/sweep/s.go --
package sweep
import (
	"emsim/os"
	"embed"
)
var _, _ = os.ReadFile("a")
var _, _ = f.ReadFile("a")
`)
	expect(t, checkReads, `
-- internal/study/sweep/s.go --
package sweep
import (
	system "os"
	"io/fs"
)
var _, _ = system.ReadFile("a")
var _, _ = fs.ReadFile(system.DirFS("."), "a")
-- internal/study/sweep/store.go --
package sweep
import "os"
var _ = os.DirFS(elsewhere)
var read = os.ReadFile
-- trace/t.go --
package trace
import . "os"
`,
		"internal/study/sweep/s.go:6: system.ReadFile(\"a\") reads",
		"internal/study/sweep/s.go:7: fs.ReadFile(system.DirFS(\".\"), \"a\") reads",
		"internal/study/sweep/s.go:7: system.DirFS(\".\") reads",
		"internal/study/sweep/store.go:3: os.DirFS(elsewhere) reads",
		"internal/study/sweep/store.go:4: os.ReadFile reads",
		"trace/t.go:2: import os so that reads can be seen",
	)
}
