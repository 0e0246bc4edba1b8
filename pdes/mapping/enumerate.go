package mapping

import (
	"context"
	"math"
	"slices"
)

// Enumerate rates every map with one LP per node and the first LP on node 0. It returns the least cost and the number
// of maps seen. It is deliberately simple, because it is a check of Exact. 3 stages on 4x3 have 11! = 39,916,800 maps.
func (p *Problem) Enumerate(ctx context.Context) (least float64, maps int64, err error) {
	at := slices.Repeat(Map{-1}, p.Graph.LPs)
	used, end := make([]bool, p.nodes), watch{ctx: ctx}
	least = math.Inf(1)
	var place func(lp int, cost float64)
	place = func(lp int, cost float64) {
		if lp == len(at) {
			maps++
			least = min(least, cost)
			return
		}
		for node := range used {
			if used[node] || lp == 0 && node > 0 {
				continue
			}
			if end.countStep() {
				return
			}
			used[node], at[lp] = true, int32(node)
			step := 0.0
			for _, i := range p.Graph.at[lp] {
				e := p.Graph.Edges[i]
				if u, v := at[e.From], at[e.To]; u >= 0 && v >= 0 {
					step += float64(float64(e.Traffic) * p.pair[int(u)*p.nodes+int(v)])
				}
			}
			place(lp+1, cost+step)
			used[node], at[lp] = false, -1
		}
	}
	place(0, 0)
	return least, maps, end.err
}
