package blockgraph

import (
	"cmp"
	"slices"

	"emsim/internal/compile"
)

// Edge is a value under way between two boxes of a panel.
type Edge struct {
	From  int              `json:"from"`
	To    int              `json:"to"`
	Kind  compile.EdgeKind `json:"kind"`
	Start Point            `json:"start"`
	Curve []Bend           `json:"curve"`
	Tip   Point            `json:"tip"` // of its arrow, which points down
}

// Point is a place in a panel.
type Point [2]float64

// Bend is a Bézier curve from where the line is: one or two points that draw it near,
// then where it ends.
type Bend []Point

// arrowIn is how far a line ends above the tip of its arrow.
const arrowIn = 4

// route gives the lines their ways.
func (p *Panel) route() {
	starts, ends := p.ports(true), p.ports(false)
	for i := range p.Edges {
		e := &p.Edges[i]
		a, b := &p.Boxes[e.From], &p.Boxes[e.To]
		x, y := a.X+float64(a.Width*starts[i]), a.Y+a.Height
		tx, ty := b.X+float64(b.Width*ends[i]), b.Y
		e.Start, e.Tip = Point{x, y}, Point{tx, ty}
		if b.layer > a.layer {
			half := (ty - y) / 2
			e.Curve = []Bend{{{x, y + half}, {tx, ty - half}, {tx, ty - arrowIn}}}
			continue
		}
		// Back, on the right.
		side := p.Width - 10
		below, above := y+14, ty-16.0
		e.Curve = []Bend{
			{{x, below}, {(x + side) / 2, below}},
			{{side, below}, {side, (y + ty) / 2}},
			{{side, above}, {(tx + side) / 2, above}},
			{{tx, above}, {tx, ty - arrowIn}},
		}
	}
}

// ports says for each line where on the side of its box it begins or ends, as a part of
// the side: in the order of the boxes at the other ends.
func (p *Panel) ports(start bool) []float64 {
	box := func(i int) (here, there int) {
		if start {
			return p.Edges[i].From, p.Edges[i].To
		}
		return p.Edges[i].To, p.Edges[i].From
	}
	at := make([][]int, len(p.Boxes))
	for i := range p.Edges {
		here, _ := box(i)
		at[here] = append(at[here], i)
	}
	out := make([]float64, len(p.Edges))
	for _, list := range at {
		slices.SortStableFunc(list, func(a, b int) int {
			_, x := box(a)
			_, y := box(b)
			return cmp.Compare(p.Boxes[x].middle(), p.Boxes[y].middle())
		})
		for k, i := range list {
			out[i] = float64(k+1) / float64(len(list)+1)
		}
	}
	return out
}
