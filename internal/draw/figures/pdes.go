package figures

import (
	"context"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/base/lists"
	"emsim/pdes"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
	"emsim/pdes/study"
)

// pdesFigures returns the figures of paper 004: the machine of its figure 2, what
// its cost function predicts, and what a migration costs.
func pdesFigures() []Figure {
	return []Figure{
		figure("pdes-maps", "3-stage banyan on HXB 4x4: conventional and best map, turned edges dashed",
			"004 figure 2", 20*vg.Centimeter, 11.5*vg.Centimeter, pdesMaps),
		figure("pdes-cost-runtime", "Run time of 150 random maps against cost and against the busiest port",
			"ours", 20*vg.Centimeter, height,
			func(ctx context.Context) (Drawing, error) {
				return costRuntime(ctx, study.Case{Kind: network.Torus, Shape: "8x4", Stages: 4}, 150, 100)
			}),
		figure("pdes-pause", "One migration on a time line, PP by PP", "004 section 3", 20*vg.Centimeter,
			12*vg.Centimeter, pdesPause),
	}
}

func pdesMaps(ctx context.Context) (Drawing, error) {
	c, err := study.Case{Kind: network.HXB, Shape: "4x4", Stages: 3}.Config(1)
	if err != nil {
		return nil, err
	}
	p := c.Problem(mapping.Reference())
	best, err := p.Exact(ctx, mapping.ByCost)
	if err != nil {
		return nil, err
	}
	conventional := mapping.Conventional(p.Graph.LPs, p.Net.Nodes())
	out := page(fmt.Sprintf("The best map costs %.1f, the conventional one %.1f", p.Score(best.Map).Cost,
		p.Score(conventional).Cost), "places of the LPs of a banyan of 3 stages on HXB 4x4; a dashed edge turns",
		mapDrawing(p, conventional, "conventional", c.LPName), mapDrawing(p, best.Map, "best", c.LPName))
	out.columns = 2
	return out, nil
}

// costRuntime draws the times of random maps twice: over their costs, and over their busiest ports' loads.
func costRuntime(ctx context.Context, c study.Case, maps int, slots int64) (Drawing, error) {
	points, err := study.RandomMaps(ctx, c, mapping.Reference(), maps, 512, 8, slots, nil)
	if err != nil {
		return nil, err
	}
	byCost, byLoad := study.Correlations(points)
	cloud := func(title, label string, x func(study.Point) float64) *chart {
		p := newPlot(title, label, "clocks a slot")
		xys := lists.Of(points, func(pt study.Point) plotter.XY { return plotter.XY{X: x(pt), Y: pt.Clocks} })
		s := &plotter.Scatter{XYs: xys, GlyphStyle: glyphStyle(4)}
		s.GlyphStyle.Color = color.Gray{Y: 60}
		p.X.Tick.Marker, p.Y.Tick.Marker = roundTicks{5}, roundTicks{5}
		p.Add(greyGrid(), s)
		return p
	}
	left := cloud(fmt.Sprintf("the paper's cost, r = %.2f", byCost),
		"cost (A = 0.1, B = 4.5)", func(p study.Point) float64 { return p.Score.Cost })
	right := cloud(fmt.Sprintf("the busiest port, r = %.2f", byLoad), "messages a slot over the busiest port",
		func(p study.Point) float64 { return float64(p.Score.MaxLoad) })
	right.X.Min, right.X.Max = right.X.Min-0.5, right.X.Max+0.5
	out := page(fmt.Sprintf("The time of a slot: r = %.2f with the load of the busiest port, %.2f with the cost",
		byLoad, byCost), fmt.Sprintf("%d maps of %s %s, %d stages", len(points), c.Kind, c.Shape, c.Stages), left, right)
	out.columns = 2
	return out, nil
}

func pdesPause(ctx context.Context) (Drawing, error) {
	cfg, err := study.Case{Kind: network.Torus, Shape: "4x4", Stages: 3}.Config(150)
	if err != nil {
		return nil, err
	}
	cfg.Migrate = &pdes.Migration{
		At: 50_000, Weights: mapping.Reference(), Neighbour: mapping.Grid,
		Objective: mapping.ByCost,
	}
	r, err := pdes.Run(ctx, cfg)
	if err != nil {
		return nil, err
	}
	m := r.Migrations[0]
	rows := make(strips, len(m.PPs))
	for i, pp := range m.PPs {
		rows.addClocks(i, waits, uint64(pp.Stopped), uint64(pp.Ready))
		rows.addClocks(i, works, uint64(pp.Ready), uint64(pp.Resumed))
	}
	p := rows.rowPlot(float64(m.Ended)+1500, func(i int) string { return fmt.Sprintf("PP %d", i) })
	p.X.Min, p.Y.Max = float64(m.Triggered)-1500, 2
	names := &plotter.Labels{}
	for i, step := range []int64{m.Triggered, m.Quiet, m.Decided, m.Arrived, m.Ended} {
		at := float64(step)
		addLine(p, "", plotter.XYs{{X: at, Y: p.Y.Min}, {X: at, Y: 0.7}}, lineStyle(1))
		names.XYs, names.Labels = append(names.XYs, plotter.XY{X: at, Y: 0.9}),
			append(names.Labels, [...]string{"STOP", "START", "NOTIFY", "RESUME", "all run"}[i])
		side := [...]text.XAlignment{draw.XCenter, draw.XCenter, draw.XCenter, draw.XRight, draw.XLeft}[i]
		names.TextStyle = append(names.TextStyle, sansStyle(9, side, draw.YBottom))
	}
	p.Add(names)
	return panels{
		heading: fmt.Sprintf("A migration of %d LPs pauses the machine for %s clocks", m.Moves,
			number(float64(m.Clocks()))),
		about: "what each PP does from STOP on; torus 4x4, 3 stages",
		keys: []key{{words: "runs LPs", colour: white}, {
			words:  "stopped, channels not yet clear",
			colour: stripShades[waits],
		}, {words: "ready, LPs move", colour: stripShades[works]}},
		parts: []Drawing{p},
	}, nil
}

// mapDrawing draws a map on a machine of two axes: a node for every PP with its LP, the
// crossbars as pale lines, and an arrow for every edge of the banyan. The arrow of an edge that
// changes axis is dashed, and bends towards its relay.
func mapDrawing(p *mapping.Problem, at mapping.Map, title string, name func(lp int) string) Drawing {
	turned, edges := p.Turned(at)
	out := graph{
		title:   fmt.Sprintf("%s map: cost %.1f, %d of %d edges turned", title, p.Score(at).Cost, turned, edges),
		caption: "box: PP with stage.place of its LP, grey: idle; dashed: via a relay",
	}
	for i := range p.Net.Nodes() {
		x := discNode(float64(p.Net.Coord(i, 0)), float64(p.Net.Coord(i, 1)), "", 0.4)
		x.box = true
		out.nodes = append(out.nodes, x)
		for axis, n := range p.Net.Dims {
			if p.Net.Coord(i, axis) == 0 {
				out.links = append(out.links, link{from: i, to: p.Net.At(i, axis, n-1), style: greyLine(215, 3)})
			}
		}
	}
	for lp, i := range at {
		out.nodes[i].name, out.nodes[i].fill = name(lp), color.White
	}
	for _, e := range p.Graph.Edges {
		from, to := int(at[e.From]), int(at[e.To])
		l := link{from: from, to: to, arrow: true, style: lineStyle(0)}
		l.bend = 0.1 + float64(0.08*math.Hypot(out.nodes[to].x-out.nodes[from].x, out.nodes[to].y-out.nodes[from].y))
		if _, turns := p.Net.Distance(from, to); turns > 0 {
			l.by, l.style = &out.nodes[p.Net.At(from, 0, p.Net.Coord(to, 0))], lineStyle(1)
		}
		out.links = append(out.links, l)
	}
	return out
}
