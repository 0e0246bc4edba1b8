package compile_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/internal/compile"
)

// sumForms are bodies that make the same four calls, or five at most, and how the page shows them.
var sumForms = []struct{ body, shown string }{
	{"s = tree(n-1, 0) + tree(n-1, 1) + tree(n-1, 2) + tree(n-1, 3)", "s = f(0) + f(1) + f(2) + f(3)"},
	{"for k := int32(0); k < 4; k++ {\n\ts += tree(n-1, k)\n}", "for k := int32(0); k < 4; k++ { s += f(k) }"},
	{"for k := range int32(4) {\n\ts += tree(n-1, k)\n}", "for k := range int32(4) { s += f(k) }"},
	{"for k := range int32(4) {\n\ts = tree(n-1, k) + s\n}", "s = f(k) + s, in the same loop"},
	{"for k := range int32(4) {\n\ty := tree(n-1, k)\n\ts += y\n}", "y := f(k); s += y"},
	{"for k := range int32(4) {\n\ts -= -7 - tree(n-1, k)\n\ts -= 7\n}", "s -= -7 - f(k); s -= 7"},
	{"for k := range int32(5) {\n\tif k != 3+n&1 {\n\t\ts += tree(n-1, k)\n\t}\n}", "if c { s += f(k) }"},
	{"for k := range int32(5) {\n\tif k == 3+n&1 {\n\t\tcontinue\n\t}\n\ts += tree(n-1, k)\n}", "if c { continue }; s += f(k)"},
	{"for k := range int32(4) {\n\tif k > 1 {\n\t\ts += tree(n-1, k)\n\t} else {\n\t\ts -= tree(n-1, k)\n\t}\n}", "if c { s += f(k) } else { s -= f(k) }"},
	{"j := int32(0)\nfor j < 4 {\n\ts += tree(n-1, j)\n\tj++\n}", "for k < 4 { s += f(k); k++ }"},
	{"t := int32(0)\nfor k := range int32(2) {\n\ts += tree(n-1, k)\n\tt ^= tree(n-1, k+2)\n}\ns += t", "s += f(k); t ^= f(k + 2), two iterations"},
	{"for range 4 {\n\ts += tree(n-1, 3)\n}", "for range 4 { s += f(3) }"},
	{"for k := range int32(4) {\n\ts = max(s, tree(n-1, k), 1)\n}", "s = max(s, f(k), 1)"},
	{"for k := range int32(4) {\n\ts += 2 * tree(n-1, k)\n}", "s += 2 * f(k)"},
	{"for k := range int32(4) {\n\ts += int32(uint32(tree(n-1, k)) >> 1)\n}", "s += int32(uint32(f(k)) >> 1)"},
	{"for k := range int32(4) {\n\tif tree(n-1, k) > 3 {\n\t\ts++\n\t}\n}", "if f(k) > 3 { s++ }"},
	{"for k := range int32(4) {\n\tif x := tree(n-1, k); x > s {\n\t\ts = x\n\t}\n}", "if x := f(k); x > s { s = x }"},
	{"for k := range int32(4) {\n\ts += k * tree(n-1, k)\n}", "s += k * f(k)"},
	{"for k := range int32(4) {\n\tx := tree(n-1, k)\n\tif x&1 == 0 {\n\t\ts += x\n\t} else {\n\t\ts -= n * x\n\t}\n}", "x := f(k); if x&1 == 0 { s += x } else { s -= n * x }"},
}

func formProgram(body string) string {
	return "package main\n\n//emsim:arg n 0 12\nfunc f(n int32) int32 { return tree(n, 1) }\n\nfunc tree(n, k int32) int32 {\n\tif n < 1 {\n\t\treturn k + 1\n\t}\n\ts := int32(0)\n\t" +
		strings.ReplaceAll(body, "\n", "\n\t") + "\n\treturn s\n}\n"
}

// Forms of a sum cost about the same, within a factor of 1.3: a tree of four-way calls on 80 PEs, which
// answers as Go does.
func TestFormsCostAlike(t *testing.T) {
	table := "| what a call of `f` does with its four calls | clocks |\n|---|--:|\n"
	var list []goProgram
	for _, x := range sumForms {
		list = append(list, goProgram{src: formProgram(x.body), runs: [][]int64{{6}, {5}}})
	}
	answers := byGo(t, list)
	var all []uint64
	for i, x := range sumForms {
		_, r, err := timed(t, assemble(t, "p.go", list[i].src, compile.Options{}, nil), 80, 6)
		require.NoError(t, err)
		require.Equal(t, []uint64{answers[2*i].word}, r.Words, x.body)
		_, odd, err := timed(t, assemble(t, "p.go", list[i].src, compile.Options{}, nil), 12, 5)
		require.NoError(t, err)
		require.Equal(t, []uint64{answers[2*i+1].word}, odd.Words, x.body)
		all = append(all, r.Clocks)
		table += fmt.Sprintf("| `%s` | %d |\n", x.shown, r.Clocks)
	}
	inPage(t, "forms", table)
	require.Less(t, float64(slices.Max(all)), 1.3*float64(slices.Min(all)))
}

// A graph says what a loop waits for in every iteration, and why.
func TestWaitsAreExplained(t *testing.T) {
	for _, x := range []struct{ body, says string }{
		{"for range n {\n\ts = tree(s, 0)\n}", "line 11 waits in every iteration for tree(s, 0) (line 12): s takes the result and is no sum."},
		{"for range n {\n\ts += tree(s, 0)\n}", "line 12 uses the sum."},
		{"for k := range n {\n\ts += k * tree(n-1, k)\n\tn ^= k\n}", "what is done with the result uses k, and the next iteration changes that."},
		{"for k := range n {\n\ts += tree(n-1, k) * tree(n-1, 0)\n\tn ^= k\n}", "needs the results of several calls"},
		{"for s < 4 {\n\ts += tree(n-1, 0)\n}", "line 11 uses the sum."},
		{"for k := range n {\n\tif s += tree(n-1, k); k > 3 {\n\t\tbreak\n\t}\n}", "only then is it known whether there is a next iteration."},
		{"for tree(n-1, s) < 4 {\n\ts++\n}", "(line 11): its result decides whether there is a next iteration."},
		{"for range n {\n\ts += tree(n-1, 0)\n\ts *= tree(n-1, 1)\n}", "no sum"},
		{"x := float32(0)\nfor range n {\n\tx += float32(tree(n-1, 0))\n}", "floats are added in Go's order."},
		{"for k := range n {\n\ts += df.Sum(0, k, func(i int32) int32 {\n\t\treturn i\n\t})\n}", "(line 13): its own iterations are in progress together, and the next begin when all of them are done."},
		{"for k := range n {\n\ts += tree(n-1, k)\n}", ""},
		{"for k := range n {\n\ts += k\n}", ""},
		{"for k := range n {\n\ts += k * tree(n-1, k)\n}", ""},
		{"for k := range n {\n\tif k > 1 && tree(n-1, k) > 2 {\n\t\ts -= tree(n-1, k) * tree(n-1, 0)\n\t}\n}", ""},
	} {
		g, err := compile.NewGraph("p.go", []byte(strings.Replace(formProgram(x.body), "\n", "\nimport \"emsim/df\"\n", strings.Count(x.body, "df.Sum"))), compile.Options{})
		require.NoError(t, err, x.body)
		says := ""
		for _, f := range g.Functions {
			says += strings.Join(f.Waits, "\n")
		}
		if x.says == "" {
			require.Empty(t, says, x.body)
		}
		require.Contains(t, says, x.says, x.body)
	}
}

// A graph explains what the size of a function has forced.
func TestSizesAreExplained(t *testing.T) {
	for name, says := range map[string]string{
		"calls 8":  "split the code of f into 2 ways at most, not into 4, because of its size.",
		"calls 20": "f needs 81 words and nodes, and an operand segment has 64: each instance has 2 segments.",
		"locals":   "g_ needs 100 words and nodes, and an operand segment has 64: each instance has 2 segments.",
	} {
		g, err := compile.NewGraph("p.go", []byte(large[name]), compile.Options{})
		require.NoError(t, err)
		text := ""
		for _, f := range g.Functions {
			text += strings.Join(f.Waits, "\n")
		}
		require.Contains(t, text, says, name)
	}
}

// A flat sum in the entry takes less than 1.3 times the clocks of df.Sum, on few and on many PEs.
func TestFlatSumsAreTrees(t *testing.T) {
	loop, tree := objectOf(t, "flat"), objectOf(t, "flatdf")
	for _, pes := range []int{4, 12, 80, 1024} {
		_, a, err := timed(t, loop, pes, 1000)
		require.NoError(t, err)
		_, b, err := timed(t, tree, pes, 1000)
		require.NoError(t, err)
		require.Equal(t, b.Words, a.Words)
		require.Less(t, float64(a.Clocks), 1.3*float64(b.Clocks), "%d PEs", pes)
	}
}

// Loops of the entry whose turns are more than one statement use all PEs, too.
func TestFlatTurnsAreTrees(t *testing.T) {
	o := objectOf(t, "flatturns")
	_, a, err := timed(t, o, 4, 70)
	require.NoError(t, err)
	_, b, err := timed(t, o, 80, 70)
	require.NoError(t, err)
	require.Equal(t, a.Words, b.Words)
	require.Less(t, 2*b.Clocks, a.Clocks)
}

// An iteration that becomes a function takes less than 1.1 times the clocks of a function by hand.
func TestTurnsAreFunctions(t *testing.T) {
	loop, hand := objectOf(t, "products"), objectOf(t, "productsfunc")
	for _, pes := range []int{4, 12, 80} {
		_, a, err := timed(t, loop, pes, 7)
		require.NoError(t, err)
		_, b, err := timed(t, hand, pes, 7)
		require.NoError(t, err)
		require.Equal(t, b.Words, a.Words)
		require.Less(t, float64(a.Clocks), 1.1*float64(b.Clocks), "%d PEs", pes)
	}
}

// objectOf compiles a test program.
func objectOf(t *testing.T, name string) *asm.Object {
	src, err := os.ReadFile("testdata/programs/" + name + ".go")
	require.NoError(t, err)
	return assemble(t, name+".go", string(src), compile.Options{}, nil)
}
