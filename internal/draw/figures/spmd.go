package figures

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"emsim/cluster/spmd"
	"emsim/internal/base/lists"
	"emsim/verify"
)

// spmdFigures returns the figures of paper 002: its tables 1 and 2 next to the model, and the topologies.
func spmdFigures() []Figure {
	return []Figure{
		figure("spmd-tasks", "Tasks of each workstation, paper against model", "[002] table 2", width, 1.4*height,
			spmdBars("tasks", "tasks", "The busiest workstation runs %s", "%.0f tasks",
				func(r *spmd.Result, p int) float64 { return float64(r.Tasks[p]) })),
		figure("spmd-ends", "End times of the workstations, paper against model", "[002] table 1", width, 1.4*height,
			spmdBars("end_time", "end [s]", "The last workstation ends after %s", "%.0f s",
				func(r *spmd.Result, p int) float64 { return float64(r.EndUS[p]) / 1e6 })),
		figure("spmd-topologies", "Who reads whose load, and the tasks that moved", "ours; [002] figure 2 is lost",
			1.5*width, 0.85*height, spmdTopologies),
	}
}

const spmdSeeds = 16 // as in verify

// spmdBars draws a quantity of every workstation, under both methods. The heading has the greatest mean of each.
func spmdBars(quantity, words, heading, most string, of func(*spmd.Result, int) float64) Drawer {
	return func(ctx context.Context) (Drawing, error) {
		out := panels{about: words + ", paper and model; seven workstations, " + fmt.Sprint(spmdSeeds) + " seeds"}
		var last []string
		for _, m := range []spmd.Policy{spmd.Static, spmd.Proposed} {
			rs, err := spmd.RunSeeds(ctx, spmd.Paper(m), spmdSeeds)
			if err != nil {
				return nil, err
			}
			paper, err := claimed("002",
				func(c verify.Claim) bool { return c.Quantity == quantity && c.Cond["method"] == string(m) })
			if err != nil {
				return nil, err
			}
			out.parts = append(out.parts, spmdPanel(m, words, paper, rs, of))
			mean, printed := 0.0, 0.0
			for i, c := range paper {
				mean = max(mean, lists.Sum(rs, func(r *spmd.Result) float64 { return of(r, i) })/float64(len(rs)))
				printed = max(printed, c.number)
			}
			last = append(last, fmt.Sprintf(most+" with the %s method (paper: %.0f)", mean, m, printed))
		}
		out.heading = fmt.Sprintf(heading, strings.Join(last, ", "))
		return out, nil
	}
}

// spmdPanel draws the paper's numbers next to the means and ranges of all seeds.
func spmdPanel(m spmd.Policy, words string, paper []paperNumber, rs []*spmd.Result,
	of func(*spmd.Result, int) float64,
) *chart {
	rows := comparison("")
	rows.keys = append(rows.keys, key{words: "all seeds", line: thick})
	for i, c := range paper {
		seeds := lists.Of(rs, func(r *spmd.Result) float64 { return of(r, i) })
		sum := lists.Sum(seeds, func(v float64) float64 { return v })
		name := fmt.Sprintf("P%d", i)
		if slices.Contains(spmd.Paper(m).Loaded, i) {
			name += " (loaded)"
		}
		x := comparedRow(name, c.number, sum/float64(len(rs)), "%.1f", "")
		x.bar = [2]float64{slices.Min(seeds), slices.Max(seeds)}
		rows.rows = append(rows.rows, x)
	}
	rows.fitScale(0)
	return rows.rowPlot(string(m)+" method", words)
}

func spmdTopologies(ctx context.Context) (Drawing, error) {
	out := panels{
		columns: 3, about: "who reads whose load (arrows), and the tasks that move, means of " + fmt.Sprint(spmdSeeds) +
			" seeds; grey: loaded",
	}
	var last []string
	for _, t := range []struct {
		name     string
		topology spmd.Topology
		at       func(i int) (x, y float64)
	}{{"T*", spmd.TStar(), onCircle}, {"Fano plane", spmd.Fano(), onCircle}, {"tree", spmd.Tree(7), inTree}} {
		c := spmd.Paper(spmd.Proposed)
		c.Topology = t.topology
		rs, err := spmd.RunSeeds(ctx, c, spmdSeeds)
		if err != nil {
			return nil, err
		}
		g := graph{title: t.name}
		last = append(last, fmt.Sprintf("%s %.0f s", t.name, spmd.MeanOf(rs, (*spmd.Result).FinishUS)/1e6))
		for i, readers := range t.topology {
			x, y := t.at(i)
			loaded := 0.0
			if slices.Contains(c.Loaded, i) {
				loaded = 0.5
			}
			g.nodes = append(g.nodes, discNode(x, y, strconv.Itoa(i), loaded))
			for _, j := range readers {
				moved := spmd.MeanOf(rs, func(r *spmd.Result) int64 { return int64(r.Moved[i][j]) })
				g.links = append(g.links, movedLink(i, j, moved, 15))
			}
		}
		out.parts = append(out.parts, g)
	}
	out.heading = "The last workstation ends after: " + strings.Join(last, ", ")
	return out, nil
}

// onCircle returns the place of a processor on a circle. Like inTree, it places seven processors in the square from -1
// to 1.
func onCircle(i int) (x, y float64) {
	angle := math.Pi/2 - 2*math.Pi*float64(i)/7
	return math.Cos(angle), -math.Sin(angle)
}

func inTree(i int) (x, y float64) {
	switch {
	case i == 0:
		return 0, -0.8
	case i < 3:
		return float64(i) - 1.5, 0
	}
	return (float64(i) - 4.5) * 2 / 3, 0.8
}
