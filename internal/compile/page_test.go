package compile_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile"
	"emsim/internal/golden"
)

// DATAFLOW.md says what shorter blocks and guards at the callee cost (-update
// writes the table).
func TestPage(t *testing.T) {
	const file = "../../docs/DATAFLOW.md"
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	head, rest, ok := strings.Cut(string(page), "<!-- blocks -->\n")
	require.True(t, ok)
	have, tail, ok := strings.Cut(rest, "<!-- end -->\n")
	require.True(t, ok)
	want := "| | `fib 20`: clocks | packets | `knapsack 16`: clocks | packets | `queens 8`: clocks | packets |\n|---|--:|--:|--:|--:|--:|--:|\n"
	for _, g := range []compile.Guards{compile.Caller, compile.Callee} {
		for _, b := range []compile.Blocks{compile.Largest, compile.Medium, compile.Finest} {
			want += fmt.Sprintf("| guards at the %s, blocks %s |", g, b)
			for _, p := range []struct {
				name string
				n    uint64
			}{{"fib", 20}, {"knapsack", 16}, {"queens", 8}} {
				src, err := os.ReadFile(fmt.Sprintf("../../programs/go/%s/%[1]s.go", p.name))
				require.NoError(t, err)
				r, err := onMachine(t, assemble(t, p.name+".go", string(src), compile.Options{Blocks: b, Guards: g}, nil), 80, p.n)
				require.NoError(t, err)
				want += fmt.Sprintf(" %d | %d |", r.Clocks, r.Sent)
			}
			want += "\n"
		}
	}
	if golden.Update() {
		require.NoError(t, os.WriteFile(file, []byte(head+"<!-- blocks -->\n"+want+"<!-- end -->\n"+tail), 0o644))
		return
	}
	require.Equal(t, want, have)
}
