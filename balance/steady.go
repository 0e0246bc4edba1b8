package balance

import (
	"context"
	"fmt"
	"math"

	"emsim/internal/base/plural"
	"emsim/internal/base/portable"
)

// In a queue, mean and variance grow together, so a rule that stops when an interval looks narrow tends to stop where
// the mean is low. Therefore pilot seeds choose the length of the runs of an open workload, and the results of other
// seeds are reported unselected [measured: TestCoverageOfResponses].
const (
	pilots         = 8         // seeds [chosen]
	firstPilotSeed = 20_000    // after the seeds of the comparison and of Tune [chosen]
	batches        = 10        // parts of a run, in order of arrival [chosen]
	leastUnits     = 1000      // in the first pilot runs: all units [chosen]
	leastEach      = 250       // in the first pilot runs: units per worker [chosen]
	mostPiloted    = 4_100_000 // units in all pilot runs of a cell: 256,000 in the last run of each seed [chosen]
)

// The bounds of the tests of a pilot. Each of the first two is exceeded by chance in one of a hundred pilots.
const (
	driftBound = 3.499483 // Student's t with 7 degrees of freedom: response times in the second halves of runs
	seedsBound = 2.898    // F with 7 and 72 degrees of freedom: seeds that differ more still show the start
	echoBound  = 0.1      // correlation of each part with the next one [chosen]
)

// noVariance is the exponent of a Pareto law up to which the response time has no finite variance: its square grows
// with the third power of the work [Kingman 1970].
const noVariance = 3

// pilot is the result of the pilot seeds of an open cell.
type pilot struct {
	units   int       // per worker: the length of the runs
	worlds  []outcome // of the last pilot runs
	means   []float64 // response times by run
	drift   float64   // by how many standard errors response times rise from the first to the second halves
	long    bool      // how the runs began has no effect
	verdict string    // why other seeds would not give a mean with an interval; "" if they would
}

// ends reports whether the pilots give the cell's row, so that no other seeds run.
func (x *pilot) ends() bool { return x.verdict != "" || len(x.worlds) == 1 }

// steadies reports whether the runs of a workload are as long as a steady state requires.
func (p *Plan) steadies(l *Workload) bool {
	return p.Precision > 0 && p.Interval != nil && l.endless() && l.Load < 100
}

// endless reports whether a run of the workload can be arbitrarily long.
func (l *Workload) endless() bool { return l.open() && l.Arrivals != ByTrace }

// runPilots runs the pilots of a cell with a number of units per worker. If a run fails, the result has only that run.
func (p *Plan) runPilots(ctx context.Context, c cell, units int) pilot {
	x := pilot{units: units, worlds: make([]outcome, pilots)}
	for k := range x.worlds {
		s := p.setup(c, firstPilotSeed+k)
		s.Workload.Units = units
		if x.worlds[k] = runWorld(ctx, s); x.worlds[k].err != nil || x.worlds[k].r.NA != "" {
			x.worlds = x.worlds[k : k+1]
			return x
		}
	}
	x.means, x.drift, x.long = examine(x.worlds)
	return x
}

// pilotCell finds how long the runs of a cell must be. It stops when ctx ends.
func (p *Plan) pilotCell(ctx context.Context, c cell) (x pilot) {
	l, n := &p.Workloads[c.load], p.Workers[c.size]
	work := float64(p.setup(c, 0).Workload.Work)
	spent := 0
	for units := max(leastEach, (leastUnits+n-1)/n); ; units *= 2 {
		if x = p.runPilots(ctx, c, units); len(x.worlds) == 1 {
			return x
		}
		mean := portable.Mean(x.means) / work
		low, high := p.Interval(x.means)
		low, high = low/work, high/work
		reach := (high - low) / 2 / mean
		if l.Law == Pareto && l.Tail <= noVariance {
			x.verdict = fmt.Sprintf("no interval: with tail = %g the response time has no variance", l.Tail)
			return x
		}
		if x.long && reach <= p.Precision/100 {
			return x
		}
		if spent += pilots * n * units; spent+2*pilots*n*units <= mostPiloted {
			continue
		}
		if x.long {
			x.verdict = fmt.Sprintf("steady, but known to %.0f %% only: %.3g (%.3g-%.3g)", 100*reach, mean, low, high)
			return x
		}
		x.verdict = fmt.Sprintf("not steady after %s units a worker: %.3g so far", plural.Commas(uint64(units)), mean)
		if x.drift > driftBound {
			x.verdict += ", growing"
		}
		return x
	}
}

// examine returns the mean response times of runs, and by how many standard errors the response times rise from the
// first to the second halves of the runs. It also reports whether the runs are so long that their beginning has no
// effect.
func examine(worlds []outcome) (means []float64, drift float64, long bool) {
	var later []float64
	within, echo := float64(0), float64(0)
	for _, o := range worlds {
		b := o.r.Batches
		if len(b) < batches {
			return []float64{1, 1}, 0, false // too few units count
		}
		mean := portable.Mean(b)
		means, later = append(means, mean), append(later, portable.Mean(b[batches/2:])-portable.Mean(b[:batches/2]))
		for k := range b {
			within += float64((b[k] - mean) * (b[k] - mean))
			if k > 0 {
				echo += float64((b[k] - mean) * (b[k-1] - mean))
			}
		}
	}
	n := float64(len(worlds))
	_, among := portable.MeanSD(means)
	change, sd := portable.MeanSD(later)
	if within == 0 || sd == 0 {
		return means, 0, true // constant work at equal intervals: there is no variance
	}
	drift = change / (sd / math.Sqrt(n))
	f := float64(batches*float64(among*among)) / (within / float64(n*(batches-1)))
	return means, drift, math.Abs(drift) < driftBound && f < seedsBound && echo/within < echoBound
}
