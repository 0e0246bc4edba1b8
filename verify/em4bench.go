package verify

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"emsim/em4"
	"emsim/internal/interrupt"
	"emsim/internal/plural"
	"emsim/internal/simerr"
	"emsim/programs"
)

// Setup003 is one parameter set for every row of paper 003: a machine and
// values of fib's parameters other than policy and mlpe.
type Setup003 struct {
	Config em4.Config
	Params map[string]string
	Seed   uint64 // the first random sequence; it chooses among equals and is no knob
	// Runs and Seeds bound how often a row is measured; 0: as often as the row says.
	Runs, Seeds int
}

// Standard003 is the set that emsim publishes: the prototype's preset, fib with
// all its parameters at their defaults, and the default seed of 'emsim run'.
func Standard003() Setup003 {
	return Setup003{Config: em4.Prototype80(), Seed: 1}
}

// How often a row is measured: a random policy with so many seeds, a machine
// for each, and every machine runs the program so many times.
const (
	runs003  = 8
	seeds003 = 8
)

// Run003 is what a row runs: fib(N) on a machine for each seed.
type Run003 struct {
	Policy string
	MLPE   bool
	N      uint64
	Runs   int // consecutive runs on one machine, which keeps its memories; 0: one
	Seeds  int // machines with a seed each, from Setup003.Seed on; 0: one
	// Software searches for the least load by program instead of by MLPE
	// packets [003 §4.1].
	Software bool
}

// bench003 runs fib on one setup and remembers what it has run. Several
// goroutines may use it at a time.
type bench003 struct {
	setup Setup003
	mu    sync.Mutex
	ran   map[machine003]*ran003
}

// machine003 is a machine that runs fib: Seeds of its run is 0.
type machine003 struct {
	run  Run003
	seed uint64
}

// ran003 is what a machine's runs gave, once done is closed. err is what ended
// them early.
type ran003 struct {
	done    chan struct{}
	results []em4.Result
	err     error
}

func newBench003(s Setup003) *bench003 {
	return &bench003{setup: s, ran: map[machine003]*ran003{}}
}

// machines lists the machines of a run, by seed.
func (b *bench003) machines(r Run003) []machine003 {
	seeds, runs := max(1, r.Seeds), max(1, r.Runs)
	if b.setup.Seeds > 0 {
		seeds = min(seeds, b.setup.Seeds)
	}
	if b.setup.Runs > 0 {
		runs = min(runs, b.setup.Runs)
	}
	r.Runs, r.Seeds = runs, 0
	var list []machine003
	for i := range seeds {
		list = append(list, machine003{r, b.setup.Seed + uint64(i)})
	}
	return list
}

// results returns the results of all runs of r, seed by seed. A fault of the
// modelled machine is an error that implements Kind; it comes with the results
// of the runs before it.
func (b *bench003) results(ctx context.Context, r Run003) ([][]em4.Result, error) {
	var all [][]em4.Result
	for _, m := range b.machines(r) {
		results, err := b.wait(ctx, m)
		all = append(all, results)
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// wait returns what a machine's runs gave. It runs them unless another
// goroutine does.
func (b *bench003) wait(ctx context.Context, m machine003) ([]em4.Result, error) {
	for {
		b.mu.Lock()
		x := b.ran[m]
		if x == nil {
			x = &ran003{done: make(chan struct{})}
			b.ran[m] = x
			b.mu.Unlock()
			x.results, x.err = b.run(ctx, m)
			if interrupt.Ended(x.err) {
				b.mu.Lock()
				delete(b.ran, m) // another caller may have more time
				b.mu.Unlock()
			}
			close(x.done)
			return x.results, x.err
		}
		b.mu.Unlock()
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-x.done:
		}
		if !interrupt.Ended(x.err) {
			return x.results, x.err
		}
	}
}

// mostMachines bounds the machines that are in memory at a time.
const mostMachines = 8

// begin starts to run what the claims need, in their order and on all cores,
// and does not wait for it. The end of ctx ends it.
func (b *bench003) begin(ctx context.Context, claims []Claim) {
	var list []machine003
	seen := map[machine003]bool{}
	for _, c := range claims {
		for _, r := range runsOf(c) {
			for _, m := range b.machines(r) {
				if !seen[m] {
					seen[m] = true
					list = append(list, m)
				}
			}
		}
	}
	next := make(chan machine003)
	for range min(mostMachines, runtime.GOMAXPROCS(0), len(list)) {
		go func() {
			for m := range next {
				_, _ = b.wait(ctx, m) // whoever needs the results sees the error
			}
		}()
	}
	go func() {
		defer close(next)
		for _, m := range list {
			select {
			case next <- m:
			case <-ctx.Done():
				return
			}
		}
	}()
}

// best returns the fastest of all runs of r.
func (b *bench003) best(ctx context.Context, r Run003) (em4.Result, error) {
	all, err := b.results(ctx, r)
	if err != nil {
		return em4.Result{}, err
	}
	return slices.MinFunc(slices.Concat(all...), func(x, y em4.Result) int { return int(x.Clocks) - int(y.Clocks) }), nil
}

// machine builds and boots the machine of a run.
func (b *bench003) machine(ctx context.Context, r Run003, seed uint64) (*em4.Machine, error) {
	params := maps.Clone(b.setup.Params)
	if params == nil {
		params = map[string]string{}
	}
	params["policy"], params["mlpe"] = r.Policy, "off"
	if r.MLPE {
		params["mlpe"] = "on"
	}
	if r.Software {
		params["mlpe"] = "software"
	}
	o, err := programs.Assemble("fib", params)
	if err != nil {
		return nil, err
	}
	p, err := programs.Load(o)
	if err != nil {
		return nil, err
	}
	m, err := em4.New(b.setup.Config, p, seed)
	if err != nil {
		return nil, err
	}
	return m, m.Boot(ctx, 0)
}

func (b *bench003) run(ctx context.Context, x machine003) ([]em4.Result, error) {
	m, err := b.machine(ctx, x.run, x.seed)
	if err != nil {
		return nil, err
	}
	var all []em4.Result
	for range x.run.Runs {
		res, err := m.Run(ctx, []uint64{x.run.N}, em4.RunOptions{Window: window003})
		if err != nil {
			return all, err
		}
		if want := fibonacci(x.run.N); len(res.Words) != 1 || res.Words[0] != want {
			return all, fmt.Errorf("fib(%d) answered %v, not %d", x.run.N, res.Words, want)
		}
		all = append(all, res)
	}
	return all, nil
}

func fibonacci(n uint64) uint64 {
	a, b := uint64(0), uint64(1)
	for range n {
		a, b = b, a+b
	}
	return a
}

// run003 reads a row's run out of its conditions.
func run003(cond map[string]string) (Run003, error) {
	var r Run003
	if _, err := fmt.Sscanf(cond["program"], "fib(%d)", &r.N); err != nil {
		return r, fmt.Errorf("program %q is not fib(N)", cond["program"])
	}
	r.Policy, r.MLPE, r.Runs, r.Seeds = cond["policy"], cond["mlpe"] == "yes", runs003, 1
	if strings.Contains(r.Policy, "random") {
		r.Seeds = seeds003
	}
	return r, nil
}

// outcome003 says how runs ended, in the paper's words, and how many of them
// ended so. The machine does not run again after a fault.
func outcome003(all [][]em4.Result, err error) (Value, error) {
	ran := len(slices.Concat(all...))
	kind := simerr.Kind(err)
	switch {
	case err == nil:
		return Value{Text: "runs", Spread: &Spread{Runs: ran, Seeds: len(all), Held: &ran}}, nil
	case kind == "":
		return Value{}, err
	}
	word, one := strings.ReplaceAll(kind, "_", " "), 1
	if ran > 0 {
		word = fmt.Sprintf("runs %s, then %s", plural.Of(ran, "time"), word)
	}
	return Value{Text: word, Spread: &Spread{Runs: ran + 1, Seeds: len(all), Held: &one}}, nil
}
