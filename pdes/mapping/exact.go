package mapping

import (
	"context"
	"fmt"
	"math"
	"slices"

	"emsim/internal/base/simerr"
	"emsim/pdes/network"
)

// SearchLimit is the largest number of search nodes of one proof. A search that needs more ends with an error (chosen:
// about three minutes).
const SearchLimit = 200_000_000

// Exact finds a cheapest map and proves that no map is cheaper. Among the cheapest maps it takes one with the
// lightest ports (see refine). It needs at least as many PPs as LPs, one LP per PP. Under ByLoad it then searches for
// the least maximum port load at any cost, and Proven refers to that load.
//
// The first LP is on node 0, because all three networks look the same from every node. The search is iterative
// deepening: it looks for a map whose bound stays within a limit, which is at first the sum of the cheapest edges. If
// there is none, the limit becomes the least bound of the maps that were cut. The first map within the limit is a
// cheapest one.
func (p *Problem) Exact(ctx context.Context, o Objective) (Search, error) {
	if p.Graph.LPs > p.nodes {
		return Search{}, simerr.Usagef("exact search puts every LP on a PP of its own: %d LPs need as many PPs, the "+
			"shape has %d; take a larger shape, or greedy or anneal", p.Graph.LPs, p.nodes)
	}
	s := Search{Map: make(Map, p.Graph.LPs)}
	d := newDFS(ctx, p)
	d.mirrors = true
	d.limit = d.bound(0, 0)
	for {
		d.next = math.Inf(1)
		if d.place(0, 0) {
			break
		}
		if d.err != nil {
			return Search{}, d.err
		}
		if d.nodes > SearchLimit || math.IsInf(d.next, 1) {
			return Search{}, &simerr.Limit{
				Machine: "pdes", Name: "no_proof", Keys: simerr.Keys{"clock": int64(0)},
				Err: fmt.Errorf("no proof of the least cost within %d search nodes: it is at least %g",
					int64(SearchLimit), d.limit),
			}
		}
		d.limit = d.next
	}
	copy(s.Map, d.at)
	s.Proven, s.Nodes = true, d.nodes
	err := p.refine(ctx, &s, p.Cost(s.Map))
	if o == ByLoad && err == nil {
		err = p.refine(ctx, &s, math.Inf(1))
	}
	if err != nil {
		return Search{}, err
	}
	s.Score = p.Score(s.Map)
	return s, nil
}

// dfs is the state of the depth-first search.
type dfs struct {
	watch
	p     *Problem
	order []int32 // LPs in the order of placement
	at    Map     // node by LP, -1 while unplaced
	used  []bool  // by node
	least float64 // cheapest edge of the network
	limit float64 // maps with a higher bound are cut
	next  float64 // the least bound of the maps that were cut in this pass
	nodes int64
	coord [][]int // by axis and node
	seen  [][]int // by axis and coordinate: LPs placed there
	// mirrors says that both directions on a ring are equivalent. This holds for costs but not for port loads, where
	// a tie between directions goes +.
	mirrors bool

	toPlaced [][]float64 // by LP and node: cost of its edges to placed LPs
	touched  []int64     // by LP: its traffic with placed LPs
	rest     []float64   // by depth: the cost of the edges not yet placed, each at the least cost
	choices  [][]choice  // by depth, reused
}

type choice struct {
	node int32
	cost float64
}

func newDFS(ctx context.Context, p *Problem) *dfs {
	n := p.Graph.LPs
	d := &dfs{
		watch: watch{ctx: ctx}, p: p, at: make(Map, n), used: make([]bool, p.nodes), least: math.Inf(1),
		toPlaced: make([][]float64, n), touched: make([]int64, n), choices: make([][]choice, n),
	}
	for i := range d.at {
		d.at[i] = -1
		d.toPlaced[i] = make([]float64, p.nodes)
	}
	for from := range p.nodes {
		for to := range p.nodes {
			if from != to {
				d.least = min(d.least, p.pair[from*p.nodes+to])
			}
		}
	}
	if p.nodes < 2 {
		d.least = 0
	}
	for axis, size := range p.Net.Dims {
		d.seen, d.coord = append(d.seen, make([]int, size)), append(d.coord, make([]int, p.nodes))
		for node := range p.nodes {
			d.coord[axis][node] = p.Net.Coord(node, axis)
		}
	}
	d.order = placementOrder(p.Graph)
	place := make([]int, n)
	for depth, lp := range d.order {
		place[lp] = depth
	}
	d.rest = make([]float64, n+1)
	for _, e := range p.Graph.Edges {
		if e.From == e.To {
			continue
		}
		for depth := range max(place[e.From], place[e.To]) + 1 {
			d.rest[depth] += float64(float64(e.Traffic) * d.least)
		}
	}
	return d
}

// placementOrder returns the LPs in order of placement. It begins with LP 0 and continues with the LP with the most
// placed partners, and the lowest id among equals.
func placementOrder(g *Graph) []int32 {
	placed := make([]int, g.LPs) // placed partners; -1 if the LP itself is placed
	var order []int32
	for range g.LPs {
		best := -1
		for lp, n := range placed {
			if n >= 0 && (best < 0 || n > placed[best]) {
				best = lp
			}
		}
		placed[best] = -1
		order = append(order, int32(best))
		for _, i := range g.at[best] {
			e := g.Edges[i]
			for _, other := range []int32{e.From, e.To} {
				if placed[other] >= 0 {
					placed[other]++
				}
			}
		}
	}
	return order
}

// place tries the LP at a depth on its candidate nodes, cheapest first. It reports whether it found a complete map
// within the limit.
func (d *dfs) place(depth int, cost float64) bool {
	if depth == len(d.order) {
		return true
	}
	lp := d.order[depth]
	for _, c := range d.candidates(depth) {
		d.nodes++
		if d.nodes > SearchLimit || d.countStep() {
			return false
		}
		d.placeLP(lp, c.node, 1)
		if b := d.bound(depth+1, cost+c.cost); b > d.limit+epsilon {
			d.next = min(d.next, b)
		} else if d.place(depth+1, cost+c.cost) {
			return true
		}
		d.placeLP(lp, c.node, -1)
	}
	return false
}

// candidates returns the nodes worth trying for the LP at a depth, cheapest first, and the lowest node first among
// equals. If nodes are mirror images of each other, given the placed LPs, it returns only one of them.
func (d *dfs) candidates(depth int) []choice {
	lp := d.order[depth]
	list := d.choices[depth][:0]
	for node := range d.used {
		if !d.used[node] && (depth > 0 || node == 0) && !d.mirrored(node) {
			list = append(list, choice{int32(node), d.toPlaced[lp][node]})
		}
	}
	d.choices[depth] = list
	slices.SortStableFunc(list, func(a, b choice) int {
		switch {
		case a.cost < b.cost-epsilon:
			return -1
		case a.cost > b.cost+epsilon:
			return 1
		}
		return 0
	})
	return list
}

// mirrored reports whether a node need not be tried because its mirror image is tried. On a crossbar all unused
// coordinates are equivalent: the lowest represents them. On a ring both directions are equivalent until an LP is at
// a point other than 0 and size/2.
func (d *dfs) mirrored(node int) bool {
	net := d.p.Net
	for axis, size := range net.Dims {
		c, seen := d.coord[axis][node], d.seen[axis]
		switch {
		case net.Kind == network.HXB:
			if seen[c] == 0 && slices.Index(seen, 0) < c {
				return true
			}
		case net.Kind == network.Torus && d.mirrors:
			straight := true
			for at, n := range seen {
				straight = straight && (n == 0 || 2*at%size == 0)
			}
			if straight && 2*c > size {
				return true
			}
		}
	}
	return false
}

// placeLP places an LP (sign 1) or removes it (sign -1).
func (d *dfs) placeLP(lp, node int32, sign float64) {
	d.used[node] = sign > 0
	for axis := range d.seen {
		d.seen[axis][d.coord[axis][node]] += int(sign)
	}
	d.at[lp] = node
	if sign < 0 {
		d.at[lp] = -1
	}
	n := d.p.nodes
	for _, i := range d.p.Graph.at[lp] {
		e := d.p.Graph.Edges[i]
		other := e.From + e.To - lp
		if other == lp || d.at[other] >= 0 {
			continue
		}
		d.touched[other] += int64(sign) * e.Traffic
		row, costs := d.p.pair[int(node)*n:int(node)*n+n], d.toPlaced[other][:n]
		t := float64(sign * float64(e.Traffic))
		for v, w := range row {
			costs[v] += float64(t * w)
		}
	}
}

// bound returns a lower bound of the cost of all completions: the cost of the placed LPs, for every unplaced LP the
// cost to placed partners from its cheapest free node, and the least cost for every edge between unplaced LPs. It
// stops adding when the sum exceeds the limit.
func (d *dfs) bound(depth int, cost float64) float64 {
	cost += d.rest[depth]
	for _, lp := range d.order[depth:] {
		if d.touched[lp] == 0 {
			continue
		}
		best := math.Inf(1)
		for node, w := range d.toPlaced[lp] {
			if w < best && !d.used[node] {
				best = w
			}
		}
		if cost += best - float64(float64(d.touched[lp])*d.least); cost > d.limit+epsilon {
			break
		}
	}
	return cost
}
