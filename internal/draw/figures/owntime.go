package figures

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/base/lists"
	"emsim/internal/inspect/portrait"
	"emsim/trace"
)

// ownTimeline draws the number of PEs in each state over time, a panel for each run.
func ownTimeline(runs []OwnRun) Drawing {
	out := ownPanels(runs, "PEs in each state over time, on average over "+number(float64(runs[0].Window))+" clocks",
		func(r OwnRun) string { return fmt.Sprintf("PEs work %.0f %% of the time", 100*r.shares()[0]) })
	for s, words := range portrait.StateWords {
		out.keys = append(out.keys, key{words: words, colour: states[s]})
	}
	for i, r := range runs {
		share := r.shares()
		p := overTime(runs, titled(len(runs), runs[i].Name,
			fmt.Sprintf("%s; at work %.1f %%, IBU only %.1f %%, network %.1f %%, idle %.1f %%",
				r.length(), 100*share[0], 100*share[1], 100*share[2], 100*share[3])), "PEs", float64(r.Topology.N))
		floor := make([]float64, len(r.Cells))
		for s := range int(trace.Idle) {
			top := r.byWindow(func(w int) float64 { return floor[w] + r.meanInState(w, s) })
			addArea(p, r.edges(), floor, top, states[s])
			floor = top
		}
		out.parts = append(out.parts, p)
	}
	return out
}

// meanInState returns the number of PEs in a state, on average over a window.
func (r OwnRun) meanInState(w, state int) float64 {
	clocks := lists.Sum(r.Cells[w], func(c portrait.Cell) uint64 { return uint64(c.State[state]) })
	return float64(clocks) / float64(r.WindowClocks(w))
}

// ownHeatmap draws a row of panels for each state, with a column for each run.
func ownHeatmap(runs []OwnRun) Drawing {
	out := ownPanels(runs,
		"share of each "+number(float64(runs[0].Window))+" clocks that a PE spends in a state; a row is a PE",
		func(r OwnRun) string {
			var worked []float64
			for pe := range r.Topology.N {
				worked = append(worked, float64(100*r.share(0, 0, r.columns(), pe, pe+1)))
			}
			return fmt.Sprintf("the busiest PE works %.0f %% of the time, the idlest %.0f %%", slices.Max(worked),
				slices.Min(worked))
		})
	out.columns = len(runs)
	for s, words := range [portrait.States]string{
		"FMU or EXU at work", "only the IBU at work", "network wait",
		"idle",
	} {
		full := states[s]
		switch trace.ExuFmu + trace.Status(s) {
		case trace.NetworkWait:
			full = color.RGBA{0xd0, 0x8c, 0x0a, 0xff} // a stronger yellow, for thin lines on white
		case trace.Idle:
			full = color.RGBA{0x55, 0x55, 0x55, 0xff}
		}
		out.keys = append(out.keys, key{words: "100 % " + words, low: "0", bar: to(full)})
		for i, r := range runs {
			title := fmt.Sprintf("%s %.1f %%", words, 100*r.shares()[s])
			if s == 0 {
				title = r.length() + "; " + title
			}
			p := overTime(runs, titled(len(runs), runs[i].Name, title), "PE", float64(r.Topology.N))
			if s < portrait.States-1 {
				hideX(p)
			}
			p.Add(heat{
				r.axisTime(r.From - r.Start), 0, r.axisTime(r.End - r.Start), float64(r.Topology.N), r.columns(),
				r.Topology.N,
				func(x0, x1, y0, y1 int) color.RGBA { return mixColours(white, full, r.share(s, x0, x1, y0, y1)) },
			})
			out.parts = append(out.parts, p)
		}
	}
	return out
}

// finest is the largest number of columns of a heat map.
const finest = 1 << 12

// columns returns the number of columns of a heat map. Each clock has a column, as far as finest allows, so that a
// shorter last window has its true width.
func (r OwnRun) columns() int { return int(min(r.Clocks(), finest)) }

// share returns the share of a state in columns x0 to x1-1 of a heat map, for PEs y0 to y1-1.
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

// ownLoad draws how full the input buffers are over time, two panels for each run.
func ownLoad(runs []OwnRun) Drawing {
	waiting := func(r OwnRun) (most float64) {
		for w := range r.Cells {
			most = max(most, r.meanLevel(w, trace.FIFOWords)+r.meanLevel(w, trace.MIBWords))
		}
		return most
	}
	out := ownPanels(runs, "words that wait in the input buffers of a PE, and the load value that MLPE packets compare",
		func(r OwnRun) string {
			return fmt.Sprintf("at most %s words wait per PE", number(math.Round(10*waiting(r))/10))
		})
	most := max(1, slices.Max(lists.Of(runs, waiting)))
	mean := draw.LineStyle{Color: ink, Width: 1.2}
	out.keys = []key{
		{words: "words in the FIFO", colour: states[0]},
		{words: "words in the MIB", colour: states[1]},
		{words: "load value: least to most loaded PE", colour: paleBand},
		{words: "its mean", line: mean},
	}
	for i, r := range runs {
		p := overTime(runs, titled(len(runs), runs[i].Name,
			fmt.Sprintf("%s; %s packets spilled", r.length(), number(float64(r.spills())))), "words per PE", most)
		p.X.Label.Text = ""
		fifo := r.byWindow(func(w int) float64 { return r.meanLevel(w, trace.FIFOWords) })
		addArea(p, r.edges(), make([]float64, len(fifo)), fifo, states[0])
		addArea(p, r.edges(), fifo, r.byWindow(func(w int) float64 { return fifo[w] + r.meanLevel(w, trace.MIBWords) }),
			states[1])
		q := overTime(runs, "", "load value", 15)
		low := r.byWindow(func(w int) float64 { low, _ := r.extremes(w); return low })
		addArea(q, r.edges(), low, r.byWindow(func(w int) float64 { _, high := r.extremes(w); return high }), paleBand)
		addLine(q, "", steps(r.edges(), r.byWindow(func(w int) float64 { return r.meanLevel(w, trace.Load) })), mean)
		out.parts = append(out.parts, p, q)
	}
	return out
}

// meanLevel returns the mean of a level in a window, over clocks and PEs.
func (r OwnRun) meanLevel(w int, l trace.Level) float64 {
	all := lists.Sum(r.Cells[w], func(c portrait.Cell) uint64 { return c.Level[l] })
	return float64(all) / float64(r.WindowClocks(w)) / float64(r.Topology.N)
}

// extremes returns the least and the greatest mean load value of the PEs in a window.
func (r OwnRun) extremes(w int) (low, high float64) {
	low = 15
	for pe := range r.Cells[w] {
		v := float64(r.Cells[w][pe].Level[trace.Load]) / float64(r.WindowClocks(w))
		low, high = min(low, v), max(high, v)
	}
	return min(low, high), high
}

func (r OwnRun) spills() uint64 {
	return lists.Sum(r.Cells, func(row []portrait.Cell) uint64 {
		return lists.Sum(row, func(c portrait.Cell) uint64 { return uint64(c.Spill) })
	})
}
