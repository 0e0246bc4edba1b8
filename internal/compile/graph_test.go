package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile"
	"emsim/internal/compile/cut"
)

// drawn writes a graph as text: its nodes, and its edges by the names of nodes.
func drawn(g *cut.Graph) string {
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
			if n.Items {
				b.WriteString(" item")
			}
			b.WriteString("\n")
		}
		for _, e := range f.Edges {
			fmt.Fprintf(&b, "  %s -%s-> %s\n", f.Nodes[e.From].Name, e.Kind, f.Nodes[e.To].Name)
		}
	}
	return b.String()
}

// A graph has the blocks of a program, what they wait for, and what is in transit between them.
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

// Channels, and requests to the owner of a piece of an array, have edges of their own.
func TestGraphOfStreams(t *testing.T) {
	graph := func(name string) string {
		g, err := compile.NewGraph(name+".go", []byte(source(t, name)), compile.Options{})
		require.NoError(t, err)
		return drawn(g)
	}
	_, loop, _ := strings.Cut(graph("stream"), "stream_loop1 line 15\n")
	require.Equal(t, `  args1 (first, turns) 15
  args2 (first, span) 15
  args3 (first, n) 15
  start (first, where the result goes) 15 17
  count5 (a result) 15 17 22 result
  got6 (the segment of stream_loop1) 15 17
  got7 (the segment of produce) 17 18 19
  item8 (an item of items) 19 20
  end9 (no more items) 19 22 result
  args1 -token-> args2
  args2 -token-> args3
  args3 -token-> start
  start -remote-> got6
  start -arguments-> stream_loop1
  stream_loop1 -result-> count5
  start -segment-> got7
  count5 -arguments-> stream_loop1
  stream_loop1 -result-> count5
  count5 -segment-> got7
  got6 -arguments-> stream_loop1
  stream_loop1 -result-> count5
  got6 -remote-> got6
  got6 -arguments-> stream_loop1
  stream_loop1 -result-> count5
  got6 -segment-> got7
  got7 -arguments-> produce
  got7 -item-> item8
  item8 -item-> item8
  got7 -item-> end9
produce line 26
  start (x, n) 26 27 28 29 30
  want_items (an item of items is wanted) 28 29 30 item
  start -token-> want_items
  want_items -token-> want_items
`, loop)
	require.Contains(t, graph("matmul"), "  start -remote-> got4\n  start -remote-> got5\n  start -remote-> got8\n") // or half of a sum
	require.Contains(t, graph("matmul"), "  got4 -arguments-> m_stream\n")
	require.Contains(t, graph("matmul"), "(an item of row, an item of column)")
	require.Contains(t, graph("pi"), "  cell -item-> want6\n") // a function that gets the sending end asks for items
	require.Contains(t, graph("pi"), "(an item of carry)")
	_, part, _ := strings.Cut(graph("sort"), "part line")
	require.NotContains(t, part, "result\n")
}

// A graph names what a block waits for: results of calls, items of channels.
func TestWhatBlocksWaitFor(t *testing.T) {
	waits := func(statements string) []string {
		g, err := compile.NewGraph("p.go", []byte(`package main

//emsim:arg n 1 9
func f(n int32) int32 {
	`+statements+`
}

func send(n int32, to chan<- int32) {
	defer close(to)
	for i := range n {
		to <- i
	}
}

func g(n int32) int32 {
	if n > 5 {
		return g(n-1) + 1
	}
	for i := range n {
		n += i
	}
	return n
}

func main() {}
`), compile.Options{Guards: compile.Callee})
		require.NoError(t, err)
		var out []string
		for _, n := range g.Functions[0].Nodes {
			if strings.HasPrefix(n.Name, "join") || strings.HasPrefix(n.Name, "item") {
				out = append(out, n.Waits)
			}
		}
		return out
	}
	const x, y = "x := make(chan int32)\ngo send(n, x)\n", "y := make(chan int32)\ngo send(n, y)\n"
	require.Equal(t, []string{"an item of x"}, waits(x+"return <-x"))
	require.Equal(t, []string{"a result"}, waits("return g(n)"))
	require.Equal(t, []string{"two results"}, waits("return g(n) + g(n+1)"))
	require.Equal(t, []string{"an item of x, an item of y"}, waits(x+y+"return <-x + <-y"))
	require.Equal(t, []string{"an item of x", "an item of x"}, waits(x+"return <-x + <-x"))
	require.Equal(t, []string{"an item of x, a result"}, waits(x+"return <-x + g(n)"))
	require.Equal(t, []string{"a result, an item of x"}, waits(x+"return g(n) + <-x"))
	require.Equal(t, []string{"two results", "the one before and an item of y"}, waits(y+"return g(n) + g(n+1) + <-y"))
	require.Equal(t, []string{"an item of y", "an item of x"}, waits(x+y+"v, ok := <-y\nif !ok { v = 0 }\nfor w := range x { v += w }\nreturn v"))
}

// A graph says of each function what goes in, what comes out and what it calls.
func TestGraphDescribesFunctions(t *testing.T) {
	for name, want := range map[string]string{
		"fib":    "fib: 1 word in and one word out, which calls itself; the caller tests whether a call ends at once",
		"queens": "place: 1 word in and one word out, which calls itself in a loop, a number of times that its argument decides; the caller tests whether a call ends at once",
		"sum":    "a tree over the PEs, which share the iterations evenly, whatever the policy",
		"matmul": "m_fill: 5 words in and one word out, a tree over all PEs, which fill their parts of m\nmatmul_loop1: 3 words in and one word out, a tree that halves its range; iterations are spread evenly, whatever the policy\nm_stream: 1 word in and a stream out, on the PE that owns the piece of m",
		"pi":     "cell: 3 words in and 1 stream out, which calls itself",
	} {
		g, err := compile.NewGraph(name+".go", []byte(source(t, name)), compile.Options{})
		require.NoError(t, err)
		var does []string
		for _, f := range g.Functions {
			does = append(does, f.Name+": "+f.Does)
		}
		require.Contains(t, strings.Join(does, "\n"), want)
	}
}
