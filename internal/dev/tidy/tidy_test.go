package tidy

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

// module is the module's path, the first part of every import from the module. It may itself have several elements.
var module = strings.TrimSuffix("emsim/", "/")

// A finding is one place where the repository breaks a rule.
type finding struct {
	file string
	line int // 0 for the whole file
	text string
}

func (f finding) String() string {
	if f.line == 0 {
		return fmt.Sprintf("%s: %s", f.file, f.text)
	}
	return fmt.Sprintf("%s:%d: %s", f.file, f.line, f.text)
}

// A source is one text file of the repository.
type source struct {
	path string
	text string
	code *ast.File // the syntax tree of a .go file
}

// dir returns the package of the file inside the module: "cluster/spmd".
func (s *source) dir() string { return path.Dir(s.path) }

func (s *source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

// A repo holds everything that the rules check.
type repo struct {
	fset    *token.FileSet
	all     map[string]bool // every path, including directories
	sources []*source       // text files in order of their paths
	typed   *checker        // nil until types are needed
}

// find returns a finding at a position in Go code.
func (r *repo) find(at token.Pos, format string, args ...any) finding {
	p := r.fset.Position(at)
	return finding{p.Filename, p.Line, fmt.Sprintf(format, args...)}
}

// goFiles returns the Go files for which keep is true.
func (r *repo) goFiles(keep func(*source) bool) []*source {
	var out []*source
	for _, s := range r.sources {
		if s.code != nil && keep(s) {
			out = append(out, s)
		}
	}
	return out
}

// load reads every text file of tree that git would track, except files of nested modules.
func load(tree fs.FS) (*repo, error) {
	r := &repo{fset: token.NewFileSet(), all: map[string]bool{}}
	ignore := ignored(tree)
	err := fs.WalkDir(tree, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if p != "." && (d.Name() == ".git" || ignore(p, d.IsDir())) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		r.all[p] = true
		if d.IsDir() {
			return nil
		}
		return r.add(tree, p)
	})
	slices.SortFunc(r.sources, func(a, b *source) int { return cmp.Compare(a.path, b.path) })
	return r, err
}

func (r *repo) add(tree fs.FS, p string) error {
	data, err := fs.ReadFile(tree, p)
	if err != nil {
		return err
	}
	if bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data) {
		return nil // not text
	}
	s := &source{path: p, text: string(data)}
	if strings.HasSuffix(p, ".go") {
		if s.code, err = parser.ParseFile(r.fset, p, data,
			parser.ParseComments|parser.SkipObjectResolution); err != nil {
			return err
		}
	}
	r.sources = append(r.sources, s)
	return nil
}

// ignored returns a function that applies the simple lines of .gitignore: a name, a pattern, a leading slash for the
// root, a trailing slash for directories.
func ignored(tree fs.FS) func(p string, isDir bool) bool {
	data, _ := fs.ReadFile(tree, ".gitignore")
	lines := strings.Fields(string(data))
	return func(p string, isDir bool) bool {
		return slices.ContainsFunc(lines, func(line string) bool {
			pattern, dirOnly := strings.CutSuffix(line, "/")
			name := path.Base(p)
			if strings.Contains(pattern, "/") {
				pattern, name = strings.TrimPrefix(pattern, "/"), p
			}
			ok, _ := path.Match(pattern, name)
			return ok && (isDir || !dirOnly)
		})
	}
}

// builds reports whether the file is part of a plain build of this machine.
func builds(s *source) bool {
	for _, group := range s.code.Comments {
		if group.Pos() > s.code.Package {
			break
		}
		for _, c := range group.List {
			if x, err := constraint.Parse(c.Text); err == nil && !x.Eval(func(tag string) bool {
				return tag == "linux" || tag == "amd64" || tag == "unix" || strings.HasPrefix(tag, "go1.")
			}) {
				return false
			}
		}
	}
	for _, ending := range []string{"_js.go", "_wasm.go", "_windows.go", "_darwin.go", "_arm64.go", "_386.go"} {
		if strings.HasSuffix(s.path, ending) {
			return false
		}
	}
	return true
}

// rules lists the rules that TestRepository checks.
var rules = []struct {
	name  string
	check func(*repo) []finding
}{
	{"layers", checkLayers},
	{"banned", checkBanned},
	{"files", checkFiles},
	{"reads", checkReads},
	{"variables", checkVariables},
	{"maps", checkMaps},
	{"rounding", checkRounding},
	{"length", checkLength},
	{"width", checkWidth},
	{"comments", checkComments},
	{"names", checkNames},
	{"paths", checkPaths},
	{"verbs", checkVerbs},
	{"dialect", checkDialect},
	{"machine", checkMachine},
	{"links", checkLinks},
	{"skips", checkSkips},
	{"command", checkTestCommand},
	{"programs", checkPrograms},
	{"recipes", checkRecipes},
	{"runs", checkRuns},
}

func TestRepository(t *testing.T) {
	r, err := load(os.DirFS("../../.."))
	require.NoError(t, err)
	require.True(t, r.all["go.mod"], "the repository's root is not where it was")
	for _, rule := range rules {
		t.Run(rule.name, func(t *testing.T) {
			for _, f := range rule.check(r) {
				t.Error(f)
			}
		})
	}
}

// fixture makes a repository from txtar text. In paths and hosts that this repository must not contain, ~ stands for
// the slash or dot.
func fixture(t *testing.T, text string) *repo {
	t.Helper()
	tree := fstest.MapFS{}
	for _, f := range txtar.Parse([]byte(text)).Files {
		tree[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	r, err := load(tree)
	require.NoError(t, err)
	return r
}

// expect runs one rule on a fixture. The findings must begin with the wanted texts, in order.
func expect(t *testing.T, check func(*repo) []finding, text string, want ...string) {
	t.Helper()
	got := []string{}
	for _, f := range check(fixture(t, text)) {
		got = append(got, f.String())
	}
	require.Len(t, got, len(want), "%s", strings.Join(got, "\n"))
	for i := range want {
		require.Contains(t, got[i], want[i])
	}
}

// Files that git would not track are ignored.
func TestIgnored(t *testing.T) {
	r := fixture(t, `
-- .gitignore --
/emsim
*.out
build/
-- emsim --
binary
-- a.out --
x
-- build/x.md --
[gone](y)
-- docs/emsim --
kept
-- .git/config --
x
`)
	require.True(t, r.all["docs/emsim"])
	for _, p := range []string{"emsim", "a.out", "build/x.md", ".git/config"} {
		require.False(t, r.all[p], p)
	}
}
