package figures

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"emsim/internal/base/lists"
	"emsim/internal/inspect/portrait"
	"emsim/trace"
)

// stateSeriesHead begins a file of --series of the EM-4.
const stateSeriesHead = "run,time,clocks,"

// stateColumns are the columns of the states, in the order of portrait.StateWords.
var stateColumns = [portrait.States]string{"exu_fmu", "ibu_only", "network_wait", "idle"}

// mostRuns is the largest number of panels in the figure [chosen: they stay readable].
const mostRuns = 8

// stateSeries is one run: the mean shares of the PEs in each state, by window.
type stateSeries struct {
	run   float64
	edges []float64 // of the windows, in clocks
	share [portrait.States][]float64
}

// readStates reads the runs of a file of the EM-4, whose windows must follow one another.
func (f *seriesFile) readStates() (runs []*stateSeries, err error) {
	head, _, _ := strings.Cut(string(f.text), "\n")
	names := strings.Split(strings.TrimSuffix(head, "\r"), ",")
	var column [portrait.States]int
	for s, name := range stateColumns {
		if column[s] = slices.Index(names, name); column[s] < 0 {
			return nil, f.wrong(1, 1, "the head has no column %s; 'emsim run --series FILE' writes it", name)
		}
	}
	err = f.eachLine(func(r *csv.Reader, fields []string) error {
		var at [3]float64 // run, end of the window, its clocks
		for i := range at {
			var err error
			if at[i], err = f.number(r, fields, i); err != nil {
				return err
			}
		}
		line, _ := r.FieldPos(0)
		if len(runs) == 0 || runs[len(runs)-1].run != at[0] {
			if len(runs) == mostRuns {
				return f.wrong(line, 1, "more than %d runs do not fit in one figure: keep the lines of some runs only",
					mostRuns)
			}
			runs = append(runs, &stateSeries{run: at[0], edges: []float64{at[1] - at[2]}})
		}
		x := runs[len(runs)-1]
		if last := x.edges[len(x.edges)-1]; at[2] <= 0 || at[1]-at[2] != last {
			return f.wrong(line, 1, "expected the window that begins at clock %g", last)
		}
		x.edges = append(x.edges, at[1])
		for s := range column {
			v, err := f.number(r, fields, column[s])
			if err != nil {
				return err
			}
			x.share[s] = append(x.share[s], v)
		}
		return nil
	})
	if err == nil && len(runs) == 0 {
		err = f.wrong(0, 0, "no window; run longer")
	}
	return runs, err
}

// drawStates stacks the shares of the states, a panel for each run.
func drawStates(runs []*stateSeries) Drawing {
	out := panels{about: "share of the PEs in each state over time"}
	var came []string
	for s, words := range portrait.StateWords {
		out.keys = append(out.keys, key{words: words, colour: states[s]})
	}
	longest := slices.Max(lists.Of(runs, func(x *stateSeries) float64 { return x.edges[len(x.edges)-1] }))
	for _, x := range runs {
		p := runPlot(titled(len(runs), fmt.Sprintf("run %g", x.run), number(x.edges[len(x.edges)-1])+" clocks"),
			"clock", "PEs [%]", longest, 100)
		floor := make([]float64, len(x.edges)-1)
		for s := range int(trace.Idle) {
			top := slices.Clone(floor)
			for w, v := range x.share[s] {
				top[w] += float64(100 * v)
			}
			addArea(p, x.edges, floor, top, states[s])
			floor = top
		}
		out.parts = append(out.parts, p)
		work := 0.0
		for w, v := range x.share[0] {
			work += float64(v * (x.edges[w+1] - x.edges[w]))
		}
		came = append(came, fmt.Sprintf("run %g: PEs work %.0f %% of the time", x.run,
			100*work/x.edges[len(x.edges)-1]))
	}
	out.heading = strings.Join(came, "; ")
	return out
}
