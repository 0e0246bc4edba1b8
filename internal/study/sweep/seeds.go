package sweep

import (
	"slices"
	"strconv"
	"strings"

	"emsim/asm"
	"emsim/internal/base/knob"
	"emsim/internal/base/lists"
	"emsim/internal/base/tomlfile"
	"emsim/internal/machine/run"
	"emsim/isa"
)

// A Cell is a row of the table. With seeds = N it stands for N runs that differ only by
// chance. If the program or the machine draws random numbers, these are N points, each
// with its seed. Other programs of the EM-4 run N times on one machine, whose tables and
// loads are kept from run to run: one point. All other machines do the same in every run, so
// that one is enough.
type Cell struct {
	Points []int  // in Plan.Points, in the order of the seeds
	Base   int    // the cell that it is compared with, perhaps itself, or -1
	Varied []int  // likewise: its run with what must not matter changed by one; -1 where that cannot be
	By     string // what its runs differ by; "" without seeds

	key string // what its grid chose: all but the variant
}

// What the runs of a cell differ by.
const (
	bySeed    = "seed"
	byRun     = "run"
	byNothing = "nothing"
)

// maxSeeds bounds the runs of a cell.
const maxSeeds = 10_000

// readSeeds reads the key seeds of the whole file.
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

// oneSeed rejects lists of seeds in a grid with seeds = N.
func (r *reader) oneSeed(g *grid, n *tomlfile.Node) {
	if r.seeds == 0 {
		return
	}
	if len(g.seeds) > 1 {
		r.Failf(g.seeds[1].at, "with seeds = %d every cell has the seeds from one number on: give only that "+
			"number, seed = %s", r.seeds, g.seeds[0].name)
	}
	if x := n.Get("runs"); x != nil {
		r.Failf(x.At, "runs cannot be together with seeds: the runs of a cell are the %d that seeds asks for", r.seeds)
	}
}

// draws reports whether a program's course can depend on the seed: it reads
// the seed, and does not say by the constant uses_random that it never uses it.
func draws(o *asm.Object) bool {
	for _, s := range o.Symbols {
		if s.Kind == asm.Constant && s.Name == "uses_random" && s.Value == 0 {
			return false
		}
	}
	for _, s := range o.Sections {
		if s.Kind == asm.Code && slices.ContainsFunc(s.Words, func(w uint64) bool {
			in, err := isa.Decode(w)
			return err == nil && in.Op == isa.RDS && isa.Special(in.Imm) == isa.SpecialSeed
		}) {
			return true
		}
	}
	return false
}

// addCell adds a row: a point, or all points of its cell. define completes a
// point and reports whether it can be.
func (x *expansion) addCell(p Point, key string, define func(p *Point) bool) {
	points, by := []Point{p}, ""
	if x.seeds > 0 {
		points, by = x.repeated(p)
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

// repeated returns the runs of a point's cell.
func (x *expansion) repeated(p Point) ([]Point, string) {
	first := p.Spec.Seed
	if p.Kind == "" {
		o, err := x.object(p.Spec.Program, p.Spec.Params)
		if err != nil || !draws(o.Object) { // an error comes again
			p.Runs, p.Each = x.seeds, true
			return []Point{p}, byRun
		}
	} else {
		m, err := p.machine()
		if err != nil {
			return []Point{p}, ""
		}
		row, ok := knob.Find(m.Rows, "seed")
		if !ok {
			return []Point{p}, byNothing
		}
		first, _ = strconv.ParseUint(row.Text(), 10, 64)
	}
	var list []Point
	for i := range uint64(x.seeds) {
		q := p
		q.Spec.Seed = first + i
		if p.Kind != "" {
			q.Spec.Seed, q.Spec.Sets = 0, withSeed(p.Spec.Sets, first+i)
		}
		list = append(list, q)
	}
	return list, bySeed
}

// seedOf returns the setting of the knob seed.
func seedOf(p *Point) string {
	seed, _ := lists.Find(p.Spec.Sets, func(s string) bool { return strings.HasPrefix(s, "seed=") })
	return seed
}

// withSeed sets the knob seed.
func withSeed(sets []string, seed uint64) []string {
	others := slices.DeleteFunc(slices.Clone(sets), func(s string) bool { return s[:min(5, len(s))] == "seed=" })
	return append(others, "seed="+strconv.FormatUint(seed, 10))
}

// ofVariant returns the rows of a variant, from 1, by what their grids chose.
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

// Rows counts the rows of the table.
func (plan *Plan) Rows() int { return len(plan.Cells) }

// rowOf returns the row of every point, from 1.
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

// Outcomes counts the rows of the table by their outcome.
func (plan *Plan) Outcomes(results map[string]*Result) map[string]int {
	n := map[string]int{}
	for _, c := range plan.Cells {
		outcome, _ := plan.ended(c, results)
		n[outcome]++
	}
	return n
}

// ended returns the outcome of a cell: ok if all its runs were, otherwise the outcome of the first
// that did not; and how many did not.
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

// runsOf counts the runs of a cell.
func (plan *Plan) runsOf(c Cell) int {
	if c.By == byRun {
		return plan.first(c).Runs
	}
	return len(c.Points)
}

// keepEach keeps what every complete run measured.
func (r *Result) keepEach(s *run.Batch) {
	r.Each = map[string][]float64{}
	for i := range s.Done {
		t := &s.Done[i]
		for key, v := range numbersOfTotals(t, s.Config()) {
			r.Each[key] = append(r.Each[key], v)
		}
	}
}
