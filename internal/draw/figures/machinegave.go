package figures

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/base/moves"
	"emsim/internal/inspect/instrument"
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
	columns := gridColumns(runs)
	ways, most := make([]map[[2]int]uint64, len(runs)), uint64(0)
	for i, r := range runs {
		ways[i] = map[[2]int]uint64{}
		list, items := r.Ways()
		for _, way := range list {
			to := [2]int{way.From, way.To}
			ways[i][to] += uint64(items[way])
			most = max(most, ways[i][to])
		}
	}
	out := eachRun(runs, "Who gave to whom", func(i int, r *instrument.Run) (Drawing, string) {
		n, ways := r.Workers, ways[i]
		p := runPlot(titled(len(runs), r.Label, span(r, r.End)), "receiver: "+r.Worker, "giver: "+r.Worker, float64(n),
			float64(n))
		p.X.Tick.Marker, p.Y.Tick.Marker = workerTicks(n, 16), workerTicks(n, 16)
		p.Add(counted(heat{x1: float64(n), y1: float64(n), columns: n, rows: n}, most,
			func(by, at int) uint64 { return ways[[2]int{by, at}] }))
		words, all, here := &plotter.Labels{}, 0, uint64(0)
		for by := range n {
			for at := range n {
				count := ways[[2]int{by, at}]
				all, here = all+int(count), max(here, count)
				if count > 0 && n <= 16 {
					style := sansStyle(vg.Length(9-float64(1.5*float64(columns))), draw.XCenter, draw.YCenter)
					if 4*count > most { // the cell is dark
						style.Color = white
					}
					words.XYs, words.Labels = append(words.XYs, plotter.XY{X: float64(at) + 0.5, Y: float64(by) + 0.5}),
						append(words.Labels, number(float64(count)))
					words.TextStyle = append(words.TextStyle, style)
				}
			}
		}
		if len(words.XYs) > 0 {
			p.Add(words)
		}
		return p, fmt.Sprintf("%s given, at most %s from one %s to another", r.Count(all), number(float64(here)),
			r.Worker)
	})
	out.columns = columns
	out.keys = []key{{words: number(float64(most)) + " " + runs[0].Items, low: "1", bar: rooted}}
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
	out := eachRun(runs, "What moved through the network", func(_ int, r *instrument.Run) (Drawing, string) {
		w := wiringOf(r.Machine.Config, r.Workers)
		for i, x := range w.nodes[:r.Workers] {
			w.nodes[i] = discNode(x.x, x.y, x.name, float64(r.UsedFor(i, moves.Work))/float64(max(1, r.End)))
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
			w.links = append(w.links, l)
		}
		words := fmt.Sprintf("%s given, at most %s over one arrow", r.Count(all), number(float64(most)))
		if all == 0 {
			words = "nothing moved"
		}
		w.title = titled(len(runs), r.Label, span(r, r.End))
		return w.graph, words
	})
	out.columns = gridColumns(runs)
	out.keys = []key{
		{words: runs[0].Items + " given", line: greyLine(0, 2)},
		{
			words: runs[0].Worker + ", the stronger the longer it worked",
			glyph: draw.GlyphStyle{Color: color.Gray{Y: 140}, Radius: 4, Shape: draw.CircleGlyph{}},
		},
	}
	w := wiringOf(runs[0].Machine.Config, runs[0].Workers)
	if w.box != "" {
		out.keys = append(out.keys, key{words: w.box, colour: white})
	}
	if w.line != "" {
		out.keys = append(out.keys, key{words: w.line, line: greyLine(190, 1.5)})
	}
	return out
}
