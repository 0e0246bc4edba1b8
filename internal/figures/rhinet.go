package figures

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/cluster/rhinet"
	"emsim/verify"
)

// rhinetSeeds runs make one bar or point (chosen: bars then scatter by 1-2 %).
const rhinetSeeds = 2

var rhinetNodes = []int{8, 16, 32, 64}

// rhinetFigures are figures 10-15 of paper 001, the shares of its section
// 5.4.1, and the waiting-aware algorithm.
func rhinetFigures() []Figure {
	var out []Figure
	number := 10
	for _, net := range []rhinet.Network{rhinet.Ethernet, rhinet.RHiNET2} {
		for _, load := range rhinet.Loads() {
			title := fmt.Sprintf("Run time on %s, %s", networkTitle(net), load)
			out = append(out, Figure{
				Name: fmt.Sprintf("rhinet-fig%d", number), Title: title, Source: fmt.Sprintf("001 fig. %d", number),
				Width: width, Height: height,
				Draw: func(ctx context.Context) (Drawing, error) { return runTimes(ctx, title, net, load) },
			})
			number++
		}
	}
	return append(out,
		Figure{
			Name: "rhinet-waiting", Title: "Share of messages and waiting, CLB, oneload", Source: "001 §5.4.1",
			Width: width, Height: height, Draw: waitingShares,
		},
		Figure{
			Name: "rhinet-wlb", Title: "Letting loaded ranks rest: WLB against CLB, oneload", Source: "ours",
			Width: width, Height: height, Draw: restingPays,
		},
	)
}

func networkTitle(n rhinet.Network) string {
	if n == rhinet.Ethernet {
		return "Ethernet"
	}
	return "RHiNET-2"
}

// meanOf averages the values that read returns for runs that differ only in the seed.
func meanOf(ctx context.Context, c rhinet.Config, read func(*rhinet.Result) float64) (float64, error) {
	sum := 0.0
	for seed := 1; seed <= rhinetSeeds; seed++ {
		c.Seed = uint64(seed)
		r, err := rhinet.Run(ctx, c)
		if err != nil {
			return 0, err
		}
		sum += read(r)
	}
	return sum / rhinetSeeds, nil
}

// runTimes draws one bar per algorithm, in a cluster of bars for each number
// of nodes. Each bar carries its name, so no legend has to distinguish seven
// greys; baselines are dark and come before the bars compared with them.
func runTimes(ctx context.Context, title string, net rhinet.Network, load rhinet.Load) (Drawing, error) {
	order := []rhinet.Algorithm{rhinet.NoLB, rhinet.CLB, rhinet.DLB, rhinet.GnoLB, rhinet.GLB, rhinet.IGCLB, rhinet.IGDLB}
	p := newPlot(title+" (until the last rank is done)", "algorithm, number of nodes", "run time [s]")
	p.Y.Min = 0
	var ticks []plot.Tick
	at, top := 0.0, 0.0
	for _, n := range rhinetNodes {
		for i, a := range order {
			c := rhinet.Default()
			c.Network, c.Load, c.Nodes, c.Algorithm = net, load, n, a
			t, err := meanOf(ctx, c, (*rhinet.Result).Finish)
			if err != nil {
				return nil, err
			}
			bar, err := plotter.NewPolygon(plotter.XYs{{X: at - 0.42, Y: 0}, {X: at - 0.42, Y: t}, {X: at + 0.42, Y: t}, {X: at + 0.42, Y: 0}})
			if err != nil {
				return nil, err
			}
			bar.Color = shades[3]
			if !a.Balances() {
				bar.Color = shades[1]
			}
			bar.LineStyle.Width = vg.Points(0.5)
			p.Add(bar)
			label := strings.ToUpper(a.String())
			switch a {
			case rhinet.NoLB:
				label = "noLB"
			case rhinet.GnoLB:
				label = "GnoLB"
			}
			ticks = append(ticks, plot.Tick{Value: at, Label: label})
			top = max(top, t)
			if i == 2 {
				at += 0.4 // flat algorithms | grouped ones
			}
			at++
		}
		at += 1.2
	}
	for i, n := range rhinetNodes {
		middle := (ticks[7*i].Value + ticks[7*i+6].Value) / 2
		if err := addText(p, middle, float64(1.10*top), fmt.Sprintf("%d nodes", n), 9); err != nil {
			return nil, err
		}
	}
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
	p.X.Tick.Length, p.X.Tick.LineStyle.Color = vg.Points(4), color.White // keeps the labels off the axis
	p.X.Max = at - 1.2
	p.X.Tick.Label.Rotation = math.Pi / 2
	p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XRight, draw.YCenter
	p.X.Tick.Label.Font.Size = vg.Points(7)
	p.Y.Max = float64(1.15 * top)
	p.Y.Tick.Marker = tens(p.Y.Max)
	p.Add(greyGrid())
	return p, nil
}

// addText writes a line of text centred at a point of the plot.
func addText(p *plot.Plot, x, y float64, text string, points float64) error {
	l, err := plotter.NewLabels(plotter.XYLabels{XYs: plotter.XYs{{X: x, Y: y}}, Labels: []string{text}})
	if err != nil {
		return err
	}
	l.TextStyle[0].XAlign = draw.XCenter
	l.TextStyle[0].Font.Size = vg.Points(points)
	p.Add(l)
	return nil
}

// tens are ticks at 0, 10, 20 ...
func tens(top float64) plot.ConstantTicks {
	var ticks []plot.Tick
	for v := 0; float64(v) <= top; v += 10 {
		ticks = append(ticks, plot.Tick{Value: float64(v), Label: strconv.Itoa(v)})
	}
	return ticks
}

// greyGrid is a grid of horizontal lines.
func greyGrid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Color = nil
	g.Horizontal.Color = color.Gray{Y: 200}
	g.Horizontal.Dashes = []vg.Length{1, 2}
	return g
}

// nodeAxis makes the horizontal axis logarithmic in the number of nodes.
func nodeAxis(p *plot.Plot) {
	p.X.Scale = plot.LogScale{}
	var ticks []plot.Tick
	for _, n := range rhinetNodes {
		ticks = append(ticks, plot.Tick{Value: float64(n), Label: strconv.Itoa(n)})
	}
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
	p.X.Min, p.X.Max = 7.5, 68
	p.Y.Min = 0
	p.Add(greyGrid())
}

// addSeries draws one line with markers, or only markers if style < 0.
func addSeries(p *plot.Plot, name string, pts plotter.XYs, style, glyph int) error {
	line, points, err := plotter.NewLinePoints(pts)
	if err != nil {
		return err
	}
	points.GlyphStyle = glyphStyle(glyph)
	points.GlyphStyle.Color = color.Black
	if style < 0 {
		p.Add(points)
		p.Legend.Add(name, points)
		return nil
	}
	line.LineStyle = lineStyle(style)
	p.Add(line, points)
	p.Legend.Add(name, line, points)
	return nil
}

// byNodes measures a configuration for every number of nodes.
func byNodes(ctx context.Context, c rhinet.Config, read func(*rhinet.Result) float64) (plotter.XYs, error) {
	var out plotter.XYs
	for _, n := range rhinetNodes {
		c.Nodes = n
		v, err := meanOf(ctx, c, read)
		if err != nil {
			return nil, err
		}
		out = append(out, plotter.XY{X: float64(n), Y: v})
	}
	return out, nil
}

// waitingShares draws the shares of section 5.4.1, the paper's and the
// model's, and the control without time slices.
func waitingShares(ctx context.Context) (Drawing, error) {
	p := newPlot("Share of the run time outside of compute (CLB, one host of eight loaded)", "nodes", "share [%]")
	nodeAxis(p)
	share := func(r *rhinet.Result) float64 { return 100 * r.Other() / r.Total() }
	claims, err := verify.Claims("001")
	if err != nil {
		return nil, err
	}
	for i, net := range rhinet.Networks() {
		c := rhinet.Default()
		c.Network, c.Load = net, rhinet.OneLoad
		model, err := byNodes(ctx, c, share)
		if err != nil {
			return nil, err
		}
		steady, err := byNodes(ctx, c.SteadyShare(), share)
		if err != nil {
			return nil, err
		}
		var paper plotter.XYs
		for _, cl := range claims {
			if cl.Quantity != "share" || cl.Cond["network"] != net.String() || cl.Cond["load"] != "oneload" {
				continue
			}
			x, errX := strconv.ParseFloat(cl.Cond["nodes"], 64)
			y, errY := strconv.ParseFloat(cl.Paper, 64)
			if errX == nil && errY == nil {
				paper = append(paper, plotter.XY{X: x, Y: y})
			}
		}
		name := networkTitle(net)
		for _, s := range []struct {
			name         string
			pts          plotter.XYs
			style, glyph int
		}{
			{name + ", paper", paper, -1, 3 + i},
			{name + ", model", model, i, i},
			{name + ", control without time slices", steady, 2 + i, 2},
		} {
			if err := addSeries(p, s.name, s.pts, s.style, s.glyph); err != nil {
				return nil, err
			}
		}
	}
	p.Y.Max = 100
	p.Y.Tick.Marker = tens(p.Y.Max)
	p.Legend.Left, p.Legend.XOffs = true, vg.Points(6)
	return p, nil
}

// restingPays draws the waiting-aware algorithm beside CLB.
func restingPays(ctx context.Context) (Drawing, error) {
	p := newPlot("Letting loaded ranks rest (one host of eight loaded)", "nodes", "run time of rank 0 [s]")
	nodeAxis(p)
	i := 0
	for _, net := range rhinet.Networks() {
		for _, a := range []rhinet.Algorithm{rhinet.CLB, rhinet.WLB} {
			c := rhinet.Default()
			c.Network, c.Load, c.Algorithm = net, rhinet.OneLoad, a
			pts, err := byNodes(ctx, c, (*rhinet.Result).Total)
			if err != nil {
				return nil, err
			}
			if err := addSeries(p, networkTitle(net)+", "+strings.ToUpper(a.String()), pts, i, i); err != nil {
				return nil, err
			}
			i++
		}
	}
	p.Y.Max = 60
	p.Y.Tick.Marker = tens(p.Y.Max)
	p.Legend.XOffs = -vg.Points(6)
	return p, nil
}
