package figures

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/base/lists"
	"emsim/mnc"
	"emsim/verify"
)

// mncItems is the number of data items in the curves. The curves are the same as with the paper's 1,000,000, but take a
// tenth of the time.
const mncItems = 100_000

// mncFigures returns the figures of the MNC computer.
func mncFigures() []Figure {
	return []Figure{
		figure("mnc-efficiency", "MNC: efficiency of both loads against the number of PEs",
			"000 figure 2 (lost; our numbers)", width, height,
			mncCurves("Efficiency", "efficiency", mncItems, func(s mnc.Stats) float64 { return s.Efficiency })),
		figure("mnc-transfers", "MNC: data transferred for both loads against the number of PEs",
			"000 figure 3 (lost; our numbers)", width, height,
			mncCurves("Transfers a datum", "transfers a datum", mncItems,
				func(s mnc.Stats) float64 { return float64(s.Transfers) / float64(s.Items) })),
		figure("mnc-map", "MNC: PEs and QPRs of net16 and the load they carry",
			"000 figure 1 (lost; the wiring is a guess)", width, height, mncMap),
	}
}

// mncCurves plots a quantity against 1 to 128 PEs for both loads, with and
// without ability.
func mncCurves(title, quantity string, items int, of func(mnc.Stats) float64) Drawer {
	return func(ctx context.Context) (Drawing, error) {
		p, last := newPlot("", "PEs", quantity), []string(nil)
		p.X.Scale = plot.LogScale{}
		p.X.Tick.Marker = ticksAt(1, 2, 4, 8, 16, 32, 64, 128)
		p.Y.Min = 0
		series := 0
		for _, loops := range []int{1000, 100} {
			for _, policy := range []mnc.Policy{mnc.Auto, mnc.Naive} {
				var points plotter.XYs
				for n := 1; n <= mnc.PaperPEs; n *= 2 {
					s, err := verify.RunMNC(ctx, verify.MNCRun{PEs: n, Loops: loops, Items: items, Policy: policy})
					if err != nil {
						return nil, err
					}
					points = append(points, plotter.XY{X: float64(n), Y: of(s)})
				}
				addSeries(p, fmt.Sprintf("%d loops, %s", loops, policy), points, series, series)
				if loops == 1000 {
					last = append(last, fmt.Sprintf("%.2f with %s", points[len(points)-1].Y, policy))
				}
				series++
			}
		}
		p.Y.Max = float64(p.Y.Max * 1.05)
		return page(fmt.Sprintf("%s on %d PEs: %s", title, mnc.PaperPEs, strings.Join(last, ", ")),
			fmt.Sprintf("%s by the number of PEs; %s data of 1000 and of 100 loops", quantity,
				number(float64(items))), p), nil
	}
}

// mncMap draws the 16 PEs and 16 QPRs of net16, whose names are row and column, with the
// load of each, and highlights the four QPRs of one PE and its twelve neighbours.
func mncMap(ctx context.Context) (Drawing, error) {
	w := mnc.Net16()
	c := mnc.Default(w)
	c.Items, c.Loops = 2000, 100
	m, err := mnc.New(c)
	if err == nil {
		err = m.Run(ctx)
	}
	if err != nil {
		return nil, err
	}
	s := m.Stats()
	out := graph{
		caption: "Source QPR 26 and sink QPR 38 have a thick edge. Full lines: PE 23 and its four QPRs;\n" +
			"dashed: the twelve PEs that it reaches through them; pale: all others. Load of 2000 data of 100 loops.",
	}
	for pe, st := range s.PE {
		out.nodes = append(out.nodes, sheetNode(w.PEName(pe), float64(st.Proc)/float64(s.Clocks)))
	}
	words := lists.Of(s.QPR, func(q mnc.QPRStats) float64 { return float64(q.Reads + q.Writes) })
	for q, b := range w.Boards {
		x := sheetNode(b.Name, words[q]/slices.Max(words))
		if x.box = true; q == w.Source || q == w.Sink {
			x.edge = 3
		}
		out.nodes = append(out.nodes, x)
	}
	for pass, style := range sheetLines {
		for q, b := range w.Boards {
			for _, pe := range b.Ports {
				kind := 0
				if pe == sheetPE {
					kind = 2
				} else if slices.Contains(b.Ports[:], sheetPE) {
					kind = 1
				}
				if kind == pass {
					out.links = append(out.links, sheetLink(out.nodes, pe, w.PEs+q, style))
				}
			}
		}
	}
	worked := lists.Of(s.PE, func(p mnc.PEStats) float64 { return 100 * float64(p.Proc) / float64(s.Clocks) })
	return page(fmt.Sprintf("The PEs of net16 work %.0f to %.0f %% of the time", slices.Min(worked),
		slices.Max(worked)),
		"PEs (round) and QPRs (square); the stronger the longer a PE works, and the more words pass a QPR", out), nil
}

// sheetPE is the PE whose neighbourhood is highlighted.
const sheetPE = 5

// sheetLines has the line styles of the map: of all other links, of the neighbours' links, and of sheetPE's links.
var sheetLines = []draw.LineStyle{greyLine(215, 0.5), greyLine(90, 0.8, 4, 2), greyLine(0, 2)}

// sheetNode returns a node of the map, placed by its name: row and column.
func sheetNode(name string, shade float64) node {
	return discNode(float64(name[1]-'0'), float64(name[0]-'0'), name, shade)
}

// sheetLink returns a link of the map: straight, or bent if other nodes may lie on its way.
func sheetLink(nodes []node, from, to int, style draw.LineStyle) link {
	if nodes[from].x > nodes[to].x {
		from, to = to, from
	}
	l := link{from: from, to: to, style: style}
	across, down := int(nodes[to].x-nodes[from].x), int(nodes[to].y-nodes[from].y)
	for n := 2; n < 8; n++ {
		if across%n == 0 && down%n == 0 {
			l.bend = 0.23 + float64(0.035*float64(across))
		}
	}
	return l
}
