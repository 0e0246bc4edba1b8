package balance

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// Plan is a comparison: every scheme at every workload, size and grain, each
// with the same seeds.
type Plan struct {
	Schemes   []Scheme
	Workloads []Workload
	Workers   []int
	Grains    []int // work of a unit over the CPU time of moving it
	Seeds     int
	Fabric    Fabric
}

// Default is the comparison of 'emsim balance compare', or the full one.
func Default(whole bool) Plan {
	p := Plan{Schemes: Schemes(), Workloads: Workloads(), Workers: []int{16, 64}, Grains: []int{3, 30}, Seeds: 32, Fabric: Common()}
	if whole {
		p.Workers, p.Grains = []int{16, 64, 256, 1024}, []int{3, 30, 300}
	}
	return p
}

// Row is one scheme in one cell: a workload with a size and a grain. Means are
// over the seeds; those of a row without a value are 0.
type Row struct {
	Scheme    string   `json:"scheme"`
	Workload  string   `json:"workload"`
	N         int      `json:"n"`
	Grain     int      `json:"grain"`
	Mean      *float64 `json:"mean"`      // time over the ideal time
	SD        *float64 `json:"sd"`        // of it, over the seeds
	Worst     *float64 `json:"worst"`     // greatest of it
	Validated *bool    `json:"validated"` // null: there is no native model
	Seeds     int      `json:"seeds"`
	Regret    *float64 `json:"regret"`    // how much longer than the best scheme of the cell that costs something: 0.1 is 10 %
	Moved     float64  `json:"moved"`     // moves, for each unit
	Messages  float64  `json:"messages"`  // other than probes, for each run of a unit
	Probes    float64  `json:"probes"`    // likewise
	Overhead  float64  `json:"overhead"`  // share of the workers' time that messages took
	Starved   float64  `json:"starved"`   // share of the workers' time that was idle while units waited elsewhere
	Deviation float64  `json:"deviation"` // of the backlogs among the workers, mean over time, in units
	NA        *string  `json:"na"`        // why there is no value
}

// cell is a place in the plan.
type cell struct {
	scheme, load, size, grain int
}

func (p *Plan) cells() []cell {
	var out []cell
	for l := range p.Workloads {
		for n := range p.Workers {
			for g := range p.Grains {
				for s := range p.Schemes {
					out = append(out, cell{s, l, n, g})
				}
			}
		}
	}
	return out
}

// setup is one world of a cell.
func (p *Plan) setup(c cell, seed int) Setup {
	l := p.Workloads[c.load]
	l.Work = int64(p.Grains[c.grain]) * p.Fabric.Move()
	return Setup{Scheme: p.Schemes[c.scheme], Workload: l, Fabric: p.Fabric, Workers: p.Workers[c.size], Seed: uint64(seed)}
}

// Validate reports the first world that cannot be built.
func (p *Plan) Validate() error {
	if len(p.Schemes) == 0 || len(p.Workloads) == 0 || len(p.Workers) == 0 || len(p.Grains) == 0 || p.Seeds < 1 {
		return errors.New("nothing to compare: a comparison needs a scheme, a workload, a number of workers, a grain and a seed")
	}
	for _, c := range p.cells() {
		s := p.setup(c, 1)
		if err := s.Workload.Validate(s.Workers); err != nil {
			return err
		}
	}
	return nil
}

// outcome is the result of one world.
type outcome struct {
	r   *Result
	err error
}

// Compare runs the plan's worlds on several threads; the rows do not depend on
// their number. done is told how many worlds are finished; it may be nil. If
// ctx ends, the rows are those whose worlds are all finished.
func (p *Plan) Compare(ctx context.Context, threads int, done func(worlds, of int)) ([]Row, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	cells := p.cells()
	out := make([]outcome, len(cells)*p.Seeds)
	var next, finished atomic.Int64
	var wait sync.WaitGroup
	var tell sync.Mutex
	for range max(1, threads) {
		wait.Go(func() {
			for {
				// The largest worlds come first, so that no thread is left alone with one.
				k := len(out) - int(next.Add(1))
				if k < 0 || ctx.Err() != nil {
					return
				}
				s := p.setup(cells[k/p.Seeds], k%p.Seeds+1)
				if s.Scheme.Only == "" || s.Scheme.Only == string(s.Workload.Shape) {
					out[k].r, out[k].err = Run(ctx, s)
				} else {
					out[k].r = &Result{NA: "defined for " + s.Scheme.Only + " only"}
				}
				if n := finished.Add(1); done != nil {
					tell.Lock()
					done(int(n), len(out))
					tell.Unlock()
				}
			}
		})
	}
	wait.Wait()
	rows := []Row{}
	for k, c := range cells {
		worlds := out[k*p.Seeds : (k+1)*p.Seeds]
		if !slices.ContainsFunc(worlds, func(o outcome) bool { return o.r == nil || ctx.Err() != nil && errors.Is(o.err, ctx.Err()) }) {
			rows = append(rows, p.summariseCell(c, worlds))
		}
	}
	regrets(p.Schemes, rows)
	return rows, ctx.Err()
}

// summariseCell sums up the worlds of a cell.
func (p *Plan) summariseCell(c cell, worlds []outcome) Row {
	name := p.Schemes[c.scheme].Name
	row := Row{
		Scheme: name, Workload: p.Workloads[c.load].Name, N: p.Workers[c.size], Grain: p.Grains[c.grain],
		Seeds: p.Seeds, Validated: Validated(name),
	}
	var ratios []float64
	for _, o := range worlds {
		if o.err != nil {
			why := o.err.Error()
			row.NA = &why
			return row
		}
		if o.r.NA != "" {
			row.NA = &o.r.NA
			return row
		}
	}
	for _, o := range worlds {
		r := o.r
		runs, time := float64(max(1, r.Units)), float64(float64(max(1, r.Time))*float64(p.Workers[c.size]))
		ratios = append(ratios, float64(r.Time)/float64(r.Ideal))
		row.Moved += float64(r.Moved) / runs
		row.Messages += float64(r.Messages) / runs
		row.Probes += float64(r.Probes) / runs
		row.Overhead += float64(r.Overhead) / time
		row.Starved += r.Starved
		row.Deviation += r.Spread
	}
	for _, v := range []*float64{&row.Moved, &row.Messages, &row.Probes, &row.Overhead, &row.Starved, &row.Deviation} {
		*v /= float64(len(worlds))
	}
	mean, sd, worst := moments(ratios)
	row.Mean, row.SD, row.Worst = &mean, &sd, &worst
	return row
}

// moments returns mean, standard deviation (of a sample) and maximum.
func moments(v []float64) (mean, sd, most float64) {
	for _, x := range v {
		mean += x / float64(len(v))
		most = max(most, x)
	}
	for _, x := range v {
		sd += float64((x - mean) * (x - mean))
	}
	return mean, math.Sqrt(sd / float64(max(1, len(v)-1))), most
}

// regrets compares every row with the best of its cell, bounds apart.
func regrets(schemes []Scheme, rows []Row) {
	free := func(name string) bool {
		return slices.ContainsFunc(schemes, func(s Scheme) bool { return s.Name == name && s.Free })
	}
	same := func(a, b *Row) bool { return a.Workload == b.Workload && a.N == b.N && a.Grain == b.Grain }
	for i := range rows {
		r := &rows[i]
		if r.Mean == nil || free(r.Scheme) {
			continue
		}
		best := *r.Mean
		for j := range rows {
			if o := &rows[j]; o.Mean != nil && same(r, o) && !free(o.Scheme) {
				best = min(best, *o.Mean)
			}
		}
		regret := *r.Mean/best - 1
		r.Regret = &regret
	}
}

// Rows is the number of rows of the comparison.
func (p *Plan) Rows() int { return len(p.cells()) }
