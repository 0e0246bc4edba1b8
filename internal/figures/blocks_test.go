package figures

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile"
)

func blockGraph(t *testing.T, name string, opt compile.Options) *compile.Graph {
	t.Helper()
	src, err := os.ReadFile("../../programs/go/" + name + "/" + name + ".go")
	require.NoError(t, err)
	g, err := compile.NewGraph(name+".go", src, opt)
	require.NoError(t, err)
	return g
}

// Boxes do not overlap and lie inside of their panel; values go down, apart from
// those of loops.
func TestBlockPanels(t *testing.T) {
	for _, name := range []string{"fib", "knapsack", "queens", "loop", "sum"} {
		for _, opt := range []compile.Options{{}, {Blocks: compile.Finest, Guards: compile.Callee}} {
			for _, f := range blockGraph(t, name, opt).Functions {
				p := newBlockPanel(f)
				for i, a := range p.boxes {
					require.True(t, a.x >= 0 && a.y >= panelHead && a.x+a.w <= p.width && a.y+a.h <= p.height, "%s %s", name, f.Nodes[i].Name)
					for j, b := range p.boxes[:i] {
						apart := a.x+a.w <= b.x || b.x+b.w <= a.x || a.y+a.h <= b.y || b.y+b.h <= a.y
						require.True(t, apart, "%s: %s and %s", name, f.Nodes[i].Name, f.Nodes[j].Name)
					}
				}
				up := 0
				for _, e := range f.Edges {
					if p.boxes[e.To].layer <= p.boxes[e.From].layer {
						up++
					}
				}
				switch f.Name {
				case "fib":
					require.Zero(t, up)
				case "place": // of queens: the chains
					require.NotZero(t, up)
				}
			}
		}
	}
}

// A picture has the Go lines, the names of the programs beside each other, and the
// lines that it uses in its legend.
func TestBlockGraphs(t *testing.T) {
	a, b := blockGraph(t, "fib", compile.Options{}), blockGraph(t, "fib", compile.Options{Blocks: compile.Finest})
	alone := BlockGraphs("fib.go", []string{"largest"}, []*compile.Graph{a}, OwnSize{})
	both := BlockGraphs("fib.go", []string{"largest", "finest"}, []*compile.Graph{a, b}, OwnSize{})
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
	small := BlockGraphs("fib.go", []string{"largest"}, []*compile.Graph{a}, OwnSize{Width: 10, Height: 12})
	require.Contains(t, svg(small), `width="283.46pt" height="340.16pt"`)
}
