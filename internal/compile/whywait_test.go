package compile_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile"
)

// waitsOf returns what is said of the loops of a program that wait in every turn.
func waitsOf(t *testing.T, src string) string {
	g, err := compile.NewGraph("p.go", []byte(src), compile.Options{})
	require.NoError(t, err, src)
	says := ""
	for _, f := range g.Functions {
		for _, w := range f.Waits {
			if strings.Contains(w, "waits in every iteration") {
				says += w + "\n"
			}
		}
	}
	return says
}

// What is said of a loop that waits is what one can do: then it does not wait, gives the same answer, and takes fewer
// clocks on 80 PEs.
func TestAdviceIsGood(t *testing.T) {
	const head = "package main\n\n//emsim:arg n 0 99\nfunc f(n int32) int32 { return g(n, 1) }\n\nfunc g(n, depth int32) int32 {\n\t"
	const tail = "\n}\n\nfunc long(k int32) int32 {\n\tfor range 40 {\n\t\tk = k*3 + 1&k\n\t}\n\treturn k & 63\n}\n\n" +
		"func both(k int32) (p, q int32) {\n\tp = long(k)\n\treturn p, p ^ k\n}\n\n"
	text, err := os.ReadFile("testdata/waits.txt") // a loop, what is said of it, what one writes then, and its functions
	require.NoError(t, err)
	for block := range strings.SplitSeq(string(text), "====\n") {
		x := strings.Split(block, "----\n")
		program := func(body string) string { return head + strings.ReplaceAll(body, "\n", "\n\t") + tail }
		src, better := program(x[0]), program(x[2])+x[3]
		require.Contains(t, waitsOf(t, src), strings.TrimSpace(x[1]), src)
		if strings.TrimSpace(x[2]) == "" { // nothing helps
			continue
		}
		require.Empty(t, waitsOf(t, better), better)
		_, before, err := timed(t, assemble(t, "p.go", src, compile.Options{}, nil), 80, 30)
		require.NoError(t, err)
		_, after, err := timed(t, assemble(t, "p.go", better, compile.Options{}, nil), 80, 30)
		require.NoError(t, err)
		require.Equal(t, before.Words, after.Words, better)
		require.Less(t, after.Clocks, before.Clocks, better)
	}
}
