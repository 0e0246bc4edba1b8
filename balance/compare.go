package balance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"emsim/internal/base/lists"
	"emsim/internal/base/portable"
)

// Plan is a comparison: every scheme at every workload, size and grain, each
// with the same seeds.
type Plan struct {
	Schemes   []Scheme
	Workloads []Workload
	Workers   []int
	Grains    []int   // work of a unit over the CPU time of moving it
	Seeds     int     // runs of each cell
	First     uint64  // the first of their seeds, the others follow; 1 unless given
	Precision float64 // of open workloads below a load of 100 %: the reach of the interval of a response time, in per cent, for which runs are long enough; 0: they are as long as the workload says
	Fabric    Fabric
	Numbers   Numbers
	// Interval computes the 95 % interval of a mean from values of several seeds, NaN for a
	// single one; nil for no intervals.
	Interval func(values []float64) (low, high float64)
	// Against compares times with times of other runs with the same seeds. It returns the 95 % interval of
	// the ratio of their means, NaN for a single seed, and whether it is certain that it is not 1;
	// nil: unknown.
	Against func(times, others []float64) (low, high float64, certain bool)
	// Checks say where, and by how much, the schemes differ from their native machines.
	Checks []Check

	stretch map[cell]float64 // see Tune
	piloted map[cell]pilot   // see pilotCell
}

// Default returns the comparison of 'emsim balance compare', or the full one.
func Default(whole bool) Plan {
	p := Plan{
		Schemes: Schemes(), Workloads: Workloads(), Workers: []int{16, 64}, Grains: []int{3, 30}, Seeds: 32,
		Fabric: Common(), Numbers: DefaultNumbers(),
	}
	if whole {
		p.Workers, p.Grains = []int{16, 64, 256, 1024}, []int{3, 30, 300}
	}
	return p
}

// Row is one scheme in one cell: a workload with a size and a grain. Means are
// over the seeds; in a row without a value they are 0.
type Row struct {
	Scheme    string   `json:"scheme"`
	Workload  string   `json:"workload"`
	N         int      `json:"n"`
	Grain     int      `json:"grain"`
	Mean      *float64 `json:"mean"` // time over the ideal time
	Low       *float64 `json:"low"`  // ends of its 95 % interval; null of a single seed
	High      *float64 `json:"high"`
	SD        *float64 `json:"sd"`        // of it, over the seeds
	Worst     *float64 `json:"worst"`     // greatest of it
	Validated *bool    `json:"validated"` // whether the nearest check is passed; null: none is near
	Check     *float64 `json:"check"`     // by how much the time differs from the native machine's in the nearest check: 0.1 is 10 %
	Nearest   *string  `json:"nearest"`   // which check that is: machine, size, load
	Seeds     int      `json:"seeds"`
	Units     int      `json:"units"`      // for each worker; of a tree or graph at least
	Regret    *float64 `json:"regret"`     // how much longer than with the best scheme of the cell that costs something it takes, or, below a load of 100 %, a unit is there: 0.1 is 10 %
	RegLow    *float64 `json:"regret_low"` // ends of its 95 % interval, from runs with equal seeds
	RegHigh   *float64 `json:"regret_high"`
	Tie       *bool    `json:"tie"`          // equal to the best: the interval contains 0, or the check's errors of both are as large as the regret; null with a single seed
	Moved     float64  `json:"moved"`        // moves, for each unit
	Messages  float64  `json:"messages"`     // other than probes, for each run of a unit
	Probes    float64  `json:"probes"`       // likewise
	Overhead  float64  `json:"overhead"`     // share of the workers' time that messages took
	Starved   float64  `json:"starved"`      // share of the workers' time that was idle while units waited elsewhere
	Deviation float64  `json:"deviation"`    // of the backlogs among the workers, mean over time, in units
	Response  *float64 `json:"response"`     // from a unit's arrival to its end, in mean works of a unit: mean; null if all are there at the start
	RespLow   *float64 `json:"response_low"` // ends of the mean's 95 % interval
	RespHigh  *float64 `json:"response_high"`
	P50       *float64 `json:"p50"` // likewise: the time that half of the units do not exceed
	P95       *float64 `json:"p95"`
	P99       *float64 `json:"p99"`
	Stretch   *float64 `json:"stretch"` // how many times the interval of the comparison is the scheme's own best one; null unless it was sought
	Verdict   *string  `json:"verdict"` // of an open workload: why its response times have no interval of the precision that was asked for; null if they have
	NA        *string  `json:"na"`      // why there is no value

	judged []float64 // by seed: the values of what schemes are compared by, Mean or Response
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

// setup returns one world of a cell: the one for the plan's k-th seed, from 0.
func (p *Plan) setup(c cell, k int) Setup {
	l := p.Workloads[c.load]
	l.Work = int64(p.Grains[c.grain]) * p.Fabric.pause()
	if x, ok := p.piloted[c]; ok {
		l.Units = x.units
	}
	numbers := p.Numbers.stretched(cmp.Or(p.stretch[c], 1))
	return Setup{
		Scheme: p.Schemes[c.scheme], Workload: l, Fabric: p.Fabric, Workers: p.Workers[c.size],
		Seed: max(1, p.First) + uint64(k), Numbers: numbers,
	}
}

// HasOpen reports whether a workload has arrivals without end.
func (p *Plan) HasOpen() bool {
	return slices.ContainsFunc(p.Workloads, func(l Workload) bool { return l.endless() })
}

// Validate reports the first world that cannot be built.
func (p *Plan) Validate() error {
	if len(p.Schemes) == 0 || len(p.Workloads) == 0 || len(p.Workers) == 0 || len(p.Grains) == 0 || p.Seeds < 1 {
		return errors.New("nothing to compare: a comparison needs a scheme, a workload, a number of workers, a " +
			"grain and a seed")
	}
	for _, c := range p.cells() {
		s := p.setup(c, 0)
		if err := s.Workload.Validate(s.Workers); err != nil {
			return err
		}
	}
	if p.Precision > 0 && !p.HasOpen() {
		return errors.New("a precision is asked for, and no workload has arrivals without end: choose one, such as " +
			"poisson, or leave it out")
	}
	return nil
}

// Compare runs the plan's worlds on several threads; the rows do not depend on
// their number. done is told how many worlds are finished; it may be nil. If
// ctx ends, the rows are those whose worlds are all finished.
func (p *Plan) Compare(ctx context.Context, threads int, done func(worlds, of int)) ([]Row, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	cells := p.cells()
	q := *p // with what the pilots say
	p = &q
	p.pilotCells(ctx, threads)
	out := make([]outcome, len(cells)*p.Seeds)
	first := make([]sync.Once, len(cells)) // of the cells, whose first seeds say whether others are asked
	inParallel(ctx, threads, len(out), func(k int) {
		c, seed := k/p.Seeds, k%p.Seeds
		row := out[c*p.Seeds : (c+1)*p.Seeds]
		x := p.piloted[cells[c]]
		first[c].Do(func() {
			if x.ends() {
				row[0] = x.worlds[0]
			} else {
				row[0] = runWorld(ctx, p.setup(cells[c], 0))
			}
		})
		switch {
		case seed == 0:
		case x.ends() || row[0].err != nil || row[0].r.NA != "": // the others would not say more
			row[seed] = row[0]
		default:
			row[seed] = runWorld(ctx, p.setup(cells[c], seed))
		}
	}, done)
	rows := []Row{}
	for k, c := range cells {
		worlds := out[k*p.Seeds : (k+1)*p.Seeds]
		if x := p.piloted[c]; x.verdict != "" {
			worlds = x.worlds
		}
		if !slices.ContainsFunc(worlds, func(o outcome) bool {
			return o.r == nil || ctx.Err() != nil &&
				errors.Is(o.err, ctx.Err())
		}) {
			rows = append(rows, p.summariseCell(c, worlds))
		}
	}
	p.regrets(rows)
	return rows, ctx.Err()
}

// pilotCells runs pilots that choose the lengths of runs in cells that must be steady.
func (p *Plan) pilotCells(ctx context.Context, threads int) {
	cells := slices.DeleteFunc(p.cells(), func(c cell) bool { return !p.steadies(&p.Workloads[c.load]) })
	found := make([]pilot, len(cells))
	inParallel(ctx, threads, len(cells), func(k int) { found[k] = p.pilotCell(ctx, cells[k]) }, nil)
	p.piloted = map[cell]pilot{}
	for k, c := range cells {
		if found[k].worlds != nil {
			p.piloted[c] = found[k]
		}
	}
}

// inParallel does n pieces of work on several threads, the last one first: the largest
// worlds, so that no thread ends long after the others.
func inParallel(ctx context.Context, threads, n int, work func(k int), done func(pieces, of int)) {
	var next, finished atomic.Int64
	var wait sync.WaitGroup
	var tell sync.Mutex
	if done != nil {
		done(0, n)
	}
	for range max(1, threads) {
		wait.Go(func() {
			for {
				k := n - int(next.Add(1))
				if k < 0 || ctx.Err() != nil {
					return
				}
				work(k)
				if f := finished.Add(1); done != nil {
					tell.Lock()
					done(int(f), n)
					tell.Unlock()
				}
			}
		})
	}
	wait.Wait()
}

// summariseCell sums up the worlds of a cell.
func (p *Plan) summariseCell(c cell, worlds []outcome) Row {
	name := p.Schemes[c.scheme].Name
	row := Row{
		Scheme: name, Workload: p.Workloads[c.load].Name, N: p.Workers[c.size], Grain: p.Grains[c.grain],
		Seeds: len(worlds), Units: p.setup(c, 0).Workload.Units,
	}
	if x := p.stretch[c]; x > 0 {
		row.Stretch = &x
	}
	row.judge(p, &p.Workloads[c.load])
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
		row.judged = append(row.judged, float64(r.Time)/float64(r.Ideal))
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
	mean, sd, worst := portable.Mean(row.judged), float64(0), slices.Max(row.judged)
	if len(row.judged) > 1 {
		_, sd = portable.MeanSD(row.judged)
	}
	row.Mean, row.SD, row.Worst = &mean, &sd, &worst
	row.Low, row.High = p.interval(row.judged)
	if p.Workloads[c.load].open() {
		p.summariseResponses(&row, c, worlds, float64(p.setup(c, 0).Workload.Work))
	}
	return row
}

// interval returns the 95 % interval of a mean, or nil if it is unknown.
func (p *Plan) interval(values []float64) (low, high *float64) {
	if p.Interval == nil {
		return nil, nil
	}
	l, h := p.Interval(values)
	return orNil(l), orNil(h)
}

// orNil returns a number, or nil if it is not one.
func orNil(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

// summariseResponses gives the row the means over the seeds, in units of the mean work.
func (p *Plan) summariseResponses(r *Row, c cell, worlds []outcome, work float64) {
	worlds = slices.DeleteFunc(slices.Clone(worlds), func(o outcome) bool { return !o.response.some })
	if len(worlds) == 0 {
		return // few units, none of which counts
	}
	means := make([]float64, len(worlds))
	for k, o := range worlds {
		means[k] = o.response.mean / work
	}
	part := func(of func(r *responses) int64) *float64 {
		sum := lists.Sum(worlds, func(o outcome) int64 { return of(&o.response) })
		mean := float64(sum) / float64(len(worlds)) / work
		return &mean
	}
	mean := portable.Mean(means)
	r.Response, r.P50, r.P95, r.P99 = &mean, part(func(r *responses) int64 { return r.p50 }),
		part(func(r *responses) int64 { return r.p95 }), part(func(r *responses) int64 { return r.p99 })
	r.RespLow, r.RespHigh = p.interval(means)
	l, x := &p.Workloads[c.load], p.piloted[c]
	if l.Load < 100 || l.Arrivals == ByTrace { // most of the time passes until the last unit comes, whatever the scheme
		r.judged = means
	}
	switch {
	case strings.HasPrefix(x.verdict, "steady"):
		r.Verdict = &x.verdict
	case x.verdict != "":
		r.Verdict, r.RespLow, r.RespHigh, r.judged = &x.verdict, nil, nil, nil
	case l.Arrivals != ByTrace && l.Load >= 100:
		none := fmt.Sprintf("no steady state: load %g %%", l.Load)
		r.Verdict, r.RespLow, r.RespHigh = &none, nil, nil
	}
}

// regrets compares every row with the best of its cell, bounds apart.
func (p *Plan) regrets(rows []Row) {
	free := func(name string) bool {
		return slices.ContainsFunc(p.Schemes, func(s Scheme) bool { return s.Name == name && s.Free })
	}
	for i := range rows {
		r := &rows[i]
		if len(r.judged) == 0 || free(r.Scheme) {
			continue
		}
		best := r
		for j := range rows {
			if o := &rows[j]; len(o.judged) > 0 && r.sameCell(o) && !free(o.Scheme) &&
				portable.Mean(o.judged) < portable.Mean(best.judged) {
				best = o
			}
		}
		r.against(best, p)
	}
}

// sameCell reports whether two rows have the same workload, size and grain.
func (r *Row) sameCell(o *Row) bool {
	return r.Workload == o.Workload && r.N == o.N && r.Grain == o.Grain
}

// against gives a row its regret. A difference counts as 0 if chance
// could make it, or if it is no larger than the errors of both schemes against their native models.
func (r *Row) against(best *Row, p *Plan) {
	regret, doubt := portable.Mean(r.judged)/portable.Mean(best.judged)-1, float64(0)
	r.Regret = &regret
	if p.Against == nil {
		return
	}
	low, high, certain := p.Against(r.judged, best.judged)
	if r.RegLow, r.RegHigh = orNil(low-1), orNil(high-1); r.RegLow == nil {
		return // chance cannot be told
	}
	for _, e := range []*float64{r.Check, best.Check} {
		if e != nil && r != best {
			doubt += *e
		}
	}
	tie := !certain || regret <= doubt
	r.Tie = &tie
}

// Rows returns the number of rows of the comparison.
func (p *Plan) Rows() int { return len(p.cells()) }
