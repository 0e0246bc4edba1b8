package mapping

import "emsim/internal/base/portable"

// Work is the processor time that a map distributes over the PPs. The paper's
// cost function ignores it.
type Work struct {
	Clocks []float64    // by LP: clocks of its own slots
	Ends   [][2]float64 // by edge: clocks on the sender's and the receiver's PP, if these differ
}

// With sets the problem's work and returns the problem. Weights.C is the weight of the work.
func (p *Problem) With(w *Work) *Problem {
	p.work = w
	sum, traffic := 0.0, int64(0)
	for _, c := range w.Clocks {
		sum += c
	}
	for i, e := range p.Graph.Edges {
		sum += w.Ends[i][0] + w.Ends[i][1]
		traffic += e.Traffic
	}
	if sum > 0 {
		p.mean = sum / float64(p.nodes)
		p.term = p.weights.C * float64(max(1, traffic)) / float64(p.nodes)
	}
	return p
}

// power returns what a PP's work adds to the compute term, up to a constant factor: the eighth power of the work over
// its mean. So the busiest PPs, for which all others wait, count most, and any relief of them is a gain.
func (p *Problem) power(load float64) float64 {
	return portable.Power(load/p.mean, 8)
}

// WorkOf returns the work of every PP under a map.
func (p *Problem) WorkOf(m Map) []float64 {
	load := make([]float64, p.nodes)
	if p.work == nil {
		return load
	}
	for lp, node := range m {
		load[node] += p.work.Clocks[lp]
	}
	for i, e := range p.Graph.Edges {
		if from, to := m[e.From], m[e.To]; from != to {
			load[from] += p.work.Ends[i][0]
			load[to] += p.work.Ends[i][1]
		}
	}
	return load
}

// Compute returns the compute term of the cost: Weights.C times the number of messages times the mean over all PPs of
// (work/mean work)^8. The mean work assumes that every message goes to another PP.
func (p *Problem) Compute(m Map) float64 {
	if p.term == 0 {
		return 0
	}
	sum := 0.0
	for _, load := range p.WorkOf(m) {
		sum += p.power(load)
	}
	return float64(p.term * sum)
}

// Total returns the value that minimisers reduce: the paper's cost plus the compute term.
func (p *Problem) Total(m Map) float64 { return p.Cost(m) + p.Compute(m) }

// weighs reports whether the compute term counts.
func (p *Problem) weighs() bool { return p.term > 0 }

// A shift is a proposed move of an LP to a node.
type shift struct{ lp, to int32 }

// rater rates shifts of single LPs. Unlike exchanges of all LPs of two PPs, these can level the work. It keeps the
// work of every PP under the current map.
type rater struct {
	p      *Problem
	m      Map
	on     [][]int32
	load   []float64
	change []float64 // change of load, by node; 0 between two ratings
	nodes  []int32   // the nodes with a change
	seen   []int     // by edge: the last rating that saw it
	round  int
}

func newRater(p *Problem, m Map) *rater {
	return &rater{
		p: p, m: m, on: hosts(m, p.nodes), load: p.WorkOf(m), change: make([]float64, p.nodes),
		seen: make([]int, len(p.Graph.Edges)),
	}
}

// noteWork adds clocks to the change of a node's work.
func (r *rater) noteWork(node int32, clocks float64) {
	r.change[node] += clocks
	r.nodes = append(r.nodes, node)
}

// edges subtracts (sign -1) or adds (sign 1) the cost and work of all edges of the shifted LPs. It returns the sum of
// the costs with this sign.
func (r *rater) edges(list []shift, sign float64) float64 {
	r.round++
	sum := 0.0
	for _, s := range list {
		r.noteWork(r.m[s.lp], float64(sign*r.p.work.Clocks[s.lp]))
		for _, i := range r.p.Graph.at[s.lp] {
			if r.seen[i] == r.round {
				continue
			}
			r.seen[i] = r.round
			e := r.p.Graph.Edges[i]
			from, to := r.m[e.From], r.m[e.To]
			if from == to {
				continue
			}
			sum += float64(float64(e.Traffic) * r.p.pair[int(from)*r.p.nodes+int(to)])
			r.noteWork(from, float64(sign*r.p.work.Ends[i][0]))
			r.noteWork(to, float64(sign*r.p.work.Ends[i][1]))
		}
	}
	return float64(sign * sum)
}

// costChange returns how the shifts would change the total cost.
func (r *rater) costChange(list []shift) float64 {
	delta := r.edges(list, -1)
	back := make([]shift, len(list))
	for k, s := range list {
		back[k] = shift{s.lp, r.m[s.lp]}
	}
	r.place(list)
	delta += r.edges(list, 1)
	r.place(back)
	powers := 0.0
	for _, n := range r.nodes {
		if c := r.change[n]; c != 0 {
			r.change[n] = 0
			powers += r.p.power(r.load[n]+c) - r.p.power(r.load[n])
		}
	}
	r.nodes = r.nodes[:0]
	return delta + float64(r.p.term*powers)
}

func (r *rater) place(list []shift) {
	for _, s := range list {
		r.m[s.lp] = s.to
	}
}

// apply makes the shifts and updates the work.
func (r *rater) apply(list []shift) {
	r.place(list)
	r.on, r.load = hosts(r.m, r.p.nodes), r.p.WorkOf(r.m)
}

// shifts returns the exchanges that two PPs can make: exchange all LPs, as in the paper; give one LP; exchange one LP
// for another.
func (r *rater) shifts(a, b int) [][]shift {
	var all []shift
	var list [][]shift
	for _, x := range r.on[a] {
		all = append(all, shift{x, int32(b)})
	}
	for _, y := range r.on[b] {
		all = append(all, shift{y, int32(a)})
	}
	list = append(list, all)
	if len(all) == 1 {
		return list // giving it is the same as exchanging all
	}
	for _, s := range all {
		list = append(list, []shift{s})
	}
	if len(all) == 2 && len(r.on[a]) == 1 {
		return list // exchanging one for one is the same as exchanging all
	}
	for _, x := range r.on[a] {
		for _, y := range r.on[b] {
			list = append(list, []shift{{x, int32(b)}, {y, int32(a)}})
		}
	}
	return list
}

// greedyWork works like greedyCost with the compute term. It also rates moves and exchanges of single LPs.
func (p *Problem) greedyWork(end *watch, s *Search, pairs [][2]int) {
	r, cost := newRater(p, s.Map), p.Total(s.Map)
	for {
		var best []shift
		gain := epsilon
		for _, pair := range pairs {
			if bothEmpty(r.on, pair) {
				continue
			}
			for _, list := range r.shifts(pair[0], pair[1]) {
				if end.countStep() {
					return
				}
				s.Evaluations++
				if g := -r.costChange(list); g > gain+epsilon {
					best, gain = list, g
				}
			}
		}
		if best == nil {
			return
		}
		before := append(Map(nil), s.Map...)
		r.apply(best)
		now := p.Total(s.Map)
		if now >= cost { // mere rounding, as in greedyCost
			copy(s.Map, before)
			return
		}
		cost = now
		s.Swaps++
	}
}
