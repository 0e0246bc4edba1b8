package figures

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile"
	"emsim/internal/inspect/blockgraph"
)

func blockGraph(t *testing.T, name string, opt compile.Options) *blockgraph.Picture {
	t.Helper()
	src, err := os.ReadFile("../../../programs/go/" + name + "/" + name + ".go")
	require.NoError(t, err)
	g, err := compile.NewGraph(name+".go", src, opt)
	require.NoError(t, err)
	return blockgraph.New(g)
}

// A picture has the Go lines, the names of several programs, the lines that it uses in its legend,
// and the wanted size.
func TestBlockGraphs(t *testing.T) {
	a, b := blockGraph(t, "fib", compile.Options{}), blockGraph(t, "fib", compile.Options{Blocks: compile.Finest})
	alone := BlockGraphs("fib.go", []string{"largest"}, []*blockgraph.Picture{a}, OwnSize{})
	both := BlockGraphs("fib.go", []string{"largest", "finest"}, []*blockgraph.Picture{a, b}, OwnSize{})
	require.Greater(t, both.Width, alone.Width)
	svg := func(f Figure) string {
		text, err := Encode(t.Context(), f, "x.svg")
		require.NoError(t, err)
		return string(text)
	}
	one, two := svg(alone), svg(both)
	require.Contains(t, one, "return fib(n-1) + fib(n-2)")
	require.NotContains(t, one, ">finest<")
	require.Contains(t, two, ">finest<")
	require.NotContains(t, one, "to the next block of the same instance")
	require.Contains(t, two, "to the next block of the same instance")
	require.Equal(t, 1, strings.Count(two, ">a result<"))
	small := BlockGraphs("fib.go", []string{"largest"}, []*blockgraph.Picture{a}, OwnSize{Width: 10, Height: 12})
	require.Contains(t, svg(small), `width="283.46pt" height="340.16pt"`)
}
