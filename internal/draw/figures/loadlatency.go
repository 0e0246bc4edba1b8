package figures

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"emsim/internal/base/lists"
	"emsim/internal/machine/machines"
)

// LoadLatency draws curves of 'emsim net traffic --curve': a panel for each
// size, with a line for each pattern.
func LoadLatency(curves []*machines.Curve) Figure {
	var sizes []int
	bySize := map[int][]*machines.Curve{}
	for _, c := range curves {
		if bySize[c.PEs] == nil {
			sizes = append(sizes, c.PEs)
		}
		bySize[c.PEs] = append(bySize[c.PEs], c)
	}
	return Figure{
		Name: "load-latency", Title: "Latency of the network by load, up to saturation", Source: "ours",
		Width: width, Height: vg.Length(vg.Length(len(sizes)) * 8 * vg.Centimeter),
		Draw: func(context.Context) (Drawing, error) {
			out := panels{
				heading: "No network saturates",
				about: "mean latency by load in words per PE and clock, on a logarithmic scale; " +
					"a thin line marks saturation",
			}
			for _, pes := range sizes {
				out.parts = append(out.parts, loadLatency(pes, bySize[pes]))
			}
			var came []string
			for _, c := range curves {
				if c.Saturation != nil && c.Pattern == curves[0].Pattern {
					came = append(came, fmt.Sprintf("%d PEs %.3g", c.PEs, *c.Saturation))
				}
			}
			if len(came) > 0 {
				out.heading = fmt.Sprintf("%s: the network saturates above a load of: %s", curves[0].Pattern,
					strings.Join(came, ", "))
			}
			return out, nil
		},
	}
}

// loadLatency draws the curves of one size, cut above saturation.
func loadLatency(pes int, curves []*machines.Curve) *chart {
	p := newPlot(fmt.Sprintf("%d PEs", pes), "load [words per PE and clock]", "mean latency [clocks]")
	p.X.Scale = plot.LogScale{}
	top := slices.Max(lists.Of(curves,
		func(c *machines.Curve) float64 { return float64(1.2 * machines.SaturatedLatency * c.Alone) }))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = machines.Least, 1, 0, top
	p.X.Tick.Marker, p.Y.Tick.Marker = decades{}, roundTicks{}
	p.Add(greyGrid())
	for i, c := range curves {
		var line plotter.XYs
		for _, at := range c.Points {
			if at.LatencyMean > top {
				line = append(line, leavingPoint(line, at, top)...)
				break
			}
			line = append(line, plotter.XY{X: at.Load, Y: at.LatencyMean})
		}
		name := c.Pattern + ": not saturated"
		if c.Saturation != nil {
			name = fmt.Sprintf("%s: saturated above %.3g", c.Pattern, *c.Saturation)
		}
		addSeries(p, name, line, i, i)
		if c.Saturation != nil {
			style := lineStyle(i)
			style.Width = 0.5
			addLine(p, "", plotter.XYs{{X: *c.Saturation, Y: 0}, {X: *c.Saturation, Y: top}}, style)
		}
	}
	return p
}

// leavingPoint returns the point at which a line leaves the panel on its way to a point, or nil if the line has no
// point yet.
func leavingPoint(line plotter.XYs, to machines.CurvePoint, top float64) plotter.XYs {
	if len(line) == 0 {
		return nil
	}
	from := line[len(line)-1]
	part := (top - from.Y) / (to.LatencyMean - from.Y)
	return plotter.XYs{{X: float64(from.X * math.Pow(to.Load/from.X, part)), Y: top}}
}
