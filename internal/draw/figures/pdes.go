package figures

import (
	"context"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
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
		figure("pdes-maps", "3-stage banyan on HXB 4x4: conventional and best map, turned edges dashed", "004 figure 2", 20*vg.Centimeter, 11.5*vg.Centimeter, pdesMaps),
		figure("pdes-cost-runtime", "run time of 150 random maps against cost and against the busiest port", "ours", 20*vg.Centimeter, height, pdesCostRuntime),
		figure("pdes-pause", "one migration on a time line, PP by PP", "004 section 3", 20*vg.Centimeter, 12*vg.Centimeter, pdesPause),
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

// machineDrawing draws a map on a machine of two axes: a box for every PP
// with its LP inside, the crossbars as pale lines, and an arrow for every
// edge of the banyan. An edge along one crossbar bends beside it; one that
// changes axis is dashed and passes through its relay node.
type machineDrawing struct {
	p     *mapping.Problem
	at    mapping.Map
	title string
}

func (d machineDrawing) Draw(c draw.Canvas) {
	columns, rows := d.p.Net.Dims[0], d.p.Net.Dims[1]
	score := d.p.Score(d.at)
	turned, edges := d.p.Turned(d.at)
	heading := fmt.Sprintf("%s map: cost %.1f, %d of %d edges turned", d.title, score.Cost, turned, edges)
	c.FillText(label(10, draw.XCenter, draw.YTop), vg.Point{X: c.Center().X, Y: c.Max.Y - 6}, heading)
	c = draw.Crop(c, 26, -26, 58, -52)
	size := c.Size()
	pitch := vg.Length(math.Min(float64(size.X)/float64(columns-1), float64(size.Y)/float64(rows-1)))
	place := func(node int32) vg.Point {
		x, y := d.p.Net.Coord(int(node), 0), d.p.Net.Coord(int(node), 1)
		return vg.Point{
			X: c.Center().X + vg.Length(pitch*(vg.Length(x)-vg.Length(columns-1)/2)),
			Y: c.Center().Y - vg.Length(pitch*(vg.Length(y)-vg.Length(rows-1)/2)),
		}
	}
	pale := greyLine(215, 3)
	for node := range int32(d.p.Net.Nodes()) {
		for axis, n := range d.p.Net.Dims {
			if d.p.Net.Coord(int(node), axis) == 0 {
				from, to := place(node), place(int32(d.p.Net.At(int(node), axis, n-1)))
				c.StrokeLine2(pale, from.X, from.Y, to.X, to.Y)
			}
		}
	}
	for i, e := range d.p.Graph.Edges {
		from, to := d.at[e.From], d.at[e.To]
		if _, turns := d.p.Net.Distance(int(from), int(to)); turns == 0 {
			arrow(c, lineStyle(0), bentCurve(place(from), place(to), pitch))
			continue
		}
		relay := place(int32(d.p.Net.At(int(from), 0, d.p.Net.Coord(int(to), 0))))
		shift := vg.Length(pitch * vg.Length(i%4-1) * 0.05) // keeps parallel edges apart
		start, end := place(from), place(to)
		start.Y += shift
		relay.Y += shift
		relay.X += shift
		end.X += shift
		style := lineStyle(1)
		style.Width = 0.9
		arrow(c, style, []vg.Point{start, relay, end})
	}
	half := vg.Length(0.17 * pitch)
	lpAt := make([]int, d.p.Net.Nodes())
	for lp, node := range d.at {
		lpAt[node] = lp + 1
	}
	for node := range int32(d.p.Net.Nodes()) {
		d.paintLP(c, place(node), half, lpAt[node]-1)
	}
	c.FillText(label(8, draw.XCenter, draw.YBottom), vg.Point{X: c.Center().X, Y: c.Min.Y - 52},
		"box: PP with stage.place of its LP, grey: idle; dashed: by way of a relay")
}

func (d machineDrawing) paintLP(c draw.Canvas, at vg.Point, half vg.Length, lp int) {
	fill := color.Gray{Y: 255}
	if lp < 0 {
		fill = color.Gray{Y: 200}
	}
	paintBox(c, rectangle(at.X-half, at.Y-half, at.X+half, at.Y+half), fill, lineStyle(0))
	if lp >= 0 {
		perStage := d.p.Graph.LPs / d.stages()
		writeAt(c, 10, at.X, at.Y, fmt.Sprintf("%d.%d", lp/perStage, lp%perStage))
	}
}

// stages is the number of stages of the banyan: LPs = n 2^(n-1).
func (d machineDrawing) stages() int {
	n := 1
	for n<<(n-1) < d.p.Graph.LPs {
		n++
	}
	return n
}

// bentCurve is a curve between two points, to the left of the straight line, so
// that it passes the boxes on its way; the longer, the farther out.
func bentCurve(from, to vg.Point, pitch vg.Length) []vg.Point {
	dx, dy := to.X-from.X, to.Y-from.Y
	long := vg.Length(math.Hypot(float64(dx), float64(dy)))
	const steps = 16
	var line []vg.Point
	for i := range steps + 1 {
		t := vg.Length(i) / steps
		off := 4 * t * (1 - t) * (vg.Length(0.1*pitch) + vg.Length(0.08*long)) / long
		line = append(line, vg.Point{X: from.X + vg.Length(t*dx) - vg.Length(off*dy), Y: from.Y + vg.Length(t*dy) + vg.Length(off*dx)})
	}
	return line
}

// arrow strokes a line with an arrowhead at its middle, where boxes do not
// hide it.
func arrow(c draw.Canvas, style draw.LineStyle, line []vg.Point) {
	c.StrokeLines(style, line)
	i := len(line) / 2
	at, before := line[i], line[i-1]
	if len(line) == 3 {
		at = vg.Point{X: (line[1].X + line[2].X) / 2, Y: (line[1].Y + line[2].Y) / 2}
		before = line[1]
	}
	angle := math.Atan2(float64(at.Y-before.Y), float64(at.X-before.X))
	head := []vg.Point{at}
	for _, side := range []float64{2.7, -2.7} {
		head = append(head, vg.Point{
			X: at.X + vg.Length(6*vg.Length(math.Cos(angle+side))),
			Y: at.Y + vg.Length(6*vg.Length(math.Sin(angle+side))),
		})
	}
	c.FillPolygon(style.Color, head)
}

// pauseBars draws a migration as one bar per PP, and the coordinator's steps
// as lines across.
type pauseBars pdes.Report

// Plot implements plot.Plotter.
func (b pauseBars) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	bar := func(row int, from, to float64, shade uint8) {
		paintBox(c, rectangle(tx(math.Max(from, p.X.Min)), ty(float64(row)-0.32), tx(math.Min(to, p.X.Max)), ty(float64(row)+0.32)), color.Gray{Y: shade}, greyLine(0, 0.4))
	}
	for i, pp := range b.PPs {
		bar(i, p.X.Min, float64(pp.Stopped), 255)
		bar(i, float64(pp.Stopped), float64(pp.Ready), 190)
		bar(i, float64(pp.Ready), float64(pp.Resumed), 110)
		bar(i, float64(pp.Resumed), p.X.Max, 255)
	}
	top := float64(len(b.PPs)) - 0.4
	for i, step := range []struct {
		clock int64
		name  string
	}{{b.Triggered, "STOP"}, {b.Quiet, "START"}, {b.Decided, "NOTIFY"}, {b.Arrived, "RESUME"}, {b.Ended, "all run"}} {
		x := tx(float64(step.clock))
		style := lineStyle(1)
		style.Color = color.Black
		c.StrokeLine2(style, x, c.Min.Y, x, ty(top))
		align := text.XAlignment(draw.XCenter)
		if i == 3 {
			align = draw.XRight
		} else if i == 4 {
			align = draw.XLeft
		}
		c.FillText(label(9, align, draw.YBottom), vg.Point{X: x, Y: ty(top) + 2}, step.name)
	}
	c.FillText(label(9, draw.XLeft, draw.YTop), vg.Point{X: c.Min.X + 6, Y: c.Max.Y - 2},
		"white: runs LPs    light grey: stopped, channels not yet clear    dark grey: ready, LPs move")
}
