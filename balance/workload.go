package balance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Shape says how the units of a workload depend on each other.
type Shape string

// The shapes.
const (
	Bag  Shape = "bag"   // independent units
	Tree Shape = "tree"  // units that create further units
	Loop Shape = "loop"  // rounds over the same units with a barrier after each
	Mesh Shape = "graph" // units that wait for messages of other units in every step
)

// Shapes returns all shapes.
func Shapes() []Shape { return []Shape{Bag, Tree, Loop, Mesh} }

// Workload describes the work, and the speeds of the workers.
type Workload struct {
	Name  string
	Paper string
	Title string
	Shape Shape
	Units int   // units per worker; for a tree or graph, at least this many
	Work  int64 // mean ticks of a unit; in a loop or graph, of one round or step
	// Spread is how far the work of a unit varies to each side of the mean, in per cent.
	Spread int
	// One makes all units start at worker 0; otherwise each worker starts with its own Units.
	One bool
	// Rest is the part of a tree unit's work, in per cent, that runs after the results of its children have arrived.
	// 0 means that units return no results.
	Rest   int
	Rounds int // rounds of a loop, or steps of a graph
	// Exchange is the number of rounds of a loop between two exchanges of all results through worker 0. 0 means
	// never. Worker k waits k times the Gap, in ticks, before it sends its part.
	Exchange int
	Gap      int64
	// Arrivals says when the units of a bag arrive: all at the start if not given.
	Arrivals Arrivals
	Load     float64 // work that arrives, in per cent of the workers' capacity
	Burst    int     // units that arrive together, if bursty
	Warmup   int     // part of the arrival time, in per cent, at each end whose units do not count for response times
	Law      Law     // distribution of the work of a unit; Uniform if not given
	Tail     float64 // exponent of a Pareto law
	Trace    []Job   // jobs, if arrivals or work come from a file
	// Slow selects the slow workers: those whose number modulo Of is in the list.
	Slow    []int
	Of      int
	Percent float64 // speed of the slow workers; not used with time slices
	// On, Off and Jitter describe the time slices of the slow workers, in per cent of Work.
	On, Off, Jitter int64

	// Counts are the units born at each worker, instead of Units. Pool units wait outside the queues; the workers in
	// PoolAt can Take them.
	Counts, PoolAt []int
	Pool           int
	// Home lists, for each worker, the workers to which it passes on the results of a bag's units, in turn. Results
	// leave the machine at a worker with an empty list. If Home is nil, there are no results. Each step takes the CPU
	// time of a unit in a message at both ends.
	Home [][]int32
}

// Workloads returns the workloads of the comparison. The grain gives the work of a unit.
func Workloads() []Workload {
	return []Workload{
		{
			Name: "uneven", Paper: "002", Title: "equal bags of units; 3 of 7 workers run at 30 % of the speed",
			Shape: Bag, Units: 80, Spread: 25, Slow: []int{1, 3, 6}, Of: 7, Percent: 30,
		},
		{
			Name: "source", Paper: "000", Title: "all units are born at one worker, at once",
			Shape: Bag, Units: 80, Spread: 25, One: true,
		},
		{
			Name: "stream", Paper: "000", Title: "units arrive at one worker over time, as many as all workers can run",
			Shape: Bag, Units: 80, Spread: 25, One: true, Arrivals: Even, Load: 100, Warmup: 20,
		},
		{
			Name: "tree", Paper: "003", Title: "a tree of calls, like fib's, grows from one worker",
			Shape: Tree, Units: 70, Spread: 25, One: true, Rest: 25,
		},
		{
			Name: "loop", Paper: "001",
			Title: "rounds with a barrier; one worker of eight shares its CPU in time slices",
			Shape: Loop, Units: 10, Rounds: 20, Spread: 25, Slow: []int{7}, Of: 8, On: 1330, Off: 700, Jitter: 300,
		},
		{
			Name: "graph", Paper: "004", Title: "units that wait for each other's messages in every step, a banyan",
			Shape: Mesh, Units: 2, Rounds: 40, Spread: 25,
		},
	}
}

// OpenWorkloads returns the workloads in which units keep arriving. They are judged by response time. The comparison
// leaves them out, because its workloads must end.
func OpenWorkloads() []Workload {
	open := Workload{Shape: Bag, Units: 400, Load: 80, Burst: 10, Warmup: 20, Law: Exponential}
	poisson, bursty := open, open
	poisson.Name, poisson.Arrivals = "poisson", Poisson
	poisson.Title = "units arrive at every worker, independently of each other"
	bursty.Name, bursty.Title, bursty.Arrivals = "bursty", "units arrive at every worker, ten at a time", Bursty
	return []Workload{poisson, bursty}
}

// MaxWorkers is the largest number of workers in a world [chosen: docs/PERFORMANCE.md gives their time and memory].
const MaxWorkers = 65_536

// Bounds of a workload's numbers, so that a world fits into the memory of a PC and times fit into 63 bits.
const (
	maxUnits = 5_000_000
	maxWork  = 1_000_000_000
)

// Validate returns an error if the workload cannot be run on n workers.
func (l *Workload) Validate(n int) error {
	switch {
	case !slices.Contains(Shapes(), l.Shape):
		return fmt.Errorf("shape: %q is not one of %v", l.Shape, Shapes())
	case n < 1 || n > MaxWorkers:
		return fmt.Errorf("%d workers; expected 1 to %d", n, MaxWorkers)
	case l.Units < 1 || l.Units > maxUnits/n:
		return fmt.Errorf("units: %d for each of %d workers; expected 1 to %d (all are held in memory)",
			l.Units, n, maxUnits/n)
	case l.Work < 1 || l.Work > maxWork:
		return fmt.Errorf("work: %d ticks; expected 1 to %d", l.Work, maxWork)
	case l.Spread < 0 || l.Spread > 99:
		return fmt.Errorf("spread: %d per cent; expected 0 to 99", l.Spread)
	case (l.Shape == Loop || l.Shape == Mesh) && (l.Rounds < 1 || l.Rounds > 100_000):
		return fmt.Errorf("rounds: %d; expected 1 to 100000", l.Rounds)
	case l.Rest < 0 || l.Rest > 99:
		return fmt.Errorf("rest: %d per cent of a unit; expected 0 to 99", l.Rest)
	case l.Rest > 0 && l.Shape != Tree:
		return fmt.Errorf("rest: %d per cent of a unit of a %s; expected 0, since only the units of a tree have "+
			"children whose results they wait for", l.Rest, l.Shape)
	case len(l.Slow) > 0 && l.Of < 1:
		return fmt.Errorf("of: %d; expected the number of workers after which the pattern of slow ones repeats", l.Of)
	case len(l.Slow) > 0 && l.Off == 0 && (l.Percent < 1 || l.Percent > 100):
		return fmt.Errorf("percent: %g; expected the speed of slow workers, 1 to 100", l.Percent)
	case l.Off < 0 || l.Off > 1_000_000 || l.On < 0 || l.On > 1_000_000 || l.Jitter < 0:
		return fmt.Errorf("on, off, jitter: %d, %d, %d per cent of a unit; expected 0 to 1000000",
			l.On, l.Off, l.Jitter)
	case l.Off > 0 && l.On-l.Jitter < 1:
		return fmt.Errorf("on: %d per cent of a unit with a jitter of %d; expected a longer time, "+
			"or the worker might never run", l.On, l.Jitter)
	}
	for _, s := range l.Slow {
		if s < 0 || s >= l.Of {
			return fmt.Errorf("slow: %d; expected 0 to %d, positions among the %d after which the pattern repeats",
				s, l.Of-1, l.Of)
		}
	}
	return l.validateArrivals()
}

// speed returns the speed of a worker.
func (l *Workload) speed(worker int, rng *rand.Rand) speed {
	if len(l.Slow) == 0 || !slices.Contains(l.Slow, worker%l.Of) {
		return speed{rate: full}
	}
	if l.Off == 0 {
		return speed{rate: int64(math.Round(l.Percent * full / 100))}
	}
	part := func(percent int64) int64 { return max(1, percent*l.Work/100) }
	return timeShared(part(l.On), part(l.Off), l.Jitter*l.Work/100, rng)
}

// unit is a piece of work.
type unit struct {
	work int64
	come int64 // when it arrives at the worker at which it is born
	at   int32 // worker that has it; -2 - w while it travels to w, unborn before its birth
	runs int32 // number of times it has run

	// Of a tree:
	size   int32 // argument of fib
	parent int32 // -1 if none
	open   int8  // results not yet returned
	rest   bool  // all results have arrived
}

// unborn is the place of a unit that has not been born.
const unborn = -1
