package mapping

import (
	"context"

	"emsim/pdes/network"
)

// A Neighbour says which PPs may exchange their LPs [004 §4.2: "only LPs next
// to each other"].
type Neighbour string

// The meanings of "next to each other".
const (
	Grid Neighbour = "grid" // index +-1 on an axis, around the ring on TORUS
	XBar Neighbour = "xbar" // HXB only (chosen): on one crossbar, distance 1
)

// Neighbours returns all meanings.
func Neighbours() []Neighbour { return []Neighbour{Grid, XBar} }

// A Search is the result of a minimiser.
type Search struct {
	Map         Map
	Score       Score
	Proven      bool  // nothing better exists under the objective's first criterion
	Evaluations int64 // maps or swaps rated
	Swaps       int   // changes of the map applied (greedy, anneal)
	Nodes       int64 // search nodes (exact)
}

// Pairs returns the pairs of nodes that may exchange their LPs, X axis first, then Y, then Z, node ids ascending.
func Pairs(net *network.Net, how Neighbour) [][2]int {
	var pairs [][2]int
	for axis, size := range net.Dims {
		for node := range net.Nodes() {
			c := net.Coord(node, axis)
			switch {
			case how == XBar:
				for d := c + 1; d < size; d++ {
					pairs = append(pairs, [2]int{node, net.At(node, axis, d)})
				}
			case c+1 < size:
				pairs = append(pairs, [2]int{node, net.At(node, axis, c+1)})
			case net.Kind == network.Torus && size > 2:
				pairs = append(pairs, [2]int{node, net.At(node, axis, 0)})
			}
		}
	}
	return pairs
}

// Greedy improves a map as the paper describes [004 §4.2]. It rates the exchange of the LPs of every neighbouring
// pair, carries out the best exchange, and repeats until no exchange is a gain. If gains are equal, the first one
// found wins. PPs without LPs take part (chosen), but a pair of two PPs without LPs is not rated. With a compute term
// (Weights.C), single LPs may also move or be exchanged.
func (p *Problem) Greedy(ctx context.Context, start Map, how Neighbour, o Objective) (Search, error) {
	s, end := Search{Map: append(Map(nil), start...)}, watch{ctx: ctx}
	pairs := Pairs(p.Net, how)
	switch {
	case o == ByLoad:
		p.greedyLoad(&end, &s, pairs)
	case p.weighs():
		p.greedyWork(&end, &s, pairs)
	default:
		p.greedyCost(&end, &s, pairs)
	}
	if end.err != nil {
		return Search{}, end.err
	}
	s.Score = p.Score(s.Map)
	return s, nil
}

func (p *Problem) greedyCost(end *watch, s *Search, pairs [][2]int) {
	on, cost := hosts(s.Map, p.nodes), p.Cost(s.Map)
	for {
		best, gain := -1, epsilon
		for i, pair := range pairs {
			if end.countStep() {
				return
			}
			if bothEmpty(on, pair) {
				continue
			}
			s.Evaluations++
			if g := -p.swapDelta(s.Map, on, pair[0], pair[1]); g > gain+epsilon {
				best, gain = i, g
			}
		}
		if best < 0 {
			return
		}
		swapNodes(s.Map, on, pairs[best][0], pairs[best][1])
		// With large weights the rated gain can be a mere rounding error, for an exchange and for its reverse. So
		// only a lower cost of the whole map counts.
		now := p.Cost(s.Map)
		if now >= cost {
			swapNodes(s.Map, on, pairs[best][0], pairs[best][1])
			return
		}
		cost = now
		s.Swaps++
	}
}

// greedyLoad works like greedyCost for the objective ByLoad. It rates whole maps, because exchanges change loads
// along whole routes.
func (p *Problem) greedyLoad(end *watch, s *Search, pairs [][2]int) {
	on := hosts(s.Map, p.nodes)
	at := p.Score(s.Map)
	for {
		best, score := -1, at
		for i, pair := range pairs {
			if end.countStep() {
				return
			}
			if bothEmpty(on, pair) {
				continue
			}
			s.Evaluations++
			swapNodes(s.Map, on, pair[0], pair[1])
			if sc := p.Score(s.Map); sc.Better(score, ByLoad) {
				best, score = i, sc
			}
			swapNodes(s.Map, on, pair[0], pair[1])
		}
		if best < 0 {
			return
		}
		swapNodes(s.Map, on, pairs[best][0], pairs[best][1])
		at = score
		s.Swaps++
	}
}

// hosts returns the LPs on each node.
func hosts(m Map, nodes int) [][]int32 {
	on := make([][]int32, nodes)
	for lp, node := range m {
		on[node] = append(on[node], int32(lp))
	}
	return on
}

// bothEmpty reports whether neither node of a pair has LPs.
func bothEmpty(on [][]int32, pair [2]int) bool {
	return len(on[pair[0]]) == 0 && len(on[pair[1]]) == 0
}

// swapNodes exchanges the LPs of two nodes.
func swapNodes(m Map, on [][]int32, a, b int) {
	on[a], on[b] = on[b], on[a]
	for _, lp := range on[a] {
		m[lp] = int32(a)
	}
	for _, lp := range on[b] {
		m[lp] = int32(b)
	}
}

// swapDelta returns the change in cost from an exchange of the LPs of two nodes.
func (p *Problem) swapDelta(m Map, on [][]int32, a, b int) float64 {
	delta := 0.0
	side := func(lps []int32, from, to int) {
		for _, lp := range lps {
			for _, i := range p.Graph.at[lp] {
				e := p.Graph.Edges[i]
				u, v := int(m[e.From]), int(m[e.To])
				if (u == a || u == b) && (v == a || v == b) {
					continue // both ends move: the distance stays, since distances are symmetric
				}
				t := float64(e.Traffic)
				if e.From == lp {
					delta += float64(t * (p.pair[to*p.nodes+v] - p.pair[from*p.nodes+v]))
				} else {
					delta += float64(t * (p.pair[u*p.nodes+to] - p.pair[u*p.nodes+from]))
				}
			}
		}
	}
	side(on[a], a, b)
	side(on[b], b, a)
	return delta
}
