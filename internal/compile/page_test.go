package compile_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile"
	"emsim/internal/dev/golden"
	"emsim/programs"
)

// inPage compares a table of DATAFLOW.md with what it should be (-update writes it).
func inPage(t *testing.T, name, want string) {
	t.Helper()
	const file = "../../docs/DATAFLOW.md"
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	mark := "<!-- " + name + " -->\n"
	head, rest, ok := strings.Cut(string(page), mark)
	require.True(t, ok)
	have, tail, ok := strings.Cut(rest, "<!-- end -->\n")
	require.True(t, ok)
	if golden.Update() {
		require.NoError(t, os.WriteFile(file, []byte(head+mark+want+"<!-- end -->\n"+tail), 0o644))
		return
	}
	require.Equal(t, want, have)
}

// source is the text of a Go program of the library.
func source(t *testing.T, name string) string {
	t.Helper()
	src, err := os.ReadFile(fmt.Sprintf("../../programs/go/%s/%[1]s.go", name))
	require.NoError(t, err)
	return string(src)
}

// mostByHand is how many clocks a compiled program may take by those of the one by hand.
func mostByHand(name string) float64 {
	if name == "fib" {
		return 1.05
	}
	return 1.2
}

// Clocks of the compiled programs and of those by hand. The goals are at most 5 %
// more than by hand for fib, and 20 % for the others.
func TestAgainstHand(t *testing.T) {
	inline, large := map[string]string{"leaves": "inline"}, map[string]string{"leaves": "inline", "grain": "large"}
	want := "| run | ring: compiled | by hand | random: compiled | by hand | `--mlpe`: compiled | by hand | by hand means |\n|---|--:|--:|--:|--:|--:|--:|---|\n"
	for _, p := range []struct {
		name   string
		n      uint64
		params map[string]string
		means  string
	}{
		{"fib", 20, large, "`leaves=inline grain=large`"},
		{"knapsack", 16, large, "`leaves=inline grain=large`"},
		{"queens", 8, inline, "`leaves=inline`"},
		{"loop", 20, nil, "every addition is a node there; the compiled loop is one block"},
		{"sum", 16384, nil, "numbers in memory, leaves where their numbers are"},
		{"matmul", 16, nil, "read ports on the owners"},
		{"pi", 60, nil, "`division=long`"},
		{"sort", 300, nil, "a child sorts its whole run before its caller merges"},
		{"stream", 60, nil, "four items under way"},
	} {
		src := source(t, p.name)
		want += fmt.Sprintf("| `%s %d` |", p.name, p.n)
		for _, how := range []map[string]string{nil, {"policy": "random"}, {"mlpe": "on"}} {
			params := maps.Clone(how)
			_, compiled, err := timed(t, assemble(t, p.name+".go", src, compile.Options{}, params), 80, p.n)
			require.NoError(t, err)
			all := map[string]string{}
			maps.Copy(all, how)
			maps.Copy(all, p.params)
			o, err := programs.Assemble(p.name, all)
			require.NoError(t, err)
			_, hand, err := timed(t, o, 80, p.n)
			require.NoError(t, err)
			require.Equal(t, hand.Words, compiled.Words, p.name)
			require.LessOrEqual(t, float64(compiled.Clocks), mostByHand(p.name)*float64(hand.Clocks), "%s %v", p.name, how)
			want += fmt.Sprintf(" %d | %d |", compiled.Clocks, hand.Clocks)
		}
		want += " " + p.means + " |\n"
	}
	inPage(t, "hand", want)
}

// DATAFLOW.md says what shorter blocks and guards at the callee cost.
func TestPage(t *testing.T) {
	want := "| | `fib 20`: clocks | packets | `knapsack 16`: clocks | packets | `queens 8`: clocks | packets |\n|---|--:|--:|--:|--:|--:|--:|\n"
	for _, g := range []compile.Guards{compile.Caller, compile.Callee} {
		for _, b := range []compile.Blocks{compile.Largest, compile.Medium, compile.Finest} {
			want += fmt.Sprintf("| guards at the %s, blocks %s |", g, b)
			for _, p := range []struct {
				name string
				n    uint64
			}{{"fib", 20}, {"knapsack", 16}, {"queens", 8}} {
				r, err := onMachine(t, assemble(t, p.name+".go", source(t, p.name), compile.Options{Blocks: b, Guards: g}, nil), 80, p.n)
				require.NoError(t, err)
				want += fmt.Sprintf(" %d | %d |", r.Clocks, r.Sent)
			}
			want += "\n"
		}
	}
	inPage(t, "blocks", want)
}

// Every program in Go fits on a screen: it has less than 60 lines.
func TestShortPrograms(t *testing.T) {
	files, err := filepath.Glob("../../programs/go/*/*.go")
	require.NoError(t, err)
	require.Len(t, files, 9)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Less(t, strings.Count(string(text), "\n"), 60, file)
	}
}
