package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"emsim/em4"
	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
	"emsim/internal/study/ensemble"
)

// Setup003 is one parameter set for every row of paper 003: a machine and
// values of fib's parameters other than policy and mlpe.
type Setup003 struct {
	Config em4.Config
	Params map[string]string
	Seed   uint64 // the first random sequence; it chooses among equals and is no knob
	// Runs replaces a row's number of consecutive runs, where that is more than
	// one; Seeds bounds its number of machines. 0: as the row says.
	Runs, Seeds int
}

// Standard003 returns the set that emsim publishes: the prototype's preset, fib with
// all its parameters at their defaults, and the default seed of 'emsim run'.
func Standard003() Setup003 {
	return Setup003{Config: em4.Prototype80(), Seed: 1}
}

// Runs003 is how many times in succession each machine of paper 003 runs its program [chosen].
const Runs003 = 8

// seeds003 is the number of machines of a random policy, each with a seed of its own [chosen].
const seeds003 = 8

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
	// AtCall searches when the program calls, and not before [003 §4.1].
	AtCall bool
}

// Bench003 measures paper 003 on one setup. It remembers every run, and several
// goroutines may use it at a time.
type Bench003 struct {
	setup Setup003
	*lab003
}

func newBench003(s Setup003, crew *ensemble.Crew) *Bench003 {
	return &Bench003{s, newLab003(crew, window003)}
}

// machines lists the machines of a run, by seed.
func (b *Bench003) machines(r Run003) ([]machine003, error) {
	seeds, runs := max(1, r.Seeds), max(1, r.Runs)
	if b.setup.Seeds > 0 {
		seeds = min(seeds, b.setup.Seeds)
	}
	if b.setup.Runs > 0 && runs > 1 {
		runs = b.setup.Runs
	}
	o, err := b.program(b.params(r))
	if err != nil {
		return nil, err
	}
	var list []machine003
	for i := range seeds {
		list = append(list, machine003{b.setup.Config, o, b.setup.Seed + uint64(i), r.N, runs})
	}
	return list, nil
}

// params returns the values of fib's parameters in a run.
func (b *Bench003) params(r Run003) map[string]string {
	params := map[string]string{"policy": r.Policy, "mlpe": "off"}
	if r.MLPE {
		params["mlpe"] = "on"
	}
	if r.Software {
		params["mlpe"] = "software"
	}
	if r.AtCall {
		params["mlpe_when"] = "call"
	}
	for name, value := range b.setup.Params {
		if _, fixed := params[name]; !fixed {
			params[name] = value
		}
	}
	return params
}

// results returns the results of all runs of r, seed by seed. A fault of the
// modelled machine is an error that implements Kind; it comes with the results
// of the runs before it.
func (b *Bench003) results(ctx context.Context, r Run003) ([][]em4.Result, error) {
	machines, err := b.machines(r)
	if err != nil {
		return nil, err
	}
	b.begin(ctx, machines)
	var all [][]em4.Result
	for _, m := range machines {
		results, err := b.awaitRuns(ctx, m)
		all = append(all, results)
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// machinesFor lists what the claims run on, in their order. What cannot be run
// is left to whoever measures it.
func (b *Bench003) machinesFor(claims []Claim) []machine003 {
	var list []machine003
	for _, c := range claims {
		for _, r := range runsOf(c) {
			machines, _ := b.machines(r)
			list = append(list, machines...)
		}
	}
	return list
}

// Best returns the fastest of all runs of r, with its series in windows of 1000
// clocks. A fault of the modelled machine is an error that implements Kind.
func (b *Bench003) Best(ctx context.Context, r Run003) (em4.Result, error) {
	all, err := b.results(ctx, r)
	if err != nil {
		return em4.Result{}, err
	}
	return slices.MinFunc(slices.Concat(all...), func(x, y em4.Result) int { return int(x.Clocks) - int(y.Clocks) }),
		nil
}

// run003 reads a row's run out of its conditions.
func run003(cond map[string]string) (Run003, error) {
	var r Run003
	if _, err := fmt.Sscanf(cond["program"], "fib(%d)", &r.N); err != nil {
		return r, fmt.Errorf("program %q is not fib(N)", cond["program"])
	}
	r.Policy, r.MLPE, r.Runs, r.Seeds = cond["policy"], cond["mlpe"] == "yes", Runs003, 1
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
