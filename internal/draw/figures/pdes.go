package figures

import (
	"context"
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"emsim/pdes"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
	"emsim/pdes/study"
)

// pdesFigures are the figures of paper 004: the machine of its figure 2, what
// its cost function predicts, and what a migration costs.
func pdesFigures() []Figure {
	return []Figure{
		{
			Name:   "pdes-maps",
			Title:  "3-stage banyan on HXB 4x4: conventional and best map, turned edges dashed",
			Source: "004 figure 2", Width: 20 * vg.Centimeter, Height: 11.5 * vg.Centimeter,
			Draw: pdesMaps,
		},
		{
			Name:   "pdes-cost-runtime",
			Title:  "run time of 150 random maps against cost and against the busiest port",
			Source: "ours", Width: 20 * vg.Centimeter, Height: height,
			Draw: pdesCostRuntime,
		},
		{
			Name:   "pdes-pause",
			Title:  "one migration on a time line, PP by PP",
			Source: "004 section 3", Width: 20 * vg.Centimeter, Height: 12 * vg.Centimeter,
			Draw: pdesPause,
		},
	}
}

func pdesMaps(ctx context.Context) (Drawing, error) {
	p, err := study.Case{Kind: network.HXB, Shape: "4x4", Stages: 3}.Problem(mapping.Reference(), 1)
	if err != nil {
		return nil, err
	}
	best, err := p.Exact(ctx, mapping.ByCost)
	if err != nil {
		return nil, err
	}
	conventional := mapping.Conventional(p.Graph.LPs, p.Net.Nodes())
	return panels{columns: 2, parts: []Drawing{machineDrawing{p, conventional, "conventional"}, machineDrawing{p, best.Map, "best"}}}, nil
}

func pdesCostRuntime(ctx context.Context) (Drawing, error) {
	return costRuntime(ctx, study.Case{Kind: network.Torus, Shape: "8x4", Stages: 4}, 150, 100)
}

// costRuntime shows one cloud of maps twice: over cost, over port load.
func costRuntime(ctx context.Context, c study.Case, maps int, slots int64) (Drawing, error) {
	points, err := study.RandomMaps(ctx, c, mapping.Reference(), maps, 512, 8, slots)
	if err != nil {
		return nil, err
	}
	byCost, byLoad := study.Correlations(points)
	cloud := func(title, label string, x func(study.Point) float64) *plot.Plot {
		p := newPlot(title, label, "clocks a slot")
		xys := make(plotter.XYs, len(points))
		for i, pt := range points {
			xys[i].X, xys[i].Y = x(pt), pt.Clocks
		}
		s := &plotter.Scatter{XYs: xys, GlyphStyle: glyphStyle(4)}
		s.GlyphStyle.Color = color.Gray{Y: 60}
		p.Add(plotter.NewGrid(), s)
		return p
	}
	left := cloud(fmt.Sprintf("the paper's cost, r = %.2f", byCost), "cost (A = 0.1, B = 4.5)", func(p study.Point) float64 { return p.Score.Cost })
	right := cloud(fmt.Sprintf("the busiest port, r = %.2f", byLoad), "messages a slot over the busiest port", func(p study.Point) float64 { return float64(p.Score.MaxLoad) })
	right.X.Min, right.X.Max = right.X.Min-0.5, right.X.Max+0.5
	return panels{columns: 2, parts: []Drawing{left, right}}, nil
}

func pdesPause(ctx context.Context) (Drawing, error) {
	cfg, err := study.Case{Kind: network.Torus, Shape: "4x4", Stages: 3}.Config(150)
	if err != nil {
		return nil, err
	}
	cfg.Migrate = &pdes.Migration{At: 50_000, Weights: mapping.Reference(), Neighbour: mapping.Grid, Objective: mapping.ByCost}
	r, err := pdes.Run(ctx, cfg)
	if err != nil {
		return nil, err
	}
	m := r.Migrations[0]
	p := newPlot(fmt.Sprintf("a migration on TORUS 4x4: %d LPs move, %d clocks of pause", m.Moves, m.Clocks()), "clock", "PP")
	p.Add(pauseBars(*m))
	p.X.Min, p.X.Max = float64(m.Triggered)-1500, float64(m.Ended)+1500
	p.Y.Min, p.Y.Max = -0.8, float64(len(m.PPs))+1.4
	p.Y.Tick.Marker = ticksAt(numbered(len(m.PPs))...)
	return p, nil
}
