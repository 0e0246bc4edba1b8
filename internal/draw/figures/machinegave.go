package figures

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/base/moves"
)

// gridColumns returns how many square panels stand side by side.
func gridColumns(runs machineRuns) int {
	if runs[0].Workers > 16 {
		return 1
	}
	return min(2, len(runs))
}

// machineGave draws, for each run, a matrix of givers and receivers. With up to 16 workers, the cells also show their
// counts.
func machineGave(runs machineRuns) Drawing {
	out := machinePanels(runs, "Who gave to whom")
	out.columns = gridColumns(runs)
	ways, most := make([]map[[2]int]uint64, len(runs)), uint64(0)
	var came []string
	for i, r := range runs {
		here, all := uint64(0), 0
		ways[i] = map[[2]int]uint64{}
		list, items := r.Ways()
		for _, way := range list {
			to := [2]int{way.From, way.To}
			ways[i][to] += uint64(items[way])
			all, here = all+items[way], max(here, ways[i][to])
		}
		most = max(most, here)
		came = append(came, fmt.Sprintf("%s given, at most %s from one %s to another", r.Count(all),
			number(float64(here)),
			r.Worker))
	}
	out.came(runs, came)
	out.keys = []key{{words: number(float64(most)) + " " + runs[0].Items, low: "1", bar: rooted}}
	for i, r := range runs {
		n, ways := r.Workers, ways[i]
		p := runPlot(titled(len(runs), r.Label, span(r, r.End)), "receiver: "+r.Worker, "giver: "+r.Worker, float64(n),
			float64(n))
		p.X.Tick.Marker, p.Y.Tick.Marker = workerTicks(n), workerTicks(n)
		p.Add(counted(heat{x1: float64(n), y1: float64(n), columns: n, rows: n}, most,
			func(by, at int) uint64 { return ways[[2]int{by, at}] }))
		out.parts = append(out.parts, p)
		if n > 16 || len(ways) == 0 {
			continue
		}
		words := &plotter.Labels{}
		for by := range n {
			for at := range n {
				if count := ways[[2]int{by, at}]; count > 0 {
					style := sansStyle(vg.Length(9-float64(1.5*float64(out.columns))), draw.XCenter, draw.YCenter)
					if 4*count > most { // the cell is dark
						style.Color = white
					}
					words.XYs, words.Labels = append(words.XYs, plotter.XY{X: float64(at) + 0.5, Y: float64(by) + 0.5}),
						append(words.Labels, number(float64(count)))
					words.TextStyle = append(words.TextStyle, style)
				}
			}
		}
		p.Add(words)
	}
	return out
}

// movedLink returns an arrow for items that moved. It gets one typographic point thicker for every `point` items, and
// is dashed if nothing moved.
func movedLink(from, to int, moved, point float64) link {
	l := link{from: from, to: to, arrow: true, bend: 0.08, style: greyLine(0, vg.Length(0.6+moved/point))}
	if moved < 0.5 {
		l.style = greyLine(95, 0.6, 2, 2)
	} else {
		l.words = fmt.Sprintf("%.0f", moved)
	}
	return l
}

// machineNetwork draws the wiring of each run, with arrows for what moved.
func machineNetwork(runs machineRuns) Drawing {
	const mostWords = 80 // arrows with numbers [chosen]
	out := machinePanels(runs, "What moved through the network")
	out.columns = gridColumns(runs)
	out.keys = []key{
		{words: runs[0].Items + " given", line: greyLine(0, 2)},
		{
			words: runs[0].Worker + ", the stronger the longer it worked",
			glyph: draw.GlyphStyle{Color: color.Gray{Y: 140}, Radius: 4, Shape: draw.CircleGlyph{}},
		},
	}
	var came []string
	w := wiringOf(runs[0].Machine.Config, runs[0].Workers)
	if w.box != "" {
		out.keys = append(out.keys, key{words: w.box, colour: white})
	}
	if w.line != "" {
		out.keys = append(out.keys, key{words: w.line, line: greyLine(190, 1.5)})
	}
	for _, r := range runs {
		w := wiringOf(r.Machine.Config, r.Workers)
		g := graph{ofRun: true}
		for i, x := range w.nodes {
			n := discNode(x.x, x.y, x.name, 0)
			if n.small, n.box = x.box, x.box; i < r.Workers {
				n = discNode(x.x, x.y, x.name, float64(r.UsedFor(i, moves.Work))/float64(max(1, r.End)))
			}
			g.nodes = append(g.nodes, n)
		}
		for _, l := range w.links {
			g.links = append(g.links, link{from: l[0], to: l[1], style: greyLine(215, 1)})
		}
		list, items := r.Ways()
		moved, order, all, most := map[[2]int]int{}, [][2]int(nil), 0, 1
		for _, way := range list {
			all += items[way]
			hops := [][2]int{{way.From, way.To}}
			if board, ok := w.board[way.Via]; ok {
				hops = [][2]int{{way.From, board}, {board, way.To}}
			}
			for _, h := range hops {
				if moved[h] == 0 {
					order = append(order, h)
				}
				moved[h] += items[way]
				most = max(most, moved[h])
			}
		}
		for _, h := range order {
			l := movedLink(h[0], h[1], float64(moved[h]), float64(most)/4)
			if len(order) > mostWords {
				l.words = ""
			}
			g.links = append(g.links, l)
		}
		words := fmt.Sprintf("%s given, at most %s over one arrow", r.Count(all), number(float64(most)))
		if all == 0 {
			words = "nothing moved"
		}
		came, g.title = append(came, words), titled(len(runs), r.Label, span(r, r.End))
		out.parts = append(out.parts, g)
	}
	out.came(runs, came)
	return out
}
