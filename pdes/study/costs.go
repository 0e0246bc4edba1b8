package study

import (
	"context"

	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// Costs is one row of the cost table.
type Costs struct {
	Case
	PPs          int
	Conventional mapping.Score
	Grid         mapping.Search // greedy, index neighbours
	XBar         mapping.Search // greedy, crossbar neighbours; HXB only
	Exact        mapping.Search // its Map is nil if no best map is known
	Turned       int            // edges that change axis under the conventional map
	Edges        int
}

// Ratio returns the conventional cost over the least.
func (c *Costs) Ratio() float64 { return c.RatioTo(c.Exact.Score) }

// RatioTo returns the conventional cost divided by another cost. It returns 1 if no message costs anything, as in a
// banyan of one stage.
func (c *Costs) RatioTo(s mapping.Score) float64 {
	if s.Cost == c.Conventional.Cost {
		return 1
	}
	return c.Conventional.Cost / s.Cost
}

// CostsOf measures one row of the cost table: the conventional map, and the greedy and exact maps. If LPs must share
// PPs there is no exact search. If the exact search fails, its error is returned with all other values. A graph that
// changes is rated by its first slot; lpgraph.Graph.Mean makes one that does not change.
func CostsOf(ctx context.Context, c Case, w mapping.Weights) (*Costs, error) {
	r, p, err := greedyOf(ctx, c, w)
	if err != nil || p.Graph.LPs > p.Net.Nodes() {
		return r, err
	}
	r.Exact, err = p.Exact(ctx, mapping.ByCost)
	return r, err
}

// greedyOf works like CostsOf, without the exact search, which can take seconds.
func greedyOf(ctx context.Context, c Case, w mapping.Weights) (*Costs, *mapping.Problem, error) {
	p, err := c.Problem(w, 1)
	if err != nil {
		return nil, nil, err
	}
	start := mapping.Conventional(p.Graph.LPs, p.Net.Nodes())
	r := &Costs{Case: c, PPs: p.Net.Nodes(), Conventional: p.Score(start)}
	if r.Grid, err = p.Greedy(ctx, start, mapping.Grid, mapping.ByCost); err != nil {
		return nil, nil, err
	}
	r.Turned, r.Edges = p.Turned(start)
	if c.Kind == network.HXB {
		r.XBar, err = p.Greedy(ctx, start, mapping.XBar, mapping.ByCost)
	}
	return r, p, err
}

// Reference returns the ratios of hypothesis H*, which would explain the paper's
// "a fourth" and "a third" [004 §5]: 3 stages on HXB 4x4 by full search, and 4
// stages on HXB 4x4x2 by the greedy with crossbar neighbours. Both have omega
// wiring and start row by row.
func Reference(ctx context.Context, w mapping.Weights) (three, four float64, err error) {
	c3, err := CostsOf(ctx, Case{network.HXB, "4x4", 3, "", nil}, w)
	if err != nil {
		return 0, 0, err
	}
	c4, _, err := greedyOf(ctx, Case{network.HXB, "4x4x2", 4, "", nil}, w)
	if err != nil {
		return 0, 0, err
	}
	return c3.Ratio(), c4.Conventional.Cost / c4.XBar.Score.Cost, nil
}
