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

// Plan is a comparison: it runs every policy with every workload, size and grain, with the same seeds each time.
type Plan struct {
	Policies  []Policy
	Workloads []Workload
	Workers   []int
	Grains    []int  // work of a unit, divided by the CPU time of moving it
	Seeds     int    // runs of each cell
	First     uint64 // the first seed, from which the others count up; 1 if not given
	// Precision is the half-width of the confidence interval of the mean response time, in per cent of the mean. Runs
	// with a load below 100 % are made long enough to reach it. 0 means that the workload gives the length.
	Precision float64
	Fabric    Fabric
	Numbers   Numbers
	// Interval returns the 95 % interval of a mean from the values of several seeds, or NaN for a single seed. If
	// Interval is nil, there are no intervals.
	Interval func(values []float64) (low, high float64)
	// Against compares times with the times of other runs with the same seeds. It returns the 95 % interval of the
	// ratio of the means, or NaN for a single seed, and whether the ratio differs significantly from 1. If Against is
	// nil, nothing is compared.
	Against func(times, others []float64) (low, high float64, certain bool)
	// Checks give the differences between the policies and their native machines.
	Checks []Check

	stretch map[cell]float64 // see Tune
	piloted map[cell]pilot   // see pilotCell
}

// Default returns the comparison of 'emsim balance compare', or the full one.
func Default(whole bool) Plan {
	p := Plan{
		Policies: Policies(), Workloads: Workloads(), Workers: []int{16, 64}, Grains: []int{3, 30}, Seeds: 32,
		Fabric: Common(), Numbers: DefaultNumbers(),
	}
	if whole {
		p.Workers, p.Grains = []int{16, 64, 256, 1024}, []int{3, 30, 300}
	}
	return p
}

// Row is the result of one policy in one cell: a workload with a size and a grain. Means are over the seeds; in a row
// without a value they are 0.
type Row struct {
	Policy    string   `json:"scheme" csv:"policy"`
	Workload  string   `json:"workload"`
	N         int      `json:"n"`
	Grain     int      `json:"grain"`
	Mean      *float64 `json:"mean"` // time over the ideal time
	Low       *float64 `json:"low"`  // ends of the 95 % interval of Mean; null with a single seed
	High      *float64 `json:"high"`
	SD        *float64 `json:"sd"`        // standard deviation over the seeds; null with a single seed
	Worst     *float64 `json:"worst"`     // greatest time over the ideal time
	Validated *bool    `json:"validated"` // whether the nearest checks are passed; null if none is near
	Check     *float64 `json:"check"`     // relative difference from the native time in the nearest check: 0.1 is 10 %
	Nearest   *string  `json:"nearest"`   // the nearest check: machine, size, load
	Seeds     int      `json:"seeds"`
	Units     int      `json:"units"` // units per worker; for a tree or graph, a lower limit
	// Regret is the relative excess over the best policy of the cell that is not free: 0.1 is 10 %. It is in time or,
	// if units arrive by a trace or at a load below 100 %, in response time.
	Regret  *float64 `json:"regret"`
	RegLow  *float64 `json:"regret_low"` // ends of the 95 % interval of Regret, from runs with equal seeds
	RegHigh *float64 `json:"regret_high"`
	// Tie reports whether the policy cannot be told from the best: the difference is not significant, or the sum of
	// the errors of both policies' checks is at least the regret. It is null with one seed.
	Tie       *bool    `json:"tie"`
	Moved     float64  `json:"moved"`        // moves per run of a unit
	Messages  float64  `json:"messages"`     // messages per run of a unit; probes, data and results do not count
	Probes    float64  `json:"probes"`       // probes per run of a unit
	Overhead  float64  `json:"overhead"`     // share of the workers' time that messages, peeks and decisions took
	Starved   float64  `json:"starved"`      // share of the workers' time that was idle while units waited elsewhere
	Deviation float64  `json:"deviation"`    // standard deviation of backlogs over workers, mean over time, in units
	Response  *float64 `json:"response"`     // mean time from arrival to end, in multiples of Work; null if not open
	RespLow   *float64 `json:"response_low"` // ends of the 95 % interval of Response
	RespHigh  *float64 `json:"response_high"`
	P50       *float64 `json:"p50"` // median of the response times, in the same unit
	P95       *float64 `json:"p95"`
	P99       *float64 `json:"p99"`
	Stretch   *float64 `json:"stretch"` // the policy's best interval over the comparison's; null unless searched for
	Verdict   *string  `json:"verdict"` // why an open workload's response times are imprecise; null if they are not
	NA        *string  `json:"na"`      // why there is no value

	judged []float64 // the values by which policies are compared, Mean or Response, by seed
}

// cell is one combination in the plan, as indices.
type cell struct {
	policy, load, size, grain int
}

func (p *Plan) cells() []cell {
	var out []cell
	for l := range p.Workloads {
		for n := range p.Workers {
			for g := range p.Grains {
				for s := range p.Policies {
					out = append(out, cell{s, l, n, g})
				}
			}
		}
	}
	return out
}

// setup returns the world of a cell for the plan's k-th seed, counted from 0.
func (p *Plan) setup(c cell, k int) Setup {
	l := p.Workloads[c.load]
	l.Work = int64(p.Grains[c.grain]) * p.Fabric.pause()
	if x, ok := p.piloted[c]; ok {
		l.Units = x.units
	}
	numbers := p.Numbers.stretched(cmp.Or(p.stretch[c], 1))
	return Setup{
		Policy: p.Policies[c.policy], Workload: l, Fabric: p.Fabric, Workers: p.Workers[c.size],
		Seed: max(1, p.First) + uint64(k), Numbers: numbers,
	}
}

// HasOpen reports whether any workload has arrivals without end.
func (p *Plan) HasOpen() bool {
	return slices.ContainsFunc(p.Workloads, func(l Workload) bool { return l.endless() })
}

// Validate returns an error if the plan has no worlds, if a world cannot be built, or if no workload can use the
// Precision.
func (p *Plan) Validate() error {
	if len(p.Policies) == 0 || len(p.Workloads) == 0 || len(p.Workers) == 0 || len(p.Grains) == 0 || p.Seeds < 1 {
		return errors.New("nothing to compare: a comparison needs a policy, a workload, a number of workers, a " +
			"grain and a seed")
	}
	for _, c := range p.cells() {
		s := p.setup(c, 0)
		if err := s.Workload.Validate(s.Workers); err != nil {
			return err
		}
	}
	if p.Precision > 0 && !p.HasOpen() {
		return errors.New("a precision was given, but no workload has arrivals over time: choose one that has, such " +
			"as poisson, or leave the precision out")
	}
	return nil
}

// Compare runs the plan's worlds on several threads; the rows do not depend on their number. done is called with the
// number of finished worlds; it may be nil. If ctx ends, only rows whose worlds are all finished are returned.
func (p *Plan) Compare(ctx context.Context, threads int, done func(worlds, of int)) ([]Row, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	cells := p.cells()
	q := *p // with the results of the pilots
	p = &q
	p.pilotCells(ctx, threads)
	out := make([]outcome, len(cells)*p.Seeds)
	first := make([]sync.Once, len(cells)) // by cell: runs the first seed, which decides whether the other seeds run
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
		case x.ends() || row[0].err != nil || row[0].r.NA != "": // the other seeds would give no further information
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

// pilotCells runs the pilots that choose the lengths of runs in cells that need a steady state.
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

// inParallel does n pieces of work on several threads, beginning with the last piece. Of each workload, the largest
// worlds come last in the list, so no thread ends long after the others.
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

// summariseCell returns the row of a cell's worlds.
func (p *Plan) summariseCell(c cell, worlds []outcome) Row {
	name := p.Policies[c.policy].Name
	row := Row{
		Policy: name, Workload: p.Workloads[c.load].Name, N: p.Workers[c.size], Grain: p.Grains[c.grain],
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
	mean, worst := portable.Mean(row.judged), slices.Max(row.judged)
	row.Mean, row.Worst = &mean, &worst
	if len(row.judged) > 1 {
		_, sd := portable.MeanSD(row.judged)
		row.SD = &sd
	}
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

// summariseResponses sets the row's response times: means over the seeds, in multiples of the mean work.
func (p *Plan) summariseResponses(r *Row, c cell, worlds []outcome, work float64) {
	worlds = slices.DeleteFunc(slices.Clone(worlds), func(o outcome) bool { return !o.response.some })
	if len(worlds) == 0 {
		return // there are few units, and none of them counts
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
	if l.Load < 100 || l.Arrivals == ByTrace { // the time depends mostly on when the last unit arrives
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

// regrets sets the regret of every row against the best row of its cell. Rows of bounds get no regret and are never the
// best row.
func (p *Plan) regrets(rows []Row) {
	free := func(name string) bool {
		return slices.ContainsFunc(p.Policies, func(s Policy) bool { return s.Name == name && s.Free })
	}
	for i := range rows {
		r := &rows[i]
		if len(r.judged) == 0 || free(r.Policy) {
			continue
		}
		best := r
		for j := range rows {
			if o := &rows[j]; len(o.judged) > 0 && r.sameCell(o) && !free(o.Policy) &&
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

// against sets a row's regret, and Tie: whether the difference could be due to chance, or is not larger than the sum
// of the errors of both policies against their native models.
func (r *Row) against(best *Row, p *Plan) {
	regret, doubt := portable.Mean(r.judged)/portable.Mean(best.judged)-1, float64(0)
	r.Regret = &regret
	if p.Against == nil {
		return
	}
	low, high, certain := p.Against(r.judged, best.judged)
	if r.RegLow, r.RegHigh = orNil(low-1), orNil(high-1); r.RegLow == nil {
		return // it is unknown whether the difference is due to chance
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
