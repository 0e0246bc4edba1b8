package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile"
)

// drawn is a graph as text: the nodes, and the edges by their names.
func drawn(g *compile.Graph) string {
	var b strings.Builder
	for _, f := range g.Functions {
		fmt.Fprintf(&b, "%s line %d\n", f.Name, f.Line)
		for _, n := range f.Nodes {
			if n.Call {
				continue
			}
			fmt.Fprintf(&b, "  %s (%s)", n.Name, n.Waits)
			for _, l := range n.Lines {
				fmt.Fprintf(&b, " %d", l.Number)
			}
			if n.Ends {
				b.WriteString(" result")
			}
			b.WriteString("\n")
		}
		for _, e := range f.Edges {
			fmt.Fprintf(&b, "  %s -%s-> %s\n", f.Nodes[e.From].Name, e.Kind, f.Nodes[e.To].Name)
		}
	}
	return b.String()
}

// A program's blocks, what they wait for, and what is under way between them.
func TestGraph(t *testing.T) {
	g, err := compile.NewGraph("fib.go", []byte(source(t, "fib")), compile.Options{Guards: compile.Callee})
	require.NoError(t, err)
	require.Equal(t, "fib", g.Entry)
	require.Equal(t, `fib line 11
  start (n, where the result goes) 12 13 15 result
  got2 (the segment of fib) 15
  got3 (the segment of fib) 15
  join4 (two results) 15 result
  start -segment-> got2
  start -segment-> got3
  got2 -arguments-> fib
  fib -result-> join4
  got3 -arguments-> fib
  fib -result-> join4
`, drawn(g))

	long, err := compile.NewGraph("fib.go", []byte(source(t, "fib")), compile.Options{Guards: compile.Callee, Blocks: compile.Finest})
	require.NoError(t, err)
	require.Greater(t, len(long.Functions[0].Nodes), len(g.Functions[0].Nodes))
	require.Contains(t, drawn(long), "-token->")

	_, err = compile.NewGraph("p.go", []byte("package main\n"), compile.Options{})
	require.ErrorContains(t, err, "entry")
}
