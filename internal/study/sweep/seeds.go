package sweep

import (
	"slices"

	"emsim/internal/base/tomlfile"
)

// A Cell is a row of the table. With seeds = N, a cell has N runs that differ only by chance. If the program or the
// machine draws random numbers, the runs are N points, each with its own seed. Any other program of the EM-4 is one
// point: it runs N times on one machine, which keeps its tables and loads between runs. Every other machine repeats
// itself exactly, so one run suffices.
type Cell struct {
	Points []int  // in Plan.Points, in the order of the seeds
	Base   int    // index of the reference cell, which may be this cell, or -1
	Varied []int  // points of the variations that addVaried makes; -1 for impossible ones
	By     string // how its runs differ; "" without seeds

	key string // the choices of its grid, without the variant
}

// The ways in which the runs of a cell can differ.
const (
	bySeed    = "seed"
	byRun     = "run"
	byNothing = "nothing"
)

// maxSeeds is the largest number of runs of a cell.
const maxSeeds = 10_000

// readSeeds reads the file's key seeds.
func (r *reader) readSeeds(n *tomlfile.Node) {
	if n == nil {
		return
	}
	v := r.number(n, "seeds", 2)
	if v > maxSeeds {
		r.Failf(n.At, "seeds is %d, it must be 2..%d", v, maxSeeds)
		return
	}
	r.seeds = int(v)
}

// oneSeed adds errors for lists of seeds, and for runs, in a grid of a file with seeds = N.
func (r *reader) oneSeed(g *grid, n *tomlfile.Node) {
	if r.seeds == 0 {
		return
	}
	if len(g.seeds) > 1 {
		r.Failf(g.seeds[1].at, "with seeds = %d every cell has consecutive seeds: give only the first, seed = "+
			"%s", r.seeds, g.seeds[0].name)
	}
	if x := n.Get("runs"); x != nil {
		r.Failf(x.At, "runs cannot be combined with seeds: the runs of a cell are the %d that seeds asks for", r.seeds)
	}
}

// addCell adds a row, for a point or for all points of its cell. The function define completes a point, and reports
// whether that was possible.
func (x *expansion) addCell(p Point, key string, define func(p *Point) bool) {
	points, by := []Point{p}, ""
	if x.seeds > 0 {
		points, by = p.subject().repeated(x, p)
	}
	c := Cell{By: by, key: key}
	for _, p := range points {
		if !define(&p) {
			return
		}
		c.Points = append(c.Points, len(x.plan.Points))
		x.plan.Points = append(x.plan.Points, p)
	}
	if x.vary && by == byRun {
		x.addVaried(&c)
	}
	x.plan.Cells = append(x.plan.Cells, c)
}

// ofVariant returns the row numbers of a variant, counted from 1, by cell key: everything the grid chose except the
// variant.
func (plan *Plan) ofVariant(name string) map[string]int {
	at := map[string]int{}
	for i, c := range plan.Cells {
		if plan.first(c).Variant == name {
			at[c.key] = i + 1
		}
	}
	return at
}

// first returns the first point of a cell.
func (plan *Plan) first(c Cell) *Point { return &plan.Points[c.Points[0]] }

// Rows returns the number of rows in the table.
func (plan *Plan) Rows() int { return len(plan.Cells) }

// rowOf returns the row number of every point, counted from 1.
func (plan *Plan) rowOf() []int {
	list := make([]int, len(plan.Points))
	for i, c := range plan.Cells {
		for _, p := range slices.Concat(c.Points, c.Varied) {
			if p >= 0 {
				list[p] = i + 1
			}
		}
	}
	return list
}

// Outcomes returns the number of rows for each outcome.
func (plan *Plan) Outcomes(results map[string]*Result) map[string]int {
	n := map[string]int{}
	for _, c := range plan.Cells {
		outcome, _ := plan.ended(c, results)
		n[outcome]++
	}
	return n
}

// ended returns the outcome of a cell, and how many runs failed. The outcome is ok if all runs are ok, or else the
// outcome of the first run that failed.
func (plan *Plan) ended(c Cell, results map[string]*Result) (outcome string, failed int) {
	outcome = OK
	for _, i := range c.Points {
		p := &plan.Points[i]
		r := results[p.ID]
		if r.Outcome == OK {
			continue
		}
		if outcome == OK {
			outcome = r.Outcome
		}
		if failed++; p.Each {
			failed = p.Runs - len(r.Each[clocksKey])
		}
	}
	return outcome, failed
}

// runsOf returns the number of runs in a cell.
func (plan *Plan) runsOf(c Cell) int {
	if c.By == byRun {
		return plan.first(c).Runs
	}
	return len(c.Points)
}
