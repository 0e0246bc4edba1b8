package blockgraph

import (
	"cmp"
	"slices"
)

// layers puts every box below those that it gets values from, apart from loops.
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

// rows gives the boxes their places, layer by layer.
func (p *Panel) rows() {
	rows := map[int][]int{}
	last := 0
	for i := range p.Boxes {
		rows[p.Boxes[i].layer] = append(rows[p.Boxes[i].layer], i)
		last = max(last, p.Boxes[i].layer)
	}
	for l := range last + 1 {
		width := 0.0
		for _, i := range rows[l] {
			width += p.Boxes[i].Width + boxGap
		}
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

// above is where the boxes are, on average, that a box gets values from.
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
