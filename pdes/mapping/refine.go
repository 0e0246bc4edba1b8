package mapping

import (
	"context"
	"math"
)

// refineLimit is the largest number of search nodes for one level of port load (chosen: about a second).
const refineLimit = 1_000_000

// refine replaces the map of s with the map that has the lightest ports among the maps that it finds at a cost of
// at most ceiling. It compares the maximum load first, then the sum of squares. Many maps have the least cost, and
// some of them run slower than the conventional one. With an infinite ceiling, Proven means that no map has a lower
// maximum load.
func (p *Problem) refine(ctx context.Context, s *Search, ceiling float64) error {
	r := &refiner{dfs: newDFS(ctx, p), loads: make([]int64, p.Net.Ports())}
	r.limit = ceiling
	known, squares := p.PortLoad(s.Map)
	for _, e := range p.Graph.Edges {
		r.cap = max(r.cap, e.Traffic) // every edge crosses a port
	}
	proven := true
	for {
		r.nodes, r.nextCap, r.best = 0, math.MaxInt64, math.Inf(1)
		if r.cap >= known {
			r.cap, r.best = known, squares // s.Map has this load: only a lower sum of squares helps
		}
		r.search(0, 0, 0)
		if r.err != nil {
			return r.err
		}
		s.Nodes += r.nodes
		if r.found != nil || r.cap >= known {
			break
		}
		proven = proven && r.nodes <= refineLimit
		r.cap = min(r.nextCap, known)
	}
	if r.found != nil {
		s.Map = r.found
	}
	if math.IsInf(ceiling, 1) {
		s.Proven = proven
	}
	return nil
}

// refiner is a depth-first search with port loads.
type refiner struct {
	*dfs
	loads   []int64
	cap     int64   // largest allowed traffic on a port
	nextCap int64   // the least port load of the maps that were cut in this pass
	best    float64 // sum of squares of the best map so far
	found   Map
}

// search visits the maps within the limits and keeps the one with the least sum of squares. It ends when the budget
// is used up.
func (r *refiner) search(depth int, cost, squares float64) {
	if depth == len(r.order) {
		if squares < r.best {
			r.best, r.found = squares, append(Map(nil), r.at...)
		}
		return
	}
	lp := r.order[depth]
	for _, c := range r.candidates(depth) {
		if r.nodes++; r.nodes > refineLimit || r.countStep() {
			return
		}
		r.placeLP(lp, c.node, 1)
		highest, grown := r.shiftLoad(lp, 1)
		switch {
		case highest > r.cap:
			r.nextCap = min(r.nextCap, highest)
		case squares+grown >= r.best:
		case math.IsInf(r.limit, 1) || r.bound(depth+1, cost+c.cost) <= r.limit+epsilon:
			r.search(depth+1, cost+c.cost, squares+grown)
		}
		r.shiftLoad(lp, -1)
		r.placeLP(lp, c.node, -1)
	}
}

// shiftLoad adds (sign 1) or removes (sign -1) the traffic between an LP and its placed partners, and returns the
// highest load of the changed ports and the change of the sum of squares.
func (r *refiner) shiftLoad(lp int32, sign int64) (highest int64, grown float64) {
	for _, i := range r.p.Graph.at[lp] {
		e := r.p.Graph.Edges[i]
		u, v := r.at[e.From], r.at[e.To]
		if u < 0 || v < 0 {
			continue
		}
		for _, port := range r.p.path[int(u)*r.p.nodes+int(v)] {
			before := r.loads[port]
			r.loads[port] += sign * e.Traffic
			highest = max(highest, r.loads[port])
			grown += square(r.loads[port]) - square(before)
		}
	}
	return highest, grown
}
