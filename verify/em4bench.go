package verify

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/simerr"
	"emsim/programs"
)

// Setup003 is one parameter set for every row of paper 003: a machine and
// values of fib's parameters other than policy and mlpe.
type Setup003 struct {
	Config em4.Config
	Params map[string]string
	Seed   uint64
}

// Standard003 is the set that emsim publishes: the prototype's preset and fib
// with all its parameters at their defaults. The seed of the random sequence
// is one of the calibrated knobs.
func Standard003() Setup003 {
	return Setup003{Config: em4.Prototype80(), Seed: 4}
}

// Run003 is one row's run of fib.
type Run003 struct {
	Policy string
	MLPE   bool
	N      uint64
	Runs   int // consecutive runs on one machine, keeping the table indices
	// Software searches for the least load in software instead of by MLPE
	// packets [003 §4.1].
	Software bool
}

// bench003 runs fib on one setup and remembers all runs.
type bench003 struct {
	setup Setup003
	done  map[Run003][]em4.Result
	fail  map[Run003]error
}

func newBench003(s Setup003) *bench003 {
	return &bench003{setup: s, done: map[Run003][]em4.Result{}, fail: map[Run003]error{}}
}

// results returns the results of all runs of r. A fault of the modelled
// machine is an error that implements Kind.
func (b *bench003) results(ctx context.Context, r Run003) ([]em4.Result, error) {
	if b.done[r] == nil && b.fail[r] == nil {
		b.done[r], b.fail[r] = b.run(ctx, r)
	}
	return b.done[r], b.fail[r]
}

// best returns the fastest run, as the paper does [003 §3.2].
func (b *bench003) best(ctx context.Context, r Run003) (em4.Result, error) {
	all, err := b.results(ctx, r)
	if err != nil {
		return em4.Result{}, err
	}
	return slices.MinFunc(all, func(x, y em4.Result) int { return int(x.Clocks) - int(y.Clocks) }), nil
}

// machine builds and boots the machine of a run.
func (b *bench003) machine(ctx context.Context, r Run003) (*em4.Machine, error) {
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
	m, err := em4.New(b.setup.Config, p, b.setup.Seed)
	if err != nil {
		return nil, err
	}
	return m, m.Boot(ctx, 0)
}

func (b *bench003) run(ctx context.Context, r Run003) ([]em4.Result, error) {
	m, err := b.machine(ctx, r)
	if err != nil {
		return nil, err
	}
	var all []em4.Result
	for range max(1, r.Runs) {
		res, err := m.Run(ctx, []uint64{r.N}, em4.RunOptions{Window: window003})
		if err != nil {
			return nil, err
		}
		if want := fibonacci(r.N); len(res.Words) != 1 || res.Words[0] != want {
			return nil, fmt.Errorf("fib(%d) answered %v, not %d", r.N, res.Words, want)
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

// quantity003 extracts one quantity of the paper from a result.
func quantity003(q string, r em4.Result, clockNS float64) (float64, error) {
	switch q {
	case "time":
		return float64(r.Clocks) * clockNS * 1e-6, nil
	case "pe_utilisation":
		return 100 * r.Utilisation(), nil
	case "exu_fmu":
		return 100 * r.Share(emcr.ExuFmu), nil
	case "ibu_only":
		return 100 * r.Share(emcr.IbuOnly), nil
	case "network_wait":
		return 100 * r.Share(emcr.NetworkWait), nil
	case "instructions":
		return float64(r.Instructions) * 1e-6, nil
	case "calls":
		return float64(r.Calls), nil
	case "mlpe_calls":
		return float64(r.MLPECalls), nil
	}
	return 0, fmt.Errorf("no quantity %q", q)
}

// run003 derives a row's run from its conditions.
func run003(cond map[string]string) (Run003, error) {
	var r Run003
	if _, err := fmt.Sscanf(cond["program"], "fib(%d)", &r.N); err != nil {
		return r, fmt.Errorf("program %q is not fib(N)", cond["program"])
	}
	r.Policy, r.MLPE, r.Runs = cond["policy"], cond["mlpe"] == "yes", 1
	if strings.Contains(r.Policy, "random") || strings.Contains(r.Policy, "round") {
		r.Runs = 8
	}
	return r, nil
}

// outcome003 says how a run ended, in the paper's words.
func outcome003(err error) (string, error) {
	if err == nil {
		return "runs", nil
	}
	if kind := simerr.Kind(err); kind != "" {
		return strings.ReplaceAll(kind, "_", " "), nil
	}
	return "", err
}
