package figures

import (
	"context"
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

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

// beside draws figures side by side, in equal shares of the width.
type beside []Drawing

func (b beside) Draw(c draw.Canvas) {
	share := c.Size().X / vg.Length(len(b))
	for i, d := range b {
		d.Draw(draw.Crop(c, vg.Length(vg.Length(i)*share)+6, vg.Length(-vg.Length(len(b)-1-i)*share)-6, 0, 0))
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
	return beside{
		machineDrawing{p, conventional, "conventional"},
		machineDrawing{p, best.Map, "best"},
	}, nil
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
	cloud := func(title, label string, x func(study.Point) float64) (*plot.Plot, error) {
		p := newPlot(title, label, "clocks a slot")
		xys := make(plotter.XYs, len(points))
		for i, pt := range points {
			xys[i].X, xys[i].Y = x(pt), pt.Clocks
		}
		s, err := plotter.NewScatter(xys)
		if err != nil {
			return nil, err
		}
		s.GlyphStyle = glyphStyle(4)
		s.GlyphStyle.Color = color.Gray{Y: 60}
		p.Add(plotter.NewGrid(), s)
		return p, nil
	}
	left, err := cloud(fmt.Sprintf("the paper's cost, r = %.2f", byCost), "cost (A = 0.1, B = 4.5)", func(p study.Point) float64 { return p.Score.Cost })
	if err != nil {
		return nil, err
	}
	right, err := cloud(fmt.Sprintf("the busiest port, r = %.2f", byLoad), "messages a slot over the busiest port", func(p study.Point) float64 { return float64(p.Score.MaxLoad) })
	if err != nil {
		return nil, err
	}
	right.X.Min, right.X.Max = right.X.Min-0.5, right.X.Max+0.5
	return beside{left, right}, nil
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
	var ticks []plot.Tick
	for i := range m.PPs {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: fmt.Sprint(i)})
	}
	p.Y.Tick.Marker = plot.ConstantTicks(ticks)
	return p, nil
}
