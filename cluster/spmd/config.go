package spmd

import (
	"slices"

	"emsim/internal/base/knob"
	"emsim/internal/base/simerr"
)

// A Policy says how many tasks a faster processor requests from a slower one.
type Policy string

// The policies of [002 §2.2], and None as the control.
const (
	None     Policy = "none"     // Powers are sent, but no tasks are requested
	Static   Policy = "static"   // one task
	Proposed Policy = "proposed" // the difference of the Powers
)

// Policies returns all policies.
func Policies() []Policy { return []Policy{None, Static, Proposed} }

// A Send says how Estimate Load distributes a Power at the end of an interval.
type Send string

// The ways of sending.
const (
	InTurn    Send = "in-turn"   // to one reader, each interval the next one
	Broadcast Send = "broadcast" // to every reader
)

// Sends returns all ways of sending.
func Sends() []Send { return []Send{InTurn, Broadcast} }

// Config is one machine and its work. All times are microseconds.
type Config struct {
	Policy   Policy
	Topology Topology // which processors read whose Power; its length is the number of processors
	Tasks    int      // tasks that each processor starts with
	Loaded   []int    // processors that also run other work
	FreeUS   int64    // time of a task on a free processor
	LoadedUS int64    // time of a task on a loaded processor
	// JitterPPM is how far each task's time varies to both sides, in parts per million. The times are uniformly
	// distributed.
	JitterPPM  int64
	IntervalUS int64 // interval of Estimate Load
	LatencyUS  int64 // from sending a message to its arrival
	Send       Send
	// RequestAgain makes a processor without tasks request some from the processors whose Powers it reads, in turn,
	// until none of them has tasks to give. In the paper such a processor ends.
	RequestAgain bool
	Request      Requester // a user's own policy instead of Policy; nil for none
	Hosts        []Host    // speeds, numbers and sizes of tasks by processor; nil means as above
	Seed         uint64    // seed of phases and jitter; the same seed gives the same run
}

// Paper returns the experiment of [002 §3] under the given policy, on T*.
func Paper(p Policy) Config {
	return Config{
		Policy:   p,
		Topology: TStar(),
		Tasks:    100,            // [002 §3.1]
		Loaded:   []int{1, 3, 6}, // [002 §3.3]

		// Fitted: table 1 divided by table 2 gives each processor's seconds per task. Their ratio is a load of 69.6
		// %; [002 §3.1] says "about 65 %".
		FreeUS:   452_500,
		LoadedUS: 1_490_000,

		JitterPPM:  20_000,    // chosen: breaks ties
		IntervalUS: 3_000_000, // fitted with T*: table 2
		LatencyUS:  5_000,     // chosen: small compared with a task
		Send:       InTurn,    // fitted: the rates at which P1, P3, P6 lose tasks
		Seed:       1,
	}
}

// Bounds that keep every sum inside an int64, and a run inside the memory of a PC.
const (
	maxProcessors = 1_000
	maxAllTasks   = 1_000_000
	maxTimeUS     = 1_000_000_000_000 // 11 days
	maxIntervals  = 50_000_000
	million       = 1_000_000
)

// Validate returns a *Usage for the first parameter that is outside its range in Knobs, or that contradicts another
// one.
func (c Config) Validate() error {
	s := DefaultSetup()
	s.Config = c
	if err := knob.CheckAll(knob.Bind(Knobs(), &s)); err != nil {
		return simerr.Usagef("%w", err)
	}
	if err := c.Topology.Validate(); err != nil {
		return err
	}
	n := len(c.Topology)
	if c.Tasks > maxAllTasks/n {
		return badValue("tasks", "%d tasks for each of %d processors; expected 0 to %d (%d in all, as each is "+
			"held in memory)", c.Tasks, n, maxAllTasks/n, maxAllTasks)
	}
	for i, p := range c.Loaded {
		if p < 0 || p >= n {
			return badValue("loaded", "there is no processor %d; the topology has 0 to %d", p, n-1)
		}
		if slices.Contains(c.Loaded[:i], p) {
			return badValue("loaded", "processor %d is listed twice", p)
		}
	}
	if err := c.validateHosts(); err != nil {
		return err
	}
	return c.validateIntervals()
}

// validateIntervals limits the number of intervals, computed as if all processors kept their own tasks. More
// intervals suggest a wrong unit.
func (c Config) validateIntervals() error {
	own := int64(c.Tasks) * 2 * max(c.FreeUS, c.LoadedUS)
	if c.Hosts != nil {
		longest, ok := c.longestUS()
		if !ok {
			return badValue("hosts", "a processor has more than 11 days of work; make tasks fewer, smaller or shorter")
		}
		own = longest
	}
	if own/c.IntervalUS > maxIntervals/int64(len(c.Topology)) {
		return badValue("interval", "%d us with %d tasks of up to %d us means more than %d intervals; "+
			"lengthen the interval", c.IntervalUS, c.Tasks, max(c.FreeUS, c.LoadedUS), maxIntervals)
	}
	return nil
}

// taskUS returns the time of a task on processor p before jitter.
func (c Config) taskUS(p int) int64 {
	if slices.Contains(c.Loaded, p) {
		return c.LoadedUS
	}
	return c.FreeUS
}
