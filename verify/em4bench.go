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

// Setup003 is one parameter set for all rows of paper 003: a machine, and the values of fib's parameters except policy
// and mlpe.
type Setup003 struct {
	Config em4.Config
	Params map[string]string
	Seed   uint64 // seed of a row's first machine; not a knob, because no seed is better than another
	// Runs replaces the number of consecutive runs in rows that have more than one. Seeds limits the number of machines
	// of a row. 0 leaves the row's own number.
	Runs, Seeds int
}

// Standard003 returns the set that emsim publishes: the prototype's preset, fib with its default parameters, and the
// default seed of 'emsim run'.
func Standard003() Setup003 {
	return Setup003{Config: em4.Prototype80(), Seed: 1}
}

// Runs003 is the number of times that each machine of paper 003 runs its program, in succession [chosen].
const Runs003 = 8

// seeds003 is the number of machines for a random policy, each with its own seed [chosen].
const seeds003 = 8

// Run003 is the run of a row: fib(N) on a machine for each seed.
type Run003 struct {
	Policy string
	MLPE   bool
	N      uint64
	Runs   int // consecutive runs on one machine, which keeps its memories; 0 means 1
	Seeds  int // machines with one seed each, starting at Setup003.Seed; 0 means 1
	// Software lets a program search for the least load, instead of MLPE packets [003 §4.1].
	Software bool
	// AtCall starts the search when the program calls, and not before [003 §4.1].
	AtCall bool
}

// Bench003 measures paper 003 on one setup. It remembers all runs. Several goroutines may use it at a time.
type Bench003 struct {
	setup Setup003
	*lab003
}

func newBench003(s Setup003, crew *ensemble.Crew) *Bench003 {
	return &Bench003{s, newLab003(crew, window003)}
}

// machines returns the machines of a run, by seed.
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

// results returns the results of all runs of r, by seed. If the modelled machine fails, the error implements Kind, and
// the results cover the runs before the failure.
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

// machinesFor returns the machines on which the claims are measured, in the claims' order. It leaves out runs with
// errors, which their measurement will report.
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

// Best returns the fastest of all runs of r, with its series in windows of 1000 clocks. If the modelled machine fails,
// the error implements Kind.
func (b *Bench003) Best(ctx context.Context, r Run003) (em4.Result, error) {
	all, err := b.results(ctx, r)
	if err != nil {
		return em4.Result{}, err
	}
	return slices.MinFunc(slices.Concat(all...), func(x, y em4.Result) int { return int(x.Clocks) - int(y.Clocks) }),
		nil
}

// run003 returns the run that a row's conditions describe.
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

// outcome003 returns in the paper's words how the runs ended, and how many of them ended in this way. A machine does
// not run again after a fault.
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
