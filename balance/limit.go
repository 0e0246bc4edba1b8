package balance

import (
	"context"
	"errors"
	"fmt"
)

// Limit is the load up to which the queues of a scheme are bounded, in one cell.
type Limit struct {
	Scheme   string   `json:"scheme"`
	Workload string   `json:"workload"`
	N        int      `json:"n"`
	Grain    int      `json:"grain"`
	Seeds    int      `json:"seeds"`
	Load     *float64 `json:"load"`   // in per cent: they are at this load...
	Beyond   *float64 `json:"beyond"` // ...and grow at this one, limitStep above it
	NA       *string  `json:"na"`
}

// The search for a limit [chosen].
const (
	mostLimit = 128  // per cent: beyond 100 the workers cannot do the work
	limitStep = 1    // per cent
	growth    = 0.01 // queues grow if of the units that come during the second half of the arrivals more than this share adds to those that are there
)

// Limits searches by bisection, for each scheme, open workload, size and grain, the load
// beyond which queues grow in the mean of the seeds. It needs long arrivals: a workload of
// 2,000 units for each worker tells loads near the limit from those beyond it. done is as in
// Compare. If ctx ends, the rows are those that are done.
func (p *Plan) Limits(ctx context.Context, threads int, done func(cells, of int)) ([]Limit, error) {
	for _, l := range p.Workloads {
		if l.Arrivals == ByTrace || !l.open() {
			return nil, fmt.Errorf("%s: a limit is that of a load, which this workload has not; expected arrivals = even, poisson or bursty", l.Name)
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

// limit is that of a cell, unless ctx ends.
func (p *Plan) limit(ctx context.Context, c cell) (Limit, bool) {
	row := Limit{Scheme: p.Schemes[c.scheme].Name, Workload: p.Workloads[c.load].Name, N: p.Workers[c.size], Grain: p.Grains[c.grain], Seeds: p.Seeds}
	low, high := float64(0), float64(mostLimit)
	for high-low > limitStep {
		load := (low + high) / 2
		grown := float64(0)
		for seed := range p.Seeds {
			s := p.setup(c, seed+1)
			s.Workload.Load = load
			o := runWorld(ctx, s)
			if o.err != nil {
				if why := o.err.Error(); !errors.Is(o.err, ctx.Err()) {
					row.NA = &why
				}
				return row, row.NA != nil
			}
			if o.r.NA != "" {
				row.NA = &o.r.NA
				return row, true
			}
			grown += o.r.Grown / float64(p.Seeds)
		}
		if grown > growth {
			high = load
		} else {
			low = load
		}
	}
	row.Load, row.Beyond = &low, &high
	return row, true
}
