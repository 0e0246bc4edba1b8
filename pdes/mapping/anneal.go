package mapping

import (
	"context"
	"math"

	"emsim/internal/rng"
)

// Annealing schedule (chosen).
const (
	AnnealSteps = 200_000
	annealStart = 2.0  // first temperature, in mean costs of an edge
	annealEnd   = 1e-3 // last temperature, as a share of the first
)

// Anneal searches by simulated annealing from a map: exchanges of the LPs of
// two random nodes, the temperature falling geometrically. Under ByLoad it
// anneals the sum of squares of the port loads and keeps the best map by
// Score. The result is not proven optimal.
func (p *Problem) Anneal(ctx context.Context, start Map, o Objective, steps int, seed uint64) (Search, error) {
	s := Search{Map: append(Map(nil), start...), Score: p.Score(start)}
	if p.nodes < 2 || len(p.Graph.Edges) == 0 {
		s.Proven = true
		return s, nil
	}
	at := append(Map(nil), start...)
	on := hosts(at, p.nodes)
	energy := p.energy(s.Score, o)
	temperature := annealStart * energy / float64(len(p.Graph.Edges))
	cool := math.Pow(annealEnd, 1/float64(steps))
	draw := rng.New(seed, 2)
	best := energy
	end := watch{ctx: ctx}
	for range steps {
		if end.over() {
			return Search{}, end.err
		}
		a := draw.Below(p.nodes)
		b := draw.Below(p.nodes - 1)
		if b >= a {
			b++
		}
		s.Evaluations++
		delta := p.energyDelta(at, on, a, b, energy, o)
		if delta <= 0 || draw.Unit() < math.Exp(-delta/temperature) {
			swap(at, on, a, b)
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
		temperature *= cool
	}
	return s, nil
}

func (p *Problem) energy(s Score, o Objective) float64 {
	if o == ByLoad {
		return float64(s.Squares)
	}
	return s.Cost
}

func (p *Problem) energyDelta(m Map, on [][]int32, a, b int, energy float64, o Objective) float64 {
	if o == ByCost {
		return p.swapDelta(m, on, a, b)
	}
	swap(m, on, a, b)
	_, squares := p.PortLoad(m)
	swap(m, on, a, b)
	return float64(squares) - energy
}

// Random is a random map with at most one LP per node; if there are more LPs
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
