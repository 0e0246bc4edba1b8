package tidy

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"emsim/internal/dev/golden"

	"github.com/stretchr/testify/require"
)

// dialect lists patterns of phrases that are not plain English in this project, and what to write instead.
var dialect = []struct {
	find *regexp.Regexp
	say  string
}{
	{regexp.MustCompile(`(?i)\b(?:that|those) of\b`), "name the thing again"},
	{regexp.MustCompile(`(?i)\b(?:is|are|was|were) none\b`), "there is no X, or: X is not a Y"},
	{regexp.MustCompile(`(?i)\bso (?:many|much)\b`), "say the number, or: that many"},
	{regexp.MustCompile(`(?i)\bbehind\b`), "after"},
	{regexp.MustCompile(`(?i)\bbeside\b`), "next to, or: besides"},
	{regexp.MustCompile(`(?i)\b(?:goes|go|went|going) on\b`), "continue"},
	{regexp.MustCompile(`(?i)\bunder way\b`), "in progress"},
	{regexp.MustCompile(`(?i)\bnobody\b`), "no X, with the X that is meant"},
	{regexp.MustCompile(`(?i)\b(?:is|are|was|were) of\b`), "belongs to, has, applies to"},
	{regexp.MustCompile(`(?i)\bwhat is no\b`), "a thing that is not"},
	{regexp.MustCompile(`(?i)\bfor want of\b`), "because there is no X"},
	{regexp.MustCompile(`(?i)\banew\b`), "again"},
	{regexp.MustCompile(`(?i)\bbut for\b`), "except"},
	{regexp.MustCompile(`(?i)\bwho asks\b`), "name the caller"},
}

// spokenFile lists how many phrases of dialect a room, or the pages of a folder, may still have. The numbers may only
// fall, and -update lowers them. A room that is not listed may have none.
const spokenFile = "internal/dev/tidy/testdata/dialect.txt"

// plain matches phrases that a dialect pattern finds although they are correct.
var plain = regexp.MustCompile(`(?i)\bthere (?:is|are|was|were) none\b|\b(?:is|are|was|were) of type\b`)

// told returns the readable text of a file, by line: comments and strings of code, and the lines of a page outside
// fenced code.
func told(r *repo, s *source) map[int]string {
	lines := map[int]string{}
	if s.code == nil {
		fenced := false
		for i, line := range strings.Split(s.text, "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				fenced = !fenced
			} else if !fenced {
				lines[i+1] = line
			}
		}
		return lines
	}
	add := func(at token.Pos, text string) {
		first := r.fset.Position(at).Line
		for i, line := range strings.Split(text, "\n") {
			lines[first+i] += line + " "
		}
	}
	for _, group := range s.code.Comments {
		for _, c := range group.List {
			add(c.Pos(), c.Text)
		}
	}
	ast.Inspect(s.code, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && strings.Contains(lit.Value, " ") {
			add(lit.Pos(), lit.Value)
		}
		return true
	})
	return lines
}

// turns returns the phrases of dialect by room and by folder of pages.
func turns(r *repo) map[string][]finding {
	found := map[string][]finding{}
	for _, s := range r.sources {
		page := strings.HasSuffix(s.path, ".md") && s.path != "THIRD_PARTY_NOTICES.md"
		if !page && (s.code == nil || s.isTest() || strings.Contains(s.path, "testdata/")) {
			continue
		}
		found[s.dir()] = found[s.dir()] // a room without findings is checked too
		lines := told(r, s)
		for _, n := range slices.Sorted(maps.Keys(lines)) {
			for _, d := range dialect {
				for _, words := range d.find.FindAllString(plain.ReplaceAllString(lines[n], ""), -1) {
					found[s.dir()] = append(found[s.dir()],
						finding{s.path, n, fmt.Sprintf("%q is not plain English; write: %s", words, d.say)})
				}
			}
		}
	}
	return found
}

// checkDialect limits the number of phrases of dialect in each room.
func checkDialect(r *repo) []finding {
	var out []finding
	found, spoken := turns(r), r.spoken()
	for _, dir := range slices.Sorted(maps.Keys(found)) {
		switch list, most := found[dir], spoken[dir]; {
		case len(list) > most:
			out = append(out, list...)
		case len(list) < most:
			out = append(out, finding{
				dir, 0,
				fmt.Sprintf("%d turns of dialect are left, and %s allows %d: lower it with -update", len(list),
					spokenFile, most),
			})
		}
	}
	return out
}

// spoken returns the numbers of spokenFile by room.
func (r *repo) spoken() map[string]int {
	list := map[string]int{}
	for _, s := range r.sources {
		if s.path == spokenFile {
			for line := range strings.Lines(s.text) {
				if words := strings.Fields(line); len(words) == 2 {
					list[words[0]], _ = strconv.Atoi(words[1])
				}
			}
		}
	}
	return list
}

// With -update, the numbers of spokenFile fall to the current counts.
func TestDialectFalls(t *testing.T) {
	if !golden.Update() {
		return
	}
	r, err := load(os.DirFS("../../.."))
	require.NoError(t, err)
	spoken := r.spoken()
	var b strings.Builder
	b.WriteString("# How many turns of dialect each room may have; numbers only fall.\n")
	counts := turns(r)
	for _, dir := range slices.Sorted(maps.Keys(counts)) {
		if n := min(len(counts[dir]), spoken[dir]); n > 0 {
			fmt.Fprintln(&b, dir, n)
		}
	}
	golden.Check(t, "dialect.txt", []byte(b.String()))
}

// Comments, strings with a blank and pages are counted. Names, code in pages, tests, and the number that a room may
// still have are not.
func TestDialect(t *testing.T) {
	expect(t, checkDialect, `
-- a/a.go --
package a

// f writes those of the others.
func f() {
	behind := "behind"
	panic("it is none" + behind)
}
-- a/a_test.go --
package a

// It goes on.
-- a/A.md --
So many
`+"```\nbehind\n```\n"+`
-- b/b.go --
package b // behind
-- c/c.go --
package c // behind

// f returns nil if there is none; its errors are of type E.
-- internal/dev/tidy/testdata/dialect.txt --
b 1
c 2
`,
		`a/A.md:1: "So many" is not plain English; write: say the number`,
		`a/a.go:3: "those of"`,
		`a/a.go:6: "is none"`,
		"c: 1 turns of dialect are left, and internal/dev/tidy/testdata/dialect.txt allows 2: lower it",
	)
}
