package blockgraph

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile"
	"emsim/internal/compile/cut"
)

// programs lists all programs in Go.
var programs = []string{"fib", "knapsack", "loop", "matmul", "pi", "queens", "sort", "stream", "sum"}

func picture(t *testing.T, name string, opt compile.Options) *Picture {
	t.Helper()
	src, err := os.ReadFile("../../../programs/go/" + name + "/" + name + ".go")
	require.NoError(t, err)
	g, err := compile.NewGraph(name+".go", src, opt)
	require.NoError(t, err)
	return New(g)
}

// all calls f with the pictures of all programs, cut into the largest and into the finest blocks.
func all(t *testing.T, f func(name string, p *Picture)) {
	for _, name := range programs {
		f(name, picture(t, name, compile.Options{}))
		f(name+" finest", picture(t, name, compile.Options{Blocks: compile.Finest, Guards: compile.Callee}))
	}
}

// Boxes do not overlap and lie inside their panels; panels lie inside the picture.
func TestPlaces(t *testing.T) {
	all(t, func(name string, p *Picture) {
		end := 0.0
		for _, x := range p.Panels {
			require.Equal(t, Point{Gap, end}, Point{x.X, x.Y})
			require.LessOrEqual(t, x.Width, p.Width-2*Gap)
			end += x.Height + Gap
			for i, a := range x.Boxes {
				require.True(t, a.X >= 0 && a.Y >= head && a.X+a.Width <= x.Width-backRoom && a.Y+a.Height <= x.Height,
					"%s %s", name, a.Name)
				for _, b := range x.Boxes[:i] {
					apart := a.X+a.Width+boxGap <= b.X || b.X+b.Width+boxGap <= a.X || a.Y+a.Height+layerGap <= b.Y ||
						b.Y+b.Height+layerGap <= a.Y
					require.True(t, apart || a.Y == b.Y && math.Abs(a.X-b.X) >= boxGap+min(a.Width, b.Width)-1e-9,
						"%s: %s and %s", name, a.Name, b.Name)
				}
			}
		}
		require.Equal(t, end, p.Height)
	})
}

// The rows of a panel follow each other without a gap. The boxes of a row are centred, in the order of the boxes above
// that send them values.
func TestRows(t *testing.T) {
	narrow, cut := false, false
	all(t, func(name string, p *Picture) {
		for _, x := range p.Panels {
			rows := map[float64][]int{}
			for i, b := range x.Boxes {
				rows[b.Y] = append(rows[b.Y], i)
				require.LessOrEqual(t, b.Width, float64(boxWidth+2*pad))
				narrow = narrow || b.Width < boxWidth
				for _, one := range b.Texts {
					cut = cut || one.Shown != one.Words
					require.Less(t, float64(1.18*width(one.Shown, false)), b.Width-pad, "%s: in a wider font", name)
				}
			}
			next := float64(head)
			for _, y := range slices.Sorted(maps.Keys(rows)) {
				require.Equal(t, next, y, name)
				row := rows[y]
				slices.SortFunc(row, func(a, b int) int { return cmp.Compare(x.Boxes[a].X, x.Boxes[b].X) })
				first, last := &x.Boxes[row[0]], &x.Boxes[row[len(row)-1]]
				require.InDelta(t, first.X, x.Width-backRoom-last.X-last.Width, 1e-9, name)
				tall := 0.0
				for k, i := range row {
					require.True(t, k == 0 || x.above(row[k-1]) <= x.above(i), name)
					tall = max(tall, x.Boxes[i].Height)
				}
				next += tall + layerGap
			}
		}
	})
	require.True(t, narrow && cut)
}

// Lines lead from the lower side of a box to the upper side of another box, each with its own start and end. They go
// down, except in loops.
func TestLines(t *testing.T) {
	all(t, func(name string, p *Picture) {
		for _, x := range p.Panels {
			ends := map[string]bool{}
			up := 0
			for _, e := range x.Edges {
				a, b := &x.Boxes[e.From], &x.Boxes[e.To]
				require.Equal(t, a.Y+a.Height, e.Start[1])
				require.True(t, a.X < e.Start[0] && e.Start[0] < a.X+a.Width, name)
				require.Equal(t, b.Y, e.Tip[1])
				require.True(t, b.X < e.Tip[0] && e.Tip[0] < b.X+b.Width, name)
				last := e.Curve[len(e.Curve)-1]
				require.Equal(t, Point{e.Tip[0], e.Tip[1] - arrowIn}, last[len(last)-1])
				for _, bend := range e.Curve {
					for _, at := range bend {
						require.True(t, at[0] > 0 && at[0] < x.Width, name)
					}
				}
				for _, end := range []string{fmt.Sprint("from", e.Start), fmt.Sprint("to", e.Tip)} {
					require.False(t, ends[end], "%s: two lines at one place", name)
					ends[end] = true
				}
				if b.Y <= a.Y {
					up++
					require.Len(t, e.Curve, 4)
				} else {
					require.Len(t, e.Curve, 1)
					require.InDelta(t, (e.Start[1]+e.Tip[1])/2, e.Curve[0][0][1], 1e-9)
					require.InDelta(t, (e.Start[1]+e.Tip[1])/2, e.Curve[0][1][1], 1e-9)
				}
			}
			switch {
			case x.Name == "fib":
				require.Zero(t, up)
			case x.Name == "place": // in queens: the chains
				require.NotZero(t, up)
			}
		}
	})
}

// The lines that leave a box, and the lines that enter it, are in the order of the boxes at their other ends.
func TestPorts(t *testing.T) {
	p := picture(t, "fib", compile.Options{}).Panels[0]
	for i, a := range p.Edges {
		for _, b := range p.Edges[:i] {
			if x, y := p.Boxes[a.To].middle(), p.Boxes[b.To].middle(); a.From == b.From && x != y {
				require.Equal(t, x < y, a.Start[0] < b.Start[0])
			}
			if x, y := p.Boxes[a.From].middle(), p.Boxes[b.From].middle(); a.To == b.To && x != y {
				require.Equal(t, x < y, a.Tip[0] < b.Tip[0])
			}
		}
	}
}

// A box shows what its block waits for, which lines it runs, what it sends, and the labels at which the machine begins
// it.
func TestTexts(t *testing.T) {
	texts := func(b *Box) string {
		var out []string
		for i, x := range b.Texts {
			out = append(out, fmt.Sprintf("%s %d %s", x.Role, x.Line, x.Words))
			require.LessOrEqual(t, b.X+pad+width(x.Shown, x.Bold()), b.X+b.Width-pad+1.01)
			require.Equal(t, Point{pad, pad - 1 + float64(i)*LineSpace}, Point{x.X, x.Y})
			require.LessOrEqual(t, x.Y+LineSpace, b.Height)
		}
		return strings.Join(out, "\n")
	}
	fib := picture(t, "fib", compile.Options{Guards: compile.Callee}).Panels[0]
	require.Equal(t, "func fib, line 11", fib.Title)
	require.Regexp(t, `^name 0 start   \d+ instructions
waits 0 waits for: n, where the result goes
line 12 12  if n < 3 \{
line 13 13  return 1
line 15 15  return fib\(n-1\) \+ fib\(n-2\)
sends 0 sends the result$`, texts(&fib.Boxes[0]))
	require.Equal(t, []string{"fib.start"}, fib.Boxes[0].Begins)
	finest := picture(t, "fib", compile.Options{Blocks: compile.Finest}).Panels[0]
	require.Contains(t, texts(&finest.Boxes[1]), "waits 0 cut here: ")

	stream := picture(t, "stream", compile.Options{})
	for _, p := range stream.Panels {
		for i := range p.Boxes {
			b := &p.Boxes[i]
			switch text := texts(b); {
			case b.Call:
				require.Equal(t, "line 0 "+b.Name, text)
				require.Empty(t, b.Begins)
			case strings.HasPrefix(b.Name, "want"):
				require.Contains(t, text, "sends 0 sends an item")
			case strings.HasPrefix(b.Name, "end"): // the other exit of a block for items
				require.Len(t, b.Begins, 1)
				require.Regexp(t, `^stream_loop1\.item\d+\.end$`, b.Begins[0])
			default:
				require.Equal(t, []string{p.Name + "." + b.Name}, b.Begins)
			}
		}
	}
}

// The legend has the kinds that occur, in a fixed order.
func TestKinds(t *testing.T) {
	fib, matmul := picture(t, "fib", compile.Options{}), picture(t, "matmul", compile.Options{})
	list := func(k []Kind) (out []cut.EdgeKind) {
		for _, x := range k {
			require.NotEmpty(t, x.Words)
			out = append(out, x.Kind)
		}
		return out
	}
	require.Equal(t, []cut.EdgeKind{cut.EdgeSegment, cut.EdgeArgs, cut.EdgeResult}, list(fib.Kinds))
	require.Equal(t, append([]cut.EdgeKind{cut.EdgeSegment}, list(matmul.Kinds)...), list(Kinds(fib, matmul)),
		"what only fib has goes first")
	require.Contains(t, list(matmul.Kinds), cut.EdgeRemote)
	require.NotContains(t, list(fib.Kinds), cut.EdgeRemote)
}
