package blockgraph

import (
	"cmp"
	"slices"

	"emsim/internal/base/lists"
	"emsim/internal/compile/cut"
)

// layers puts every box in a layer below the boxes that send values to it. Lines that close a loop are ignored.
func (p *Panel) layers() {
	next := make([][]int, len(p.Boxes))
	incoming := make([]int, len(p.Boxes))
	for _, e := range p.Edges {
		next[e.From] = append(next[e.From], e.To)
		if e.From != e.To {
			incoming[e.To]++
		}
	}
	state := make([]int, len(p.Boxes))
	var order []int
	var visit func(i int)
	visit = func(i int) {
		state[i] = 1
		for _, to := range next[i] {
			if state[to] == 0 {
				visit(to)
			}
		}
		state[i] = 2
		order = append(order, i)
	}
	for pass := range 2 {
		for i := range p.Boxes {
			if state[i] == 0 && (pass == 1 || incoming[i] == 0) {
				visit(i)
			}
		}
	}
	rank := make([]int, len(p.Boxes))
	for i, b := range order {
		rank[b] = len(order) - i
	}
	for _, i := range slices.Backward(order) {
		for _, to := range next[i] {
			if rank[to] > rank[i] { // not back to a box above
				p.Boxes[to].layer = max(p.Boxes[to].layer, p.Boxes[i].layer+1)
			}
		}
	}
}

// placeRows places the boxes, layer by layer.
func (p *Panel) placeRows() {
	rows := map[int][]int{}
	last := 0
	for i := range p.Boxes {
		rows[p.Boxes[i].layer] = append(rows[p.Boxes[i].layer], i)
		last = max(last, p.Boxes[i].layer)
	}
	for l := range last + 1 {
		width := lists.Sum(rows[l], func(i int) float64 { return p.Boxes[i].Width + boxGap })
		p.Width = max(p.Width, width+boxGap)
	}
	y := float64(head)
	for l := range last + 1 {
		row := rows[l]
		slices.SortStableFunc(row, func(a, b int) int { return cmp.Compare(p.above(a), p.above(b)) })
		width, height := -float64(boxGap), 0.0
		for _, i := range row {
			width += p.Boxes[i].Width + boxGap
			height = max(height, p.Boxes[i].Height)
		}
		x := (p.Width - width) / 2
		for _, i := range row {
			p.Boxes[i].X, p.Boxes[i].Y = x, y
			x += p.Boxes[i].Width + boxGap
		}
		y += height + layerGap
	}
	p.Height = y - layerGap + boxGap
	p.Width += backRoom
}

// above returns the mean position of the boxes above that send values to box i.
func (p *Panel) above(i int) float64 {
	sum, n := 0.0, 0
	for _, e := range p.Edges {
		if b := &p.Boxes[e.From]; e.To == i && b.layer < p.Boxes[i].layer {
			sum += b.middle()
			n++
		}
	}
	return sum / float64(max(1, n))
}

func (b *Box) middle() float64 { return b.X + b.Width/2 }

// Edge is a value that moves between two boxes of a panel.
type Edge struct {
	From  int          `json:"from"`
	To    int          `json:"to"`
	Kind  cut.EdgeKind `json:"kind"`
	Start Point        `json:"start"`
	Curve []Bend       `json:"curve"`
	Tip   Point        `json:"tip"` // of the arrowhead, which points down
}

// Point is a place in a panel.
type Point [2]float64

// Bend continues a line by a Bézier curve: one or two control points, then the end.
type Bend []Point

// arrowIn is the distance from a line's end down to the tip of its arrowhead.
const arrowIn = 4

// route computes the curves of the lines.
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
		// The line goes back up, on the right.
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

// ports returns the place at which each line meets the side of its box, from 0 to 1 along the side. The lines are
// ordered by the boxes at their other ends.
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
