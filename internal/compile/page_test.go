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
	_ "emsim/internal/dev/garbage"
	"emsim/internal/dev/golden"
	"emsim/programs"
)

// inPage compares a table of DATAFLOW.md with what it should be (-update writes it).
func inPage(t *testing.T, name, want string) {
	t.Helper()
	golden.Block(t, "../../docs/DATAFLOW.md", name, want)
}

// source returns the text of a Go program of the library.
func source(t *testing.T, name string) string {
	t.Helper()
	src, err := os.ReadFile(fmt.Sprintf("../../programs/go/%s/%[1]s.go", name))
	require.NoError(t, err)
	return string(src)
}

// mostByHand returns how many times the clocks of the program by hand a compiled program may take.
func mostByHand(name string) float64 {
	if name == "fib" {
		return 1.05
	}
	return 1.2
}

// Compiled programs take at most 5 % more clocks than by hand for fib, and 20 % for the others.
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
		{"stream", 60, nil, "four items in flight"},
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

// Every Go program of the library fits a screen: it has less than 60 lines.
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

// DATAFLOW.md has the limits, and what happens beyond them: the largest program of each row compiles, and the
// next one does not.
func TestLimits(t *testing.T) {
	body := func(text string) string { return entryHead + text + "\n}\n" }
	slow := "\n}\n\nfunc slow(n int32) int32 {\n\tfor range n {\n\t\tn--\n\t}\n\treturn n\n"
	want := "| what | at most | beyond |\n|---|--:|---|\n"
	want += fmt.Sprintf("| words and nodes of a function in an operand segment | %d | its instances have further segments |\n", compile.SegmentWords)
	for _, x := range []struct {
		what   string
		most   int
		beyond string
		says   string
		of     func(n int) string
	}{
		{"parameters, and words of results; also variables from outside of a parallel loop; less a word for each further segment", 63, "refused: pass fewer, or an array of package `df`", "fewer parameters", func(n int) string {
			n-- // one is the result
			return body("return many(" + repeated(n, "n+#", ", ") + ")\n}\n\nfunc many(" + repeated(n, "a#", ", ") + " int32) int32 {\n\tfor range a0 {\n\t\ta0 -= 2\n\t}\n\treturn " + repeated(n, "a#", " ^ "))
		}},
		{"calls of a statement that are in progress together", 769, "refused: split the statement", "split the function", func(n int) string {
			return body("return " + repeated(n, "slow(n+#)", " + ") + slow)
		}},
		{"variables that are needed after a call", 3839, "refused: split the function", "split the function", func(n int) string {
			return body(repeated(n, "v# := n ^ #", "\n\t") + "\n\tx := slow(n)\n\treturn x - " + repeated(n, "v#", " - ") + slow)
		}},
		{"words of an array inside of a function", 32, "refused: a table, or an array of package `df`", "make it smaller", func(n int) string {
			return body(fmt.Sprintf("var a [%d]int32\n\treturn a[n]", n))
		}},
		{"words of a table", 65536, "refused: an array of package `df`", "this table has more than 65,536 words", func(n int) string {
			return fmt.Sprintf("%s\nvar a [%d]int32\n", body("return a[n]"), n)
		}},
		{"words of all tables, of a PE's memory for these, code and segments", 262144, "refused: an array of package `df`", "all tables up to here have more than 262,144 words", func(n int) string {
			return fmt.Sprintf("%s\nvar a, b, c, d [65536]int32\n\nvar e [%d]int32\n", body("return a[n] ^ b[n] ^ c[n] ^ d[n] ^ e[n]"), n-4*65536)
		}},
	} {
		_, err := compile.Compile("p.go", []byte(x.of(x.most)), compile.Options{})
		require.NoError(t, err, x.what)
		_, err = compile.Compile("p.go", []byte(x.of(x.most+1)), compile.Options{})
		require.ErrorContains(t, err, x.says, x.what)
		want += fmt.Sprintf("| %s | %d | %s |\n", x.what, x.most, x.beyond)
	}
	want += fmt.Sprintf("| steps of the translation; functions that run inside of their callers count at every call | %d | refused: give some of these a loop |\n", compile.StepLimit)
	want += fmt.Sprintf("| levels that a program is nested, 1000 in the page | %d | refused: give parts to variables or functions |\n", compile.Deepest())
	want += "| streams at a time that a sum of floats or a recursion opens: segments of both ends, and of the calls that wait | 896 for each PE | the machine stops with `segment_overflow`: `no operand segment is free (896 in use) for what this line begins` |\n"
	want += "| instances at a time | what fits the memory | the machine stops with `segment_overflow` |\n"
	inPage(t, "limits", want)
}
