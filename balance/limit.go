package balance

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"emsim/internal/base/portable"
)

// Limit is the load up to which the queues of a policy stay bounded, in one cell.
type Limit struct {
	Policy   string   `json:"scheme" csv:"policy"`
	Workload string   `json:"workload"`
	N        int      `json:"n"`
	Grain    int      `json:"grain"`
	Seeds    int      `json:"seeds"`
	Load     *float64 `json:"load"` // in per cent of the workers' capacity
	Low      *float64 `json:"low"`  // ends of the 95 % interval of Load; null with a single seed
	High     *float64 `json:"high"`
	Units    int      `json:"units"` // units per worker in each run
	// Holds reports whether the queues stay bounded just below Load, too, where a policy may have less capacity
	// because more workers are idle. It is null if Load is.
	Holds *bool   `json:"holds"`
	NA    *string `json:"na"`
}

// Parameters of the search for a limit. Queues grow most slowly near the limit, so the search starts from higher
// loads, at which they grow at once [chosen: the loads; measured: the exact limits of TestExactLimits].
var limitLoads = [2]float64{1.2, 1.4} // multiples of the estimate

const (
	limitUnits  = 1000 // at least this many per worker; 5000 with bursts of 10
	limitRounds = 8    // largest number of estimates
	wideLimit   = 2    // per cent of load: if the interval reaches farther to a side, longer runs follow, once
	moreUnits   = 4    // factor by which those runs are longer
	justBelow   = 0.97 // share of the limit: the load at which runs confirm it
)

// Limits estimates, for each policy, open workload, size and grain, the load beyond which queues grow. At two loads
// above the limit, it measures in the second half of the arrivals how much more work arrives than ends, divided by the
// workers' capacity. The limit is the load at which a line through both points reaches zero. Each seed gives one line;
// the result is the mean of their limits. The two loads follow the estimate until it no longer changes. Then runs just
// below the limit tell whether it holds. done is as in Compare. If ctx ends, the finished rows are returned.
func (p *Plan) Limits(ctx context.Context, threads int, done func(cells, of int)) ([]Limit, error) {
	for _, l := range p.Workloads {
		if l.Arrivals == ByTrace || !l.open() {
			return nil, fmt.Errorf("%s: only an open workload has a limit of its load, and this one is not "+
				"open; expected arrivals = even, poisson or bursty", l.Name)
		}
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	cells := p.cells()
	rows, ended := make([]Limit, len(cells)), make([]bool, len(cells))
	inParallel(ctx, threads, len(cells), func(k int) { rows[k], ended[k] = p.limit(ctx, cells[k]) }, done)
	list := []Limit{}
	for k, r := range rows {
		if ended[k] {
			list = append(list, r)
		}
	}
	return list, ctx.Err()
}

// limit estimates the limit of a cell. It stops and returns false when ctx ends.
func (p *Plan) limit(ctx context.Context, c cell) (Limit, bool) {
	l := &p.Workloads[c.load]
	row := Limit{
		Policy: p.Policies[c.policy].Name, Workload: l.Name, N: p.Workers[c.size], Grain: p.Grains[c.grain],
		Seeds: p.Seeds,
	}
	least := limitUnits
	if l.Arrivals == Bursty {
		least = limitUnits / 2 * l.Burst
	}
	row.Units = max(l.Units, min(least, maxUnits/row.N))
	estimate := float64(100)
	for round := range limitRounds {
		seeds := make([]float64, p.Seeds)
		for k := range seeds {
			zero, why, err := p.growthEnds(ctx, c, k, row.Units, estimate)
			if err != nil {
				return row, false
			}
			if why != "" {
				row.NA = &why
				return row, true
			}
			seeds[k] = zero
		}
		last := estimate
		estimate = portable.Mean(seeds)
		found := estimate
		row.Load = &found
		row.Low, row.High = p.interval(seeds)
		reach := float64(0)
		if row.Low != nil {
			reach = estimate - *row.Low
		}
		longer := min(moreUnits*row.Units, maxUnits/row.N)
		switch stays := math.Abs(estimate-last) <= max(reach, 0.5); {
		case !(estimate > 1): // the line does not fall, because the runs are too short
			estimate, row.Load, row.Low, row.High = 100, nil, nil, nil
			row.Units = longer
		case reach > wideLimit && (stays || round == limitRounds/2) && row.Units < least*moreUnits:
			row.Units = longer
		case stays:
			return row, p.confirm(ctx, c, &row)
		}
	}
	if row.Load == nil {
		why := "queues grow as slowly at a high load as at a low one"
		row.NA = &why
		return row, true
	}
	return row, p.confirm(ctx, c, &row)
}

// confirm finds whether the queues of a cell stay bounded just below its limit. They do if, in the longest allowed
// runs, the response times of the second half are not significantly longer than in the first half. confirm returns
// false if ctx has ended.
func (p *Plan) confirm(ctx context.Context, c cell, row *Limit) bool {
	q := *p
	q.Workloads = slices.Clone(p.Workloads)
	q.Workloads[c.load].Load = float64(justBelow * *row.Load)
	x := q.runPilots(ctx, c, mostPiloted/2/pilots/p.Workers[c.size])
	holds := len(x.worlds) > 1 && x.drift < driftBound
	row.Holds = &holds
	return ctx.Err() == nil
}

// growthEnds draws a line through the growth at two loads above an estimate, with one seed. It returns the load at
// which queues stop growing, or why there is none.
func (p *Plan) growthEnds(ctx context.Context, c cell, k, units int, estimate float64) (load float64, why string,
	err error,
) {
	var came, growth [2]float64 // the work that arrives varies with the seed; the work that ends hardly does
	for i, times := range limitLoads {
		s := p.setup(c, k)
		s.Workload.Units, s.Workload.Load = units, min(float64(estimate*times), mostLoad)
		o := runWorld(ctx, s)
		switch {
		case o.err != nil && errors.Is(o.err, ctx.Err()):
			return 0, "", o.err
		case o.err != nil:
			return 0, o.err.Error(), nil
		case o.r.NA != "":
			return 0, o.r.NA, nil
		}
		came[i], growth[i] = float64(100*o.r.Came), o.r.Came-o.r.Ended
	}
	return came[0] - float64((came[1]-came[0])*growth[0])/(growth[1]-growth[0]), "", nil
}
