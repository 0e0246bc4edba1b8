package figures

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"emsim/balance"
	"emsim/docs"
)

// balanceFigures returns the figures of the comparison of policies. All are drawn from the tables in docs/balance,
// except the loads over time, which need runs.
func balanceFigures() []Figure {
	return []Figure{
		figure("balance-time", "Run time of every policy on every workload, over the ideal time",
			"ours", 1.2*width, 1.55*height, balanceTimes),
		figure("balance-size", "Run time over the ideal time against the number of workers, five policies",
			"ours", 1.3*width, 1.4*height, balanceCurves(comparedRows("grain", "30"), "n", "workers", "With %s workers",
				"mean", "time / ideal time", curvePolicies...)),
		figure("balance-grain", "Run time over the ideal time against the grain, five policies",
			"ours", 1.3*width, 1.4*height,
			balanceCurves(comparedRows("n", "64"), "grain", "grain", "At grain %s", "mean", "time / ideal time",
				curvePolicies...)),
		figure("balance-open", "Time of a unit from its arrival to its end against the load, five policies",
			"ours", 1.3*width, 1.4*height, balanceCurves(openRows, "load", "load [%]", "At a load of %s %%", "response",
				"time / mean work", "stealing", "random", "mnc-auto", "none", "three-choices")),
		figure("balance-load", "Backlog of 16 workers over time: a heap under three policies",
			"ours", width, 1.35*height, balanceLoads),
	}
}

// balanceRows returns the recorded comparison.
func balanceRows() ([]sweepRow, error) {
	return namedRows("docs/balance/compare.csv", []byte(docs.Balance))
}

// blackTime is the time over the ideal time at which cells reach the darkest shade.
const blackTime = 16

// balanceTimes draws the comparison of 16 workers, at grains 3 and 30, as a table.
func balanceTimes(context.Context) (Drawing, error) {
	rows, err := balanceRows()
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(r sweepRow) bool { return r["n"] != "16" || r["grain"] == "300" })
	var groups []tableGroup
	for _, g := range distinct(rows, column("grain")) {
		groups = append(groups, tableGroup{
			"grain " + g, selectRows(rows, "grain", g),
			distinct(rows, column("workload")),
		})
	}
	policy, times, workloads := fastest(rows, "mean", curvePolicies, "grain", "30")
	t := shadedTables{
		title: fmt.Sprintf("Of five policies %s is the fastest in %d of %d workloads of grain 30", policy, times,
			workloads),
		about: "time over the ideal time, on a logarithmic scale; n/a: no value",
		keys:  []key{{words: number(blackTime), low: "1", bar: shade}},
	}
	t.panels = append(t.panels, cross("16 workers", distinct(rows, column("policy")), groups, column("policy"),
		column("workload"), func(runs []sweepRow) tableCell {
			return lastNumber(runs, "mean", "n/a", func(v float64) tableCell {
				return tableCell{fmt.Sprintf("%.2f", v), min(1, math.Log(v)/math.Log(blackTime))}
			})
		}))
	return t, nil
}

// fastest returns the policy, one of policies, that has the least value in column y in the most workloads, the number
// of these workloads, and the number of all. It compares rows whose column fixed has the given value.
func fastest(rows []sweepRow, y string, policies []string, fixed, value string) (policy string, times, workloads int) {
	won, loads := map[string]int{}, distinct(rows, column("workload"))
	for _, load := range loads {
		best, name := math.Inf(1), "" // "" if no policy has a value
		for _, r := range selectRows(rows, "workload", load, fixed, value) {
			if v, ok := r.number(y); ok && v < best && slices.Contains(policies, r["policy"]) {
				best, name = v, r["policy"]
			}
		}
		won[name]++
	}
	policy = slices.MaxFunc(policies, func(a, b string) int { return won[a] - won[b] })
	return policy, won[policy], len(loads)
}

// curvePolicies are the policies drawn as curves, one for each kind of information: a probe,
// nothing, neighbours' backlogs, a rate, all speeds.
var curvePolicies = []string{"stealing", "random", "mnc-auto", "power", "clb"}

// comparedRows returns a function that reads the rows of the comparison whose column fixed has the given value.
func comparedRows(fixed, value string) func() ([]sweepRow, error) {
	return func() ([]sweepRow, error) {
		rows, err := balanceRows()
		return selectRows(rows, fixed, value), err
	}
}

// openRows returns the recorded open systems that are steady, so a curve ends where the queues would grow without end.
// It splits a workload such as "poisson 80 %" into its name, with the grain, and load.
func openRows() ([]sweepRow, error) {
	rows, err := namedRows("docs/balance/open.csv", []byte(docs.Open))
	rows = slices.DeleteFunc(rows, func(r sweepRow) bool { return strings.HasPrefix(r["verdict"], "not steady") })
	for _, r := range rows {
		name, load, _ := strings.Cut(strings.TrimSuffix(r["workload"], " %"), " ")
		r["workload"], r["load"] = name+", grain "+r["grain"], load
	}
	return rows, err
}

// balanceCurves draws column y of a table against column x, with a panel for each workload. A panel has a curve for
// each policy that has values. at formats the last value of x for the heading.
func balanceCurves(table func() ([]sweepRow, error), x, xLabel, at, y, yLabel string, policies ...string) Drawer {
	return func(context.Context) (Drawing, error) {
		rows, err := table()
		if err != nil {
			return nil, err
		}
		values := distinct(rows, column(x))
		last := values[len(values)-1]
		policy, times, workloads := fastest(rows, y, policies, x, last)
		out := panels{
			columns: 3, about: yLabel + " by " + xLabel + "; policies on common ground",
			heading: fmt.Sprintf(at+", %s is the fastest in %d of %d workloads", last, policy, times, workloads),
		}
		for _, load := range distinct(rows, column("workload")) {
			p, most := newPlot(load, xLabel, yLabel), 4.0
			p.Add(greyGrid())
			for i, policy := range policies {
				var at plotter.XYs
				for _, r := range selectRows(selectRows(rows, "workload", load), "policy", policy) {
					h, _ := r.number(x)
					if v, ok := r.number(y); ok {
						at = append(at, plotter.XY{X: h, Y: v})
						most = max(most, v)
					}
				}
				if len(at) > 0 {
					addSeries(p, policy, at, i, i)
				}
			}
			p.Y.Scale, p.Y.Min, p.Y.Max = plot.LogScale{}, 1, most
			if x == "load" {
				out.columns = 2
			} else {
				p.X.Scale = plot.LogScale{}
			}
			var powers []float64
			for v := 1.0; v <= most; v *= 2 {
				powers = append(powers, v)
			}
			p.X.Tick.Marker, p.Y.Tick.Marker = ticksAt(numbers(rows, x)...), ticksAt(powers...)
			out.parts = append(out.parts, p)
		}
		return out, nil
	}
}

// loadPolicies are the policies whose loads balanceLoads draws.
var loadPolicies = []string{"ring-random", "mnc-auto", "stealing"}

// balanceLoads draws the backlogs of a run of each of loadPolicies on the workload
// source, with 16 workers and grain 30.
func balanceLoads(ctx context.Context) (Drawing, error) {
	const workers, grain, samples, ideals = 16, 30, 500, 3
	load := balance.Workloads()[slices.IndexFunc(balance.Workloads(),
		func(l balance.Workload) bool { return l.Name == "source" })]
	load.Work = grain * balance.Common().Move()
	ideal := load.Work * int64(load.Units)
	out := panels{about: "units that wait at 16 workers over time, on a logarithmic scale; all are born at worker 0"}
	var came []string
	for _, name := range loadPolicies {
		policy, _ := balance.FindPolicy(name)
		var loads [][]float64
		most := float64(workers * load.Units)
		r, err := balance.Run(ctx, balance.Setup{
			Policy: policy, Workload: load, Fabric: balance.Common(), Workers: workers, Seed: 1,
			Every: ideals * ideal / samples,
			Watch: func(_ int64, now []balance.Load) { loads = append(loads, loadShades(now, most)) },
		})
		if err != nil {
			return nil, err
		}
		for len(loads) < samples {
			loads = append(loads, make([]float64, workers))
		}
		came = append(came, fmt.Sprintf("%s %.2f", name, float64(r.Time)/float64(r.Ideal)))
		out.keys = []key{{words: number(most) + " units wait", low: "idle", bar: to(states[0])}}
		p := runPlot(name, "time / ideal time", "worker", ideals, workers)
		p.Add(heat{
			0, 0, ideals, workers, samples, workers,
			shadesOf(states[0], func(x, y int) float64 { return loads[x][y] }),
		})
		out.parts = append(out.parts, p)
	}
	out.heading = "Time over the ideal time: " + strings.Join(came, ", ")
	return out, nil
}

// loadShades returns the shades of loads, from 0 to 1. A unit that runs adds a light shade. The units that wait add the
// rest in proportion to the logarithm of their number; most is the largest number.
func loadShades(loads []balance.Load, most float64) []float64 {
	const works = 0.2
	list := make([]float64, len(loads))
	for i, w := range loads {
		list[i] = (1 - works) * math.Log1p(float64(w.Backlog)) / math.Log1p(most)
		if w.Running {
			list[i] += works
		}
	}
	return list
}
