package figures

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/portrait"
	"emsim/trace"
)

// ownTimeline is the number of PEs in each state over time, a panel for each run.
type ownTimeline []OwnRun

// Draw paints the panels, one below the other, with one scale of time.
func (runs ownTimeline) Draw(c draw.Canvas) {
	c = heading(c, runs, "What the PEs do over time")
	var keys []key
	for s, words := range stateWords {
		keys = append(keys, key{states[s], words})
	}
	c = legend(c, keys)
	for i, at := range rowsOfCanvas(c, len(runs)) {
		r := runs[i]
		share := sharesOf(r)
		at = runTitle(at, runs, i, fmt.Sprintf("%s; at work %.1f %%, IBU only %.1f %%, network %.1f %%, idle %.1f %%",
			clocksOf(r), 100*share[0], 100*share[1], 100*share[2], 100*share[3]))
		a := newAxes(at, "clock", "PEs", mostClocks(runs), float64(r.Topology.N))
		floor := make([]float64, len(r.Cells))
		for s := range trace.Idle {
			floor = a.layer(r, states[s], floor, func(w int) float64 {
				var clocks uint64
				for pe := range r.Cells[w] {
					clocks += uint64(r.Cells[w][pe].State[s])
				}
				return float64(clocks) / float64(r.WindowClocks(w))
			})
		}
		a.frame()
	}
}

// layer paints a value of every window as steps upon a floor, and returns the new
// floor.
func (a axes) layer(r OwnRun, fill color.Color, floor []float64, value func(w int) float64) []float64 {
	top := make([]float64, len(floor))
	var over, under []vg.Point
	from := float64(r.From - r.Start)
	for w := range floor {
		to := float64(r.WindowEnd(w))
		top[w] = floor[w] + value(w)
		over = append(over, a.at(from, top[w]), a.at(to, top[w]))
		under = append(under, a.at(from, floor[w]), a.at(to, floor[w]))
		from = to
	}
	for i := len(under) - 1; i >= 0; i-- {
		over = append(over, under[i])
	}
	if len(over) > 0 {
		a.FillPolygon(fill, over)
	}
	return top
}

// ownHeatmap has a panel for each state, and a column of panels for each run.
type ownHeatmap []OwnRun

// Draw paints the panels.
func (runs ownHeatmap) Draw(c draw.Canvas) {
	c = panelTitle(heading(c, runs, "Every PE over time"), "White: never in this state during a window of clocks; full colour: always")
	for i, column := range columnsOfCanvas(c, len(runs)) {
		r := runs[i]
		share := sharesOf(r)
		column = runTitle(column, runs, i, clocksOf(r))
		for s, at := range rowsOfCanvas(column, portrait.States) {
			at = panelTitle(at, fmt.Sprintf("%s: %.1f %%", [...]string{"FMU or EXU at work", "only the IBU at work", "network wait", "idle"}[s], 100*share[s]))
			a := newAxes(at, map[bool]string{true: "clock", false: ""}[s == portrait.States-1], "PE", mostClocks(runs), float64(r.Topology.N))
			from := float64(r.From-r.Start) / a.xMost
			wide := float64(r.Clocks()) / a.xMost
			full := states[s]
			switch trace.ExuFmu + trace.Status(s) {
			case trace.NetworkWait:
				full = color.RGBA{0xd0, 0x8c, 0x0a, 0xff} // a stronger yellow, for thin lines on white
			case trace.Idle:
				full = color.RGBA{0x55, 0x55, 0x55, 0xff}
			}
			inner := a.Canvas
			inner.Rectangle = vg.Rectangle{Min: a.at(float64(from*a.xMost), 0), Max: a.at(float64((from+wide)*a.xMost), a.yMost)}
			picture(inner, r.columns(), r.Topology.N, func(x0, x1, y0, y1 int) color.RGBA {
				return mix(color.RGBA{0xff, 0xff, 0xff, 0xff}, full, r.share(s, x0, x1, y0, y1))
			})
			a.frame()
		}
	}
}

// finest bounds the columns of a heat map.
const finest = 1 << 12

// columns is the number of equal columns into which a heat map cuts a run: some for
// each window, so that a shorter last one has its true width.
func (r OwnRun) columns() int { return int(min(r.Clocks(), finest)) }

// share is the share of a state in some columns of a heat map, of some PEs.
func (r OwnRun) share(state, x0, x1, y0, y1 int) float64 {
	window := func(x int) int {
		return min(len(r.Cells)-1, int(uint64(x)*r.Clocks()/uint64(r.columns())/r.Window))
	}
	var in, of uint64
	for w := window(x0); w <= window(x1-1); w++ {
		for pe := y0; pe < y1; pe++ {
			in += uint64(r.Cells[w][pe].State[state])
		}
		of += r.WindowClocks(w) * uint64(y1-y0)
	}
	return float64(in) / float64(max(1, of))
}

// ownLoad is how full the input buffers are over time, two panels for each run.
type ownLoad []OwnRun

// Draw paints the panels, with common scales.
func (runs ownLoad) Draw(c draw.Canvas) {
	c = heading(c, runs, "How full the input buffers are")
	c = legend(c, []key{{states[0], "words in the FIFO"}, {states[1], "words in the MIB"}, {paleBand, "load value: least to most loaded PE"}, {ink, "its mean"}})
	most := 1.0
	for _, r := range runs {
		for w := range r.Cells {
			most = max(most, r.mean(w, trace.FIFOWords)+r.mean(w, trace.MIBWords))
		}
	}
	for i, at := range rowsOfCanvas(c, len(runs)) {
		r := runs[i]
		at = runTitle(at, runs, i, fmt.Sprintf("%s; %s packets spilled", clocksOf(r), thousands(float64(r.spills()))))
		halves := rowsOfCanvas(at, 2)
		a := newAxes(halves[0], "", "words per PE", mostClocks(runs), most)
		floor := make([]float64, len(r.Cells))
		floor = a.layer(r, states[0], floor, func(w int) float64 { return r.mean(w, trace.FIFOWords) })
		a.layer(r, states[1], floor, func(w int) float64 { return r.mean(w, trace.MIBWords) })
		a.frame()
		a = newAxes(halves[1], "clock", "load value", mostClocks(runs), 15)
		low := make([]float64, len(r.Cells))
		for w := range r.Cells {
			low[w], _ = r.extremes(w)
		}
		a.layer(r, paleBand, low, func(w int) float64 { l, h := r.extremes(w); return h - l })
		line := make([]vg.Point, 0, 2*len(r.Cells))
		from := float64(r.From - r.Start)
		for w := range r.Cells {
			to := float64(r.WindowEnd(w))
			line = append(line, a.at(from, r.mean(w, trace.Load)), a.at(to, r.mean(w, trace.Load)))
			from = to
		}
		a.StrokeLines(draw.LineStyle{Color: ink, Width: 1.2}, line)
		a.frame()
	}
}

var paleBand = color.RGBA{0xb9, 0xcc, 0xe2, 0xff}

// mean is the mean level of a window over clocks and PEs.
func (r OwnRun) mean(w int, l trace.Level) float64 {
	var all uint64
	for pe := range r.Cells[w] {
		all += r.Cells[w][pe].Level[l]
	}
	return float64(all) / float64(r.WindowClocks(w)) / float64(r.Topology.N)
}

// extremes are the least and the greatest mean load value of a PE in a window.
func (r OwnRun) extremes(w int) (low, high float64) {
	low = 15
	for pe := range r.Cells[w] {
		v := float64(r.Cells[w][pe].Level[trace.Load]) / float64(r.WindowClocks(w))
		low, high = min(low, v), max(high, v)
	}
	return min(low, high), high
}

func (r OwnRun) spills() uint64 {
	var all uint64
	for _, row := range r.Cells {
		for pe := range row {
			all += uint64(row[pe].Spill)
		}
	}
	return all
}
