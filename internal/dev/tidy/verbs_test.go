package tidy

import (
	"fmt"
	"go/ast"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// wordless is the number of function comments that may begin without a verb, for rooms whose comments have yet to be
// revised. The numbers may only fall.
var wordless = map[string]int{
	"programs/go/queens": 2, // an input of published tables
}

// wordlessShare is the percentage of such comments that other rooms may have; one comment is always allowed.
const wordlessShare = 5

// A verb in the third person ends in s. The words in noVerb end in s but are no verbs.
var (
	verb   = regexp.MustCompile(`^[A-Za-z]+s$`)
	noVerb = strings.Fields("is was this its as bytes cells clocks columns edges errors flags hosts kinds lines " +
		"links machines points results rows shares states tasks times values words")
)

// saysWhatItDoes reports whether a function's comment begins with a verb, after its name.
func saysWhatItDoes(f *ast.FuncDecl) bool {
	words := strings.Fields(strings.TrimPrefix(f.Doc.Text(), f.Name.Name+" "))
	if len(words) == 0 {
		return true // a directive
	}
	first := strings.ToLower(strings.Trim(words[0], ",.;:"))
	return verb.MatchString(first) && !slices.Contains(noVerb, first)
}

// checkVerbs limits the number of function comments that say what the function is, instead of what it does.
func checkVerbs(r *repo) []finding {
	all, without := map[string]int{}, map[string][]finding{}
	for _, s := range r.goFiles(func(s *source) bool { return !s.isTest() }) {
		for _, d := range s.code.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Doc != nil {
				if all[s.dir()]++; !saysWhatItDoes(f) {
					without[s.dir()] = append(without[s.dir()],
						r.find(f.Pos(), "the comment begins without a verb: %q; say what the function does (returns, "+
							"reports whether, moves)", firstWords(f.Doc.Text())))
				}
			}
		}
	}
	var out []finding
	for _, dir := range slices.Sorted(maps.Keys(all)) {
		list, most := without[dir], max(1, all[dir]*wordlessShare/100)
		if n, listed := wordless[dir]; listed {
			if most = n; len(list) < n {
				out = append(out, finding{
					dir, 0,
					fmt.Sprintf("%d comments of functions begin without a verb, and wordless allows %d: lower it",
						len(list), n),
				})
			}
		}
		if len(list) > most {
			out = append(out, list...)
		}
	}
	return out
}

// firstWords returns the first words of a comment.
func firstWords(text string) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(len(words), 6)], " ")
}

// A room may have one comment without a verb, or one in twenty. A second one is reported with its place.
func TestVerbs(t *testing.T) {
	text := func(first string) string {
		return "-- a/a.go --\npackage a\n\n// " + first +
			"\nfunc one() {}\n\n// two is the second.\nfunc two() {}\n\nfunc three() {}\n"
	}
	require.Empty(t, checkVerbs(fixture(t, text("one moves it."))))
	found := checkVerbs(fixture(t, text("one is the first.")))
	require.Len(t, found, 2)
	require.Contains(t, found[0].String(), "a/a.go:4")
	require.Contains(t, found[0].String(), `"one is the first."`)
}
