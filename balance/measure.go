package balance

import (
	"context"
	"fmt"
	"math"
	"slices"

	"emsim/internal/base/lists"
)

// Result is the result of a run.
type Result struct {
	NA       string // why the policy has no value here; "" if it has one
	Time     int64
	Ideal    int64 // shortest time in which the workers could do the work
	Units    int   // runs of units
	Moved    int   // moves of units
	Messages int   // messages other than probes, the data of a graph, and results
	Probes   int   // messages that only report or request load, and peeks
	Overhead int64 // CPU time for messages, peeks and decisions
	// Ran and Handled are times of all workers together: running units; and messages, peeks, decisions and waits for
	// links. In the rest of the run they were idle.
	Ran, Handled int64
	Starved      float64
	Spread       float64 // standard deviation of the backlogs, averaged over time, in units
	Done         []int   // runs of units, by worker
	End          []int64 // when each worker last finished a unit
	// Response holds the times from arrival to end of the units that count (see Workload.Warmup), in ascending order.
	// It is set if units arrive over time.
	Response []int64
	// Batches are the means of ten equal parts of Response, in the order in which the units arrived.
	Batches []float64
	// Came and Ended are the work that arrived and the work that ended during the second half of the arrivals,
	// divided by the workers' capacity in that time.
	Came, Ended float64
}

// MeanResponse returns the mean of Response, in ticks; NaN if it is empty.
func (r *Result) MeanResponse() float64 {
	return float64(lists.Sum(r.Response, func(x int64) int64 { return x })) / float64(len(r.Response))
}

// Percentile returns the time, in ticks, that the given percentage of Response does not exceed. Response must not be
// empty.
func (r *Result) Percentile(percent int) int64 {
	return r.Response[(len(r.Response)*percent+99)/100-1]
}

// Load is the load of a worker at one time.
type Load struct {
	Backlog int
	Running bool
}

// sampleLoads reports the loads at all sampling times before the given time.
func (w *world) sampleLoads(before int64) {
	if w.watch == nil {
		return
	}
	for ; w.sampled < before; w.sampled += w.every {
		loads := make([]Load, len(w.workers))
		for i := range w.workers {
			loads[i] = Load{w.workers[i].Backlog(), w.workers[i].running >= 0}
		}
		w.watch(w.sampled, loads)
	}
}

// backlog updates the statistics for a worker's backlog that has changed.
func (w *world) backlog(i *Worker, by int) {
	w.integrate()
	b := int64(i.Backlog())
	a := b - int64(by)
	w.waiting += int64(by)
	w.squares += b*b - a*a
}

// integrate extends the integrals over time up to now.
func (w *world) integrate() {
	dt := w.now - w.last
	if dt == 0 {
		return
	}
	w.last = w.now
	w.area += dt * int64(w.there)
	n := float64(len(w.workers))
	if w.waiting > 0 {
		w.result.Starved += float64(float64(dt) * float64(w.idle))
		mean := float64(w.waiting) / n
		w.spread += float64(float64(dt) * math.Sqrt(max(0, float64(w.squares)/n-float64(mean*mean))))
	}
}

// noteResponse records how long a unit that has ended was in the system, if the unit counts.
func (w *world) noteResponse(u int32) {
	come, cut, half := w.units[u].come, w.lastCome*int64(w.load.Warmup)/100, w.lastCome/2
	if !w.load.open() {
		return
	}
	w.there--
	w.total += w.now - come
	if come >= cut && come <= w.lastCome-cut {
		w.stays = append(w.stays, stay{u, w.now - come})
	}
	if come > half {
		w.result.Came += float64(w.units[u].work)
	}
	if w.now > half && w.now <= w.lastCome {
		w.result.Ended += float64(w.units[u].work)
	}
}

// stay is the time that a unit was in the system.
type stay struct {
	unit int32
	time int64
}

// sumUpStays completes the response times. By Little's law, the number of units present, integrated over time, equals
// the sum of their stays; it panics if they differ.
func (w *world) sumUpStays() {
	if w.result.NA == "" && w.area != w.total {
		panic(fmt.Sprintf("balance: %d units times ticks were there, and the units were there for %d ticks", w.area,
			w.total))
	}
	slices.SortFunc(w.stays, func(a, b stay) int { return int(a.unit - b.unit) })
	r, part := w.result, len(w.stays)/batches
	for k := range batches * min(part, 1) {
		sum := lists.Sum(w.stays[k*part:(k+1)*part], func(s stay) int64 { return s.time })
		r.Batches = append(r.Batches, float64(sum)/float64(part))
	}
	for _, s := range w.stays {
		r.Response = append(r.Response, s.time)
	}
	slices.Sort(r.Response)
}

// finish completes the result with the values that depend on the whole run.
func (w *world) finish() {
	w.integrate()
	r := w.result
	r.Time = w.now
	if w.load.open() {
		w.sumUpStays()
	}
	could := max(1, float64(w.capacity()*float64(w.lastCome-w.lastCome/2)))
	r.Came, r.Ended = r.Came/could, r.Ended/could
	if w.load.Shape == Tree {
		r.Ideal = w.timeFor(w.allWork())
	}
	for i := range w.workers {
		worker := &w.workers[i]
		r.Done[i] = worker.done
		r.Units += worker.done
		r.Ran += worker.busy - worker.cut
		r.Handled += worker.handled - max(0, worker.handler-w.now) // what is handled after the end does not count
	}
	w.record.end(w.now)
	if r.Time > 0 {
		r.Starved /= float64(r.Time) * float64(len(w.workers))
		r.Spread = w.spread / float64(r.Time)
	}
	if r.NA == "" && slices.ContainsFunc(w.units, func(u unit) bool { return int(u.runs) != w.rounds() }) {
		panic(fmt.Sprintf("balance: a unit did not run %d times", w.rounds()))
	}
}

// outcome is the result of one world.
type outcome struct {
	r        *Result // without Response: the response times of all runs would not fit into memory
	err      error
	response responses
}

// responses summarises Result.Response for a row.
type responses struct {
	some          bool // at least one unit counts
	mean          float64
	p50, p95, p99 int64
}

// runWorld runs a world. If its policy is not defined for its workload, it returns why.
func runWorld(ctx context.Context, s Setup) (o outcome) {
	if s.Policy.Only != "" && s.Policy.Only != string(s.Workload.Shape) {
		return outcome{r: &Result{NA: "defined for " + s.Policy.Only + " only"}}
	}
	if o.r, o.err = Run(ctx, s); o.err == nil && len(o.r.Response) > 0 {
		r := o.r
		o.response = responses{true, r.MeanResponse(), r.Percentile(50), r.Percentile(95), r.Percentile(99)}
		r.Response = nil
	}
	return o
}
