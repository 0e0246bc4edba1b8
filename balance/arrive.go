package balance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"emsim/internal/base/lines"
	"emsim/internal/base/portable"
)

// Arrivals says when the units of a bag arrive.
type Arrivals string

// The arrivals. All but the first make an open system.
const (
	AtStart  Arrivals = "start"
	Even     Arrivals = "even"    // at equal intervals
	Poisson  Arrivals = "poisson" // independently of each other
	Bursty   Arrivals = "bursty"  // Burst units together at one worker; bursts are independent of each other
	ByTrace  Arrivals = "trace"
	mostLoad          = 10_000 // per cent [chosen: enough for all purposes]
)

// Law is the distribution of the work of a unit.
type Law string

// The laws. All have the mean Work.
const (
	Uniform     Law = "uniform" // Work plus or minus at most Spread; constant if the spread is 0
	Exponential Law = "exponential"
	Pareto      Law = "pareto" // with the exponent Tail
	TraceLaw    Law = "trace"  // work of a job of a file, drawn at random unless the file also gives the arrivals
)

// mostDrawn is the largest work that is drawn for one unit, so that times fit into 63 bits [derived].
const mostDrawn = 1000 * maxWork

// Job is a unit of a trace. Times are multiples of the mean work of all jobs; the grain gives that mean in ticks.
type Job struct {
	At, Work float64
	Worker   int // number of the worker at which the job arrives, modulo the number of workers; -1 means any
}

// open reports whether units arrive over time.
func (l *Workload) open() bool { return l.Arrivals != "" && l.Arrivals != AtStart }

// validateArrivals does the part of Validate that concerns arrivals and work.
func (l *Workload) validateArrivals() error {
	drawn := l.Arrivals == Even || l.Arrivals == Poisson || l.Arrivals == Bursty
	switch {
	case l.open() && !drawn && l.Arrivals != ByTrace:
		return fmt.Errorf("arrivals: %q is not one of start, even, poisson, bursty, trace", l.Arrivals)
	case l.open() && l.Shape != Bag:
		return fmt.Errorf("arrivals: the units of a %s are all there at the start; expected shape = %q", l.Shape, Bag)
	case l.Arrivals == ByTrace && l.Load != 0 && !(l.Load > 0 && l.Load <= mostLoad):
		return fmt.Errorf("load: %g per cent of the workers' capacity; expected above 0 and at most %d, or no "+
			"load: then jobs arrive when the trace says", l.Load, mostLoad)
	case drawn && !(l.Load > 0 && l.Load <= mostLoad):
		return fmt.Errorf("load: %g per cent of the workers' capacity; expected above 0 and at most %d", l.Load,
			mostLoad)
	case l.Arrivals == Bursty && (l.Burst < 1 || l.Burst > maxUnits):
		return fmt.Errorf("burst: %d units; expected 1 to %d", l.Burst, maxUnits)
	case l.Warmup < 0 || l.Warmup > 49:
		return fmt.Errorf("warmup: %d per cent at either end; expected 0 to 49", l.Warmup)
	case l.Law != "" && !slices.Contains([]Law{Uniform, Exponential, Pareto, TraceLaw}, l.Law):
		return fmt.Errorf("law: %q is not one of uniform, exponential, pareto, trace", l.Law)
	case l.Law == Pareto && !(l.Tail > 1 && l.Tail <= 100):
		return fmt.Errorf("tail: %g; expected above 1 and at most 100, because the mean is infinite at "+
			"1 or less", l.Tail)
	case (l.Arrivals == ByTrace || l.Law == TraceLaw) && len(l.Trace) == 0:
		return fmt.Errorf("trace: no jobs; expected a list of jobs, from --arrivals FILE")
	}
	return nil
}

// drawWork returns the work of unit u.
func (l *Workload) drawWork(rng *rand.Rand, u int) int64 {
	mean := float64(l.Work)
	switch l.Law {
	case Exponential:
		return drawn(float64(-mean * portable.Log(1-rng.Float64())))
	case Pareto:
		return drawn(float64(float64(mean*(l.Tail-1)) / l.Tail * portable.Exp(-portable.Log(1-rng.Float64())/l.Tail)))
	case TraceLaw:
		if l.Arrivals != ByTrace {
			u = rng.IntN(len(l.Trace))
		}
		return drawn(float64(mean * l.Trace[u].Work))
	}
	spread := l.Work * int64(l.Spread) / 100
	return max(1, l.Work-spread+rng.Int64N(2*spread+1))
}

func drawn(x float64) int64 { return int64(math.Round(min(max(x, 1), mostDrawn))) }

// comeAll creates all units outside the pool, each with its time of arrival and its worker.
func (w *world) comeAll(seed uint64) {
	l, n := w.load, len(w.workers)
	if l.open() {
		w.comeOverTime(rand.New(rand.NewPCG(seed, math.MaxUint64-1)))
		return
	}
	for i := range n {
		count := l.Units
		switch {
		case l.Counts != nil:
			count = l.Counts[i]
		case l.One && i == 0:
			count = l.Units * n
		case l.One:
			count = 0
		}
		for range count {
			w.comes(i, 0)
		}
	}
}

// comeOverTime does the work of comeAll for an open system: it creates a single stream of units. At equal intervals,
// units arrive at the workers in turn; otherwise each unit, or burst of units, arrives at a random worker. A trace can
// give the worker of a job. With One, all units arrive at worker 0.
func (w *world) comeOverTime(random *rand.Rand) {
	l, n := w.load, len(w.workers)
	total, burst := l.Units*n, 1
	if l.Arrivals == ByTrace {
		total = len(l.Trace)
	}
	if l.Arrivals == Bursty {
		burst = l.Burst
	}
	gap, stretch := float64(l.Work)/(w.capacity()*l.Load/100), float64(l.Work)
	if l.Arrivals == ByTrace && l.Load > 0 {
		stretch = float64(stretch * w.natural() / l.Load)
	}
	t, at := float64(0), 0
	for k := range total {
		anywhere := l.Arrivals != Even
		switch {
		case l.Arrivals == Even:
			t, at = float64(gap*float64(k)), k%n
		case l.Arrivals == ByTrace:
			t, at = float64(stretch*l.Trace[k].At), l.Trace[k].Worker%n
			anywhere = at < 0
		case k%burst == 0:
			t -= float64(gap * float64(burst) * portable.Log(1-random.Float64()))
		default: // to the worker of the burst
			anywhere = false
		}
		if anywhere {
			at = random.IntN(n)
		}
		if l.One {
			at = 0
		}
		w.comes(at, t)
	}
}

// comes creates a unit that arrives at a worker at a given time.
func (w *world) comes(to int, at float64) {
	u := w.newUnit(0, -1)
	w.units[u].come = int64(at)
	w.lastCome = max(w.lastCome, int64(at))
	w.workers[to].coming = append(w.workers[to].coming, u)
}

// capacity returns the capacity of all workers, where an undisturbed worker counts as 1.
func (w *world) capacity() (sum float64) {
	for i := range w.workers {
		sum += w.workers[i].speed.share()
	}
	return sum
}

// mostJobs is the largest number of jobs in a trace, because all of them are held in memory [chosen].
const mostJobs = 1 << 20

// ParseTrace parses jobs from text, one job per line in order of arrival:
//
//	# time  work  worker
//	0       1200  0
//	950     800          to any worker
//
// Time and work are whole numbers in the same unit, which can be any unit; # begins a comment. The file's name is for
// errors, which show line, column and place.
func ParseTrace(file string, text []byte) ([]Job, error) {
	p := lines.New(file, text)
	var list []Job
	last := int64(0)
	p.Each(func(words []lines.Word) {
		if !p.Between(words, 2, 3, `time, work and, if it matters, the worker, as in "950 800"`) {
			return
		}
		j := Job{Worker: -1}
		last = p.Whole(words[0], "a time, not before the time in the line above,", last, math.MaxInt32)
		j.At, j.Work = float64(last), float64(p.Whole(words[1], "an amount of work", 1, math.MaxInt32))
		if len(words) == 3 {
			j.Worker = int(p.Whole(words[2], "a worker", 0, MaxWorkers-1))
		}
		if len(list) == mostJobs {
			p.Errorf(words[0], "more than %d jobs", mostJobs)
		}
		list = append(list, j)
	})
	if len(list) == 0 && p.Errors() == 0 {
		p.Wholef(`no jobs; expected lines such as "950 800": time, work and, if it matters, the worker`)
	}
	inMeans(list)
	return list, p.Err()
}
