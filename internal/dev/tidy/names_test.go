package tidy

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// goFile matches the name of a Go file in a package's comment, or a pattern of several names.
var goFile = regexp.MustCompile(`[\w*]+\.go\b`)

// checkNames requires that the comment of a package with several files names each of them, so that a new reader can
// find a mechanism.
func checkNames(r *repo) []finding {
	patterns, files := map[string][]string{}, map[string][]*source{}
	var order []string
	for _, s := range r.goFiles(func(s *source) bool { return !s.isTest() }) {
		if files[s.dir()] == nil {
			order = append(order, s.dir())
		}
		files[s.dir()] = append(files[s.dir()], s)
		if s.code.Doc != nil {
			patterns[s.dir()] = append(patterns[s.dir()], goFile.FindAllString(s.code.Doc.Text(), -1)...)
		}
	}
	var out []finding
	for _, dir := range order {
		if len(files[dir]) == 1 || strings.Contains(dir, "testdata") {
			continue
		}
		for _, s := range files[dir] {
			name := path.Base(s.path)
			if name != "doc.go" && !slices.ContainsFunc(patterns[dir],
				func(p string) bool { ok, _ := path.Match(p, name); return ok }) {
				out = append(out, finding{
					s.path, 0,
					"the package's comment does not name this file; say in a line what it is for",
				})
			}
		}
	}
	return out
}

// folderPath matches a path in a comment that begins with a folder of the repository.
var folderPath = regexp.MustCompile(`(?:^|[\s(])(` +
	`(?:asm|balance|cluster|cmd|docs|em4|emcr|internal|pdes|programs|rtl|sim|trace|verify|tools)/[a-z][\w./-]*\w)`)

// checkPaths requires that the paths in comments exist.
func checkPaths(r *repo) []finding {
	var out []finding
	for _, s := range r.goFiles(func(s *source) bool { return !s.isTest() }) {
		for _, group := range s.code.Comments {
			for _, c := range group.List {
				for _, m := range folderPath.FindAllStringSubmatch(c.Text, -1) {
					if !r.all[m[1]] && !r.all[path.Join(s.dir(), m[1])] {
						out = append(out, r.find(c.Pos(), "the comment names %s, which is not in the repository", m[1]))
					}
				}
			}
		}
	}
	return out
}

// A path below a folder of the repository, or of the file itself, must exist; any other path is reported.
func TestPaths(t *testing.T) {
	expect(t, checkPaths, `
-- emcr/a.go --
// Package emcr runs: emcr/a.go, docs/A.md and sim/b.txt (docs/a*.csv).
package emcr // see verify/schemes.
-- emcr/sim/b.txt --
-- docs/A.md --
`, "emcr/a.go:2: the comment names verify/schemes, which is not in the repository")
}

func TestNames(t *testing.T) {
	text := "-- a/doc.go --\n// Package a moves.\n//\n//\tb.go   one\n//\tc_*.go  others\npackage a\n-- a/b.go " +
		"--\npackage a\n-- a/c_x.go --\npackage a\n-- a/d.go --\npackage a\n-- e/e.go --\n// Package e is " +
		"alone.\npackage e\n"
	found := checkNames(fixture(t, text))
	require.Len(t, found, 1)
	require.Equal(t, "a/d.go", found[0].file)
}
