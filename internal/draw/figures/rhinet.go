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
	"gonum.org/v1/plot/vg/draw"

	"emsim/cluster/rhinet"
	"emsim/verify"
)

// rhinetSeeds is the number of runs in a bar or point [chosen: bars then scatter by 1-2 %].
const rhinetSeeds = 2

var rhinetNodes = []int{8, 16, 32, 64}

// rhinetFigures returns figures 10-15 of paper 001, the shares of its section
// 5.4.1, and the waiting-aware algorithm.
func rhinetFigures() []Figure {
	var out []Figure
	number := 10
	for _, net := range []rhinet.Network{rhinet.Ethernet, rhinet.RHiNET2} {
		for _, load := range rhinet.Loads() {
			title := fmt.Sprintf("Run time on %s, %s", networkTitle(net), load)
			out = append(out, figure(fmt.Sprintf("rhinet-fig%d", number), title, fmt.Sprintf("001 fig. %d", number),
				width, height,
				func(ctx context.Context) (Drawing, error) { return runTimes(ctx, title, net, load) }))
			number++
		}
	}
	return append(out,
		figure("rhinet-waiting", "Share of messages and waiting, CLB, oneload",
			"001 §5.4.1", width, height, waitingShares),
		figure("rhinet-wlb", "Letting loaded ranks rest: WLB against CLB, oneload", "ours", width, height, restingPays),
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
		r, err := verify.RunRHiNET(ctx, c)
		if err != nil {
			return 0, err
		}
		sum += read(r)
	}
	return sum / rhinetSeeds, nil
}

// runTimes draws a cluster of bars for each number of nodes, with a bar for each algorithm. Each bar has a name,
// because readers could not match seven greys with a legend. Baselines are dark and come before the bars compared with
// them.
func runTimes(ctx context.Context, title string, net rhinet.Network, load rhinet.Load) (Drawing, error) {
	order := []rhinet.Policy{
		rhinet.NoLB, rhinet.CLB, rhinet.DLB, rhinet.GnoLB, rhinet.GLB, rhinet.IGCLB,
		rhinet.IGDLB,
	}
	p := newPlot("", "algorithm, number of nodes", "run time [s]")
	var fastest, none, most float64
	var winner string
	p.Y.Min = 0
	var ticks []plot.Tick
	at, top := 0.0, 0.0
	for _, n := range rhinetNodes {
		for i, a := range order {
			c := rhinet.Default()
			c.Network, c.Load, c.Nodes, c.Policy = net, load, n, a
			t, err := meanOf(ctx, c, (*rhinet.Result).Finish)
			if err != nil {
				return nil, err
			}
			fill := color.Color(paleBand)
			if !a.Balances() {
				fill = states[0]
			}
			addBar(p, at-0.42, at+0.42, t, fill, 0.5)
			name := strings.Replace(strings.ToUpper(string(a)), "NOLB", "noLB", 1)
			ticks = append(ticks, plot.Tick{Value: at, Label: name})
			if top = max(top, t); a == rhinet.NoLB {
				none, fastest, most = t, math.Inf(1), float64(n)
			}
			if a.Balances() && t < fastest {
				fastest, winner = t, name
			}
			if i == 2 {
				at += 0.4 // between flat and grouped algorithms
			}
			at++
		}
		at += 1.2
	}
	for i, n := range rhinetNodes {
		middle := (ticks[7*i].Value + ticks[7*i+6].Value) / 2
		style := sansStyle(9, draw.XCenter, draw.YBottom)
		p.Add(&plotter.Labels{
			XYs:    plotter.XYs{{X: middle, Y: float64(1.10 * top)}},
			Labels: []string{fmt.Sprintf("%d nodes", n)}, TextStyle: []draw.TextStyle{style},
		})
	}
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
	p.X.Tick.Length, p.X.Tick.LineStyle.Color = 4, color.Transparent // keeps the labels off the axis
	p.X.Max = at - 1.2
	p.X.Tick.Label.Rotation = math.Pi / 2
	p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XRight, draw.YCenter
	p.X.Tick.Label.Font.Size = 7
	p.Y.Max = float64(1.15 * top)
	p.Y.Tick.Marker = roundTicks{}
	p.Add(greyGrid())
	return page(fmt.Sprintf("On %v nodes %s is the fastest that balances: %.1f s, without it %.1f", most, winner,
		fastest,
		none), title+", until the last rank is done; strong: without balancing", p), nil
}

// nodeAxis makes the horizontal axis the number of nodes, on a logarithmic scale.
func nodeAxis(p *chart) {
	p.X.Scale = plot.LogScale{}
	p.X.Tick.Marker = ticksAt(rhinetNodes...)
	p.X.Min, p.X.Max = 7.5, 68
	p.Y.Min = 0
	p.Add(greyGrid())
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

// waitingShares draws the shares of section 5.4.1: the paper's, the model's, and
// a control without time slices.
func waitingShares(ctx context.Context) (Drawing, error) {
	p, last := newPlot("", "nodes", "share [%]"), []string(nil)
	nodeAxis(p)
	share := func(r *rhinet.Result) float64 { return 100 * r.Other() / r.Total() }
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
		claims, err := claimed("001", func(c verify.Claim) bool {
			return c.Quantity == "share" && c.Cond["network"] == string(net) && c.Cond["load"] == "oneload"
		})
		if err != nil {
			return nil, err
		}
		var paper plotter.XYs
		for _, c := range claims {
			if nodes, err := strconv.ParseFloat(c.Cond["nodes"], 64); err == nil {
				paper = append(paper, plotter.XY{X: nodes, Y: c.number})
			}
		}
		name := networkTitle(net)
		addSeries(p, name+", paper", paper, -1, 3+i)
		addSeries(p, name+", model", model, i, i)
		last = append(last, fmt.Sprintf("%.0f %% with %s", model[len(model)-1].Y, name))
		addSeries(p, name+", control without time slices", steady, 2+i, 2)
	}
	p.Y.Max = 100
	p.Y.Tick.Marker = roundTicks{}
	return page("On 64 nodes messages and waiting take "+strings.Join(last, ", "),
		"share of the run time outside of compute; CLB, one host of eight loaded", p), nil
}

// restingPays draws the run times of WLB, which lets loaded ranks rest, and of CLB over the number of nodes.
func restingPays(ctx context.Context) (Drawing, error) {
	p, last := newPlot("", "nodes", "run time of rank 0 [s]"), []string(nil)
	nodeAxis(p)
	i := 0
	for _, net := range rhinet.Networks() {
		for _, a := range []rhinet.Policy{rhinet.CLB, rhinet.WLB} {
			c := rhinet.Default()
			c.Network, c.Load, c.Policy = net, rhinet.OneLoad, a
			pts, err := byNodes(ctx, c, (*rhinet.Result).Total)
			if err != nil {
				return nil, err
			}
			addSeries(p, networkTitle(net)+", "+strings.ToUpper(string(a)), pts, i, i)
			last = append(last, fmt.Sprintf("%.1f s with %s on %s", pts[len(pts)-1].Y, strings.ToUpper(string(a)),
				networkTitle(net)))
			i++
		}
	}
	p.Y.Max = 60
	p.Y.Tick.Marker = roundTicks{}
	return page("64 nodes take "+strings.Join(last, ", "),
		"run time of rank 0 by the number of nodes; one host of eight "+
			"loaded; WLB lets loaded ranks rest", p), nil
}
