package mapping

import (
	"context"

	"emsim/internal/base/portable"
	"emsim/internal/base/rng"
)

// Annealing schedule (chosen).
const (
	AnnealSteps = 200_000
	annealStart = 2.0  // first temperature, in mean costs of an edge
	annealEnd   = 1e-3 // last temperature, relative to the first
)

// Anneal searches by simulated annealing from a start map. It exchanges the LPs of two random nodes, while the
// temperature falls geometrically. Under ByLoad it minimises the sum of squares of the port loads and keeps the best
// map by Score. Under ByCost with a compute term (Weights.C) it also moves and exchanges single LPs. The result is not
// proven optimal, except on one node or without edges: then Anneal returns the start map as proven.
func (p *Problem) Anneal(ctx context.Context, start Map, o Objective, steps int, seed uint64) (Search, error) {
	s := Search{Map: append(Map(nil), start...), Score: p.Score(start)}
	if p.nodes < 2 || len(p.Graph.Edges) == 0 {
		s.Proven = true
		return s, nil
	}
	if o == ByCost && p.weighs() {
		return p.annealWork(ctx, s, steps, seed)
	}
	at := append(Map(nil), start...)
	on := hosts(at, p.nodes)
	energy := p.energy(s.Score, o)
	temperature := annealStart * energy / float64(len(p.Graph.Edges))
	cool := portable.Root(annealEnd, steps)
	draw := rng.New(seed, 2)
	best := energy
	end := watch{ctx: ctx}
	for range steps {
		if end.countStep() {
			return Search{}, end.err
		}
		a := draw.Below(p.nodes)
		b := draw.Below(p.nodes - 1)
		if b >= a {
			b++
		}
		s.Evaluations++
		delta := p.energyDelta(at, on, a, b, energy, o)
		if delta <= 0 || draw.Unit() < portable.Exp(-delta/temperature) {
			swapNodes(at, on, a, b)
			energy += delta
			s.Swaps++
			if energy < best+epsilon {
				best = min(best, energy)
				if sc := p.Score(at); sc.Better(s.Score, o) {
					s.Score = sc
					copy(s.Map, at)
				}
			}
		}
		temperature = float64(temperature * cool)
	}
	return s, nil
}

func (p *Problem) energy(s Score, o Objective) float64 {
	if o == ByLoad {
		return s.Squares
	}
	return s.Cost
}

func (p *Problem) energyDelta(m Map, on [][]int32, a, b int, energy float64, o Objective) float64 {
	if o == ByCost {
		return p.swapDelta(m, on, a, b)
	}
	swapNodes(m, on, a, b)
	_, squares := p.PortLoad(m)
	swapNodes(m, on, a, b)
	return squares - energy
}

// annealWork does the work of Anneal with the compute term. It alternates three kinds of change: two random nodes
// exchange all LPs, a random LP goes to a random node, and two random LPs change places.
func (p *Problem) annealWork(ctx context.Context, s Search, steps int, seed uint64) (Search, error) {
	r := newRater(p, append(Map(nil), s.Map...))
	energy := p.Total(s.Map)
	best, end := energy, watch{ctx: ctx}
	temperature := annealStart * energy / float64(len(p.Graph.Edges))
	cool := portable.Root(annealEnd, steps)
	draw := rng.New(seed, 2)
	for step := range steps {
		if end.countStep() {
			return Search{}, end.err
		}
		list := r.random(&draw, step%3)
		s.Evaluations++
		delta := r.costChange(list)
		if delta <= 0 || draw.Unit() < portable.Exp(-delta/temperature) {
			r.apply(list)
			energy += delta
			s.Swaps++
			if energy < best-epsilon {
				best = energy
				copy(s.Map, r.m)
			}
		}
		temperature = float64(temperature * cool)
	}
	s.Score = p.Score(s.Map)
	return s, nil
}

// random returns random shifts of the given kind.
func (r *rater) random(draw *rng.Stream, kind int) []shift {
	a, b := draw.Below(r.p.nodes), draw.Below(r.p.nodes)
	x, y := int32(draw.Below(len(r.m))), int32(draw.Below(len(r.m)))
	switch {
	case kind == 0 && a != b:
		return r.shifts(a, b)[0]
	case kind == 1 || x == y:
		return []shift{{x, int32(a)}}
	}
	return []shift{{x, r.m[y]}, {y, r.m[x]}}
}

// RoundRobin returns the map that puts LP i on node i modulo the number of nodes.
func RoundRobin(lps, nodes int) Map {
	m := make(Map, lps)
	for lp := range m {
		m[lp] = int32(lp % nodes)
	}
	return m
}

// Random returns a random map with at most one LP per node; if there are more LPs
// than nodes, they are distributed evenly.
func Random(lps, nodes int, seed uint64) Map {
	stream := rng.New(seed, 1)
	perm := make([]int32, nodes)
	for i := range perm {
		perm[i] = int32(i)
	}
	rng.Shuffle(&stream, perm)
	m := Conventional(lps, nodes)
	for lp, node := range m {
		m[lp] = perm[node]
	}
	return m
}
