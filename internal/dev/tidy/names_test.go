package tidy

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// unnamed are packages that are being written anew, whose comments do not name all files.
var unnamed = []string{"balance", "internal/compile", "internal/dev/mutate", "internal/dev/site", "internal/play/engine/compiler", "omega"}

// goFile is a file in a package's comment, or a pattern of several.
var goFile = regexp.MustCompile(`[\w*]+\.go\b`)

// checkNames holds that the comment of a package with several files names each of them, so
// that a stranger finds the mechanism that he looks for.
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
		if len(files[dir]) == 1 || slices.Contains(unnamed, dir) || strings.Contains(dir, "testdata") {
			continue
		}
		for _, s := range files[dir] {
			name := path.Base(s.path)
			if name != "doc.go" && !slices.ContainsFunc(patterns[dir], func(p string) bool { ok, _ := path.Match(p, name); return ok }) {
				out = append(out, finding{s.path, 0, "the package's comment does not name this file; say in a line what it is for"})
			}
		}
	}
	return out
}

func TestNames(t *testing.T) {
	text := "-- a/doc.go --\n// Package a moves.\n//\n//\tb.go   one\n//\tc_*.go  others\npackage a\n-- a/b.go --\npackage a\n-- a/c_x.go --\npackage a\n-- a/d.go --\npackage a\n-- e/e.go --\n// Package e is alone.\npackage e\n"
	found := checkNames(fixture(t, text))
	require.Len(t, found, 1)
	require.Equal(t, "a/d.go", found[0].file)
}
