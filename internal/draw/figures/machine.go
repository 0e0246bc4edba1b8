package figures

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"emsim/internal/base/answer"
	"emsim/internal/base/lists"
	"emsim/internal/base/moves"
	"emsim/internal/base/plural"
	"emsim/internal/inspect/instrument"
)

// machineRuns are runs of a machine that balances its load.
type machineRuns = []*instrument.Run

// MachineFigure is a figure of any run of a machine that balances its load.
type MachineFigure = RunFigure[*instrument.Run]

// MachineFigures lists the figures of any run of a machine that balances its load.
func MachineFigures() []MachineFigure {
	each := func(high float64) func(machineRuns) float64 {
		return func(runs machineRuns) float64 { return 2.6 + float64(high*float64(len(runs))) }
	}
	grid := func(runs machineRuns) float64 {
		columns := gridColumns(runs)
		return 2.6 + float64(15*float64((len(runs)+columns-1)/columns))/float64(columns)
	}
	return []MachineFigure{
		{
			Name: "load", Title: "Load over time", height: each(6.4), draw: machineLoad,
			Reads: "How much each worker holds, in items, as shades from the least to the most of all. The bar above " +
				"marks the times at which the load was level: all workers within 10 % or one item of the mean.",
		},
		{
			Name: "gave", Title: "Who gave to whom", height: grid, draw: machineGave,
			Reads: "A row is the giver, a column the receiver: the stronger the colour, the more items of the load " +
				"it gave in the whole run. With up to 16 workers the number is shown.",
		},
		{
			Name: "network", Title: "What moved through the network", height: grid, draw: machineNetwork,
			Reads: "The wiring is pale; an arrow is a path that items of the load took, thicker for more items. The " +
				"colour of a worker is stronger the longer it worked on the problem itself.",
		},
		{
			Name: "idle", Title: "Who was idle while others had work", height: each(6), draw: machineIdle,
			Reads: "How long each worker waited. Rust is the part in which another one had at least two items more, " +
				"so that moving one would have helped both.",
		},
		{
			Name: "knowledge", Title: "How old and how wrong knowledge was at decisions",
			height: func(machineRuns) float64 { return 14 }, draw: machineKnowledge,
			Reads: "For each decision that moved load, everything about other workers that was compared. Above: how " +
				"old it was then. Below: by how much it was above or below the truth of that moment. " +
				"A stronger colour means more cases.",
		},
		{
			Name: "utilisation", Title: "What the workers' time was for", height: each(6.4), draw: machineUse,
			Reads: "For each worker: the problem itself, the messages that it needs in any case, balancing (to " +
				"sense, " +
				"decide, give and take), and waiting.",
		},
	}
}

// eachRun returns panels with a drawing for each run. draw returns the drawing of the i-th run and its result for the
// heading; about says what is drawn.
func eachRun(runs machineRuns, about string, draw func(i int, r *instrument.Run) (Drawing, string)) panels {
	var parts []Drawing
	var came []string
	for i, r := range runs {
		part, result := draw(i, r)
		parts, came = append(parts, part), append(came, result)
	}
	ran := cmp.Or(runs[0].Answer, &answer.Answer{Title: "a run that failed", Machine: runs[0].Machine.Kind.Name})
	names := lists.Of(runs, func(r *instrument.Run) string { return r.Label })
	out := headed(ran.Title, ran.Machine, about, names, came)
	out.parts = parts
	return out
}

// units converts a time of a run to its unit.
func units(r *instrument.Run, t int64) float64 { return float64(t) / float64(r.PerUnit) }

// span formats a time with its unit.
func span(r *instrument.Run, t int64) string { return number(units(r, t)) + " " + r.Unit }

// machineTime returns an empty plot over the time of the longest run.
func machineTime(runs machineRuns, title, y string, yMost float64) *chart {
	longest := slices.Max(lists.Of(runs, func(r *instrument.Run) float64 { return units(r, max(1, r.End)) }))
	x := map[bool]string{true: "clock", false: "time [" + runs[0].Unit + "]"}[runs[0].PerUnit == 1]
	return runPlot(title, x, y, longest, yMost)
}

// workerTicks returns at most `most` ticks, up to 100 times as many workers, with the numbers of workers, each in the
// middle of the worker's place.
func workerTicks(n, most int) (ticks plot.ConstantTicks) {
	steps := []int{1, 2, 5, 10, 20, 50, 100}
	step := steps[slices.IndexFunc(steps, func(s int) bool { return n <= most*s || s == 100 })]
	for w := 0; w < n; w += step {
		ticks = append(ticks, plot.Tick{Value: float64(w) + 0.5, Label: strconv.Itoa(w)})
	}
	return ticks
}

// machineLoad draws the load over time, with a bar for the times at which the load was balanced.
func machineLoad(runs machineRuns) Drawing {
	const columns = 1024
	least, most := runs[0].Loads()
	for _, r := range runs {
		a, b := r.Loads()
		least, most = min(least, a), max(most, b)
	}
	most = max(most, least+1)
	out := eachRun(runs, "Load over time", func(_ int, r *instrument.Run) (Drawing, string) {
		var level [columns]float64 // parts of the columns
		sum, wide := 0.0, float64(max(1, r.End))/columns
		for _, x := range r.Level() {
			sum += float64(x[1] - x[0])
			from, to := float64(x[0])/wide, float64(x[1])/wide
			for c := int(from); c < columns && float64(c) < to; c++ {
				level[c] += min(to, float64(c+1)) - max(from, float64(c))
			}
		}
		low, high := r.Loads()
		level100 := 100 * sum / float64(max(1, r.End))
		title := fmt.Sprintf("%s; level for %.1f %% of it", span(r, r.End), level100)
		end, top, p := units(r, max(1, r.End)), float64(r.Workers),
			machineTime(runs, titled(len(runs), r.Label, title), r.Worker, 0)
		p.Add(heldShades(r, columns, least, most))
		p.Y.Tick.Marker = workerTicks(r.Workers, 8)
		p.Y.Max = float64(1.1 * top)
		p.Add(heat{
			0, float64(1.04 * top), end, p.Y.Max, columns, 1,
			shadesOf(rust, func(x, _ int) float64 { return level[x] }),
		})
		return p, fmt.Sprintf("a %s holds %s to %s %s, and the load is level for %.0f %% of the time", r.Worker,
			number(low), number(high), r.Items, level100)
	})
	out.keys = []key{
		{words: number(most) + " " + runs[0].Items, low: number(least), bar: to(states[0])},
		{words: "level load", colour: rust},
	}
	return out
}

// heldShades shades what each worker holds over time, from least to most.
func heldShades(r *instrument.Run, columns int, least, most float64) heat {
	return overRows(0, units(r, max(1, r.End)), columns, 0, r.Workers, states[0], func(time float64, w int) float64 {
		return (r.LoadAt(w, int64(time*float64(r.PerUnit))) - least) / (most - least)
	})
}

// machineIdle draws how long each worker waited, a panel for each run.
func machineIdle(runs machineRuns) Drawing {
	out := eachRun(runs, "Who was idle while others had work", func(_ int, r *instrument.Run) (Drawing, string) {
		p, all, lost := workerBars(r), int64(0), int64(0)
		for w := range r.Workers {
			x := r.Waited(w)
			workerBar(p, r, w, x.All, paleBand)
			workerBar(p, r, w, x.Lost, rust)
			all, lost = all+x.All, lost+x.Lost
		}
		p.Title.Text = titled(len(runs), r.Label, span(r, r.End))
		return p, fmt.Sprintf("a %s waits %s of the time, %s while another one has more", r.Worker, partOfAll(r, all),
			partOfAll(r, lost))
	})
	out.keys = []key{
		{words: "waited", colour: paleBand},
		{words: "of it, while another one had two more", colour: rust},
	}
	return out
}

// partOfAll formats t as a percentage of the time of all workers.
func partOfAll(r *instrument.Run, t int64) string {
	return fmt.Sprintf("%.1f %%", 100*float64(t)/max(1, float64(int64(r.Workers)*r.End)))
}

// workerBars returns an empty plot with room for a bar for each worker.
func workerBars(r *instrument.Run) *chart {
	p := runPlot("", r.Worker, "share of the run [%]", float64(r.Workers), 100)
	p.X.Tick.Marker = workerTicks(r.Workers, 16)
	return p
}

// workerBar adds a worker's bar for a time, as a share of the run.
func workerBar(p *chart, r *instrument.Run, w int, t int64, fill color.Color) {
	if t > 0 {
		addBar(p, float64(w)+0.1, float64(w)+0.9, 100*float64(t)/float64(r.End), fill, 0)
	}
}

// useWords lists the uses of time with their names and colours.
var useWords = []struct {
	use   moves.Use
	words string
	fill  color.RGBA
}{{moves.Work, "work", states[0]}, {moves.Exchange, "exchange", states[2]}, {moves.Balance, "balancing", states[1]}}

// machineUse draws what the time of each worker was for, a panel for each run.
func machineUse(runs machineRuns) Drawing {
	out := eachRun(runs, "What the workers' time was for", func(_ int, r *instrument.Run) (Drawing, string) {
		p, all := workerBars(r), make([]int64, len(useWords))
		for w := range r.Workers {
			top := int64(0)
			for u, x := range useWords {
				all[u] += r.UsedFor(w, x.use)
				top += r.UsedFor(w, x.use)
			}
			for u := len(useWords) - 1; u >= 0; u-- { // the longest first; the others cover its lower part
				workerBar(p, r, w, top, useWords[u].fill)
				top -= r.UsedFor(w, useWords[u].use)
			}
		}
		words := lists.Of(all, func(t int64) string { return partOfAll(r, t) })
		p.Title.Text = titled(len(runs), r.Label, span(r, r.End))
		return p, fmt.Sprintf("a %s works %s of the time, exchange takes %s and balancing %s", r.Worker, words[0],
			words[1], words[2])
	})
	for _, u := range useWords {
		out.keys = append(out.keys, key{words: u.words, colour: u.fill})
	}
	out.keys = append(out.keys, key{words: "waits", colour: white})
	return out
}

// machineKnowledge draws how old and how wrong beliefs were: a column of panels for each run.
func machineKnowledge(runs machineRuns) Drawing {
	oldest, worst := 0.0, 0.0
	for _, r := range runs {
		list, _ := r.Beliefs()
		for _, b := range list {
			oldest, worst = max(oldest, units(r, b.Age)), max(worst, math.Abs(b.Knew-b.True))
		}
	}
	var wrong []Drawing
	var crowds []crowd
	const about = "How old and how wrong knowledge was at decisions"
	out := eachRun(runs, about, func(_ int, r *instrument.Run) (Drawing, string) {
		list, decisions := r.Beliefs()
		ages, right, half := []float64(nil), 0, 0.0
		p := machineTime(runs, "", "age ["+r.Unit+"]", max(oldest, 1/float64(r.PerUnit)))
		q := machineTime(runs, "", "too high by ["+r.Measure+"]", max(worst, 1))
		q.Y.Min = -q.Y.Max
		var old, off plotter.XYs
		for _, b := range list {
			old = append(old, plotter.XY{X: units(r, b.At), Y: units(r, b.Age)})
			off = append(off, plotter.XY{X: units(r, b.At), Y: b.Knew - b.True})
			if ages = append(ages, units(r, b.Age)); b.Right() {
				right++
			}
		}
		crowds = append(crowds, crowdOf(p, old), crowdOf(q, off))
		n := len(ages)
		if slices.Sort(ages); n > 0 {
			half = ages[n/2]
		}
		p.Title.Text = titled(len(runs), r.Label, span(r, r.End))
		hideX(p)
		wrong = append(wrong, q)
		result := "nothing was compared"
		if n > 0 {
			result = fmt.Sprintf("%s compared for %s; half of them older than %s %s", plural.Of(n, "load"),
				plural.Of(decisions, "decision"), number(half), r.Unit)
			q.Title.Text = fmt.Sprintf("right within 10 %%: %.1f %%", 100*float64(right)/float64(n))
		}
		return p, result
	})
	out.parts, out.columns = append(out.parts, wrong...), len(runs)
	most := slices.Max(lists.Of(crowds, func(x crowd) uint64 { return x.most }))
	for _, x := range crowds {
		x.chart.Add(counted(x.heat, most, func(row, column int) uint64 { return x.cells[[2]int{row, column}] }))
	}
	out.keys = []key{{words: plural.Of(int(most), "case"), low: "1", bar: rooted}}
	return out
}

// crowd is the number of points in each cell of a plot.
type crowd struct {
	chart *chart
	heat  heat
	cells map[[2]int]uint64 // by row and column
	most  uint64
}

// crowdOf counts points in the cells of a plot.
func crowdOf(p *chart, points plotter.XYs) crowd {
	h := heat{x0: p.X.Min, y0: p.Y.Min, x1: p.X.Max, y1: p.Y.Max, columns: 80, rows: 24}
	c := crowd{p, h, map[[2]int]uint64{}, 0}
	for _, x := range points {
		at := [2]int{
			min(h.rows-1, int(float64(h.rows)*(x.Y-h.y0)/(h.y1-h.y0))),
			min(h.columns-1, int(float64(h.columns)*(x.X-h.x0)/(h.x1-h.x0))),
		}
		c.cells[at]++
		c.most = max(c.most, c.cells[at])
	}
	return c
}
