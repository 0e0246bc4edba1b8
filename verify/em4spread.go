package verify

import (
	"context"
	"fmt"

	"emsim/asm"
	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/machine/run"
	"emsim/programs"
)

// A Spread holds the values of a row in several runs.
type Spread struct {
	run.Band // zero for claims in words

	First float64 // in the first run after boot; with several seeds, the mean over the seeds
	Runs  int     // number of runs
	Seeds int     // number of machines, each with its own seed
	Held  *int    // for claims in words: in how many runs they were true

	fastest []float64 // the values of all runs, fastest run first
}

// together combines the runs of several settings. Each element of list holds the results of all settings for one seed
// and one run number. A setting with fewer seeds is repeated for the seeds of the others.
func (b *Bench003) together(ctx context.Context, runs ...Run003) (list [][]em4.Result, seeds int, err error) {
	series := make([][][]em4.Result, len(runs))
	for i, r := range runs {
		if series[i], err = b.results(ctx, r); err != nil {
			return nil, 0, err
		}
		seeds = max(seeds, len(series[i]))
	}
	for s := range seeds {
		var rows [][]em4.Result // by run, then by setting
		for _, all := range series {
			for n, x := range all[s%len(all)] {
				if n == len(rows) {
					rows = append(rows, nil)
				}
				rows[n] = append(rows[n], x)
			}
		}
		list = append(list, rows...)
	}
	return list, seeds, nil
}

// spread returns the mean of a value over runs, with its band. The elements of list are ordered by seed. The first
// result of each element decides which run was the fastest.
func spread(list [][]em4.Result, seeds int, value func([]em4.Result) float64) Value {
	s := &Spread{Runs: len(list), Seeds: seeds}
	clocks := func(x []em4.Result) uint64 { return x[0].Clocks }
	s.Band, s.fastest = run.BandOf(list, clocks, value), fastestFirst(list, clocks, value)
	for i := range seeds {
		s.First += value(list[i*len(list)/seeds]) / float64(seeds)
	}
	return Value{Number: s.Mean, Spread: s}
}

// quantity003 returns a function that computes a quantity of the paper from a run of r and the matching runs of also.
func (b *Bench003) quantity003(q string, r Run003) (of func([]em4.Result) float64, also []Run003, err error) {
	o, err := programs.Assemble("fib", b.setup.Params)
	if err != nil {
		return nil, nil, err
	}
	if q == "instruction_overhead" {
		r.MLPE = false
		return func(x []em4.Result) float64 {
			return float64(100 * (float64(x[0].Instructions)/float64(x[1].Instructions) - 1))
		}, []Run003{r}, nil
	}
	single := totals003(q, o, b.setup.Config.ClockNS)
	if single == nil {
		return nil, nil, fmt.Errorf("no quantity %q", q)
	}
	return func(x []em4.Result) float64 { return single(x[0].Totals) }, nil, nil
}

// totals003 returns a function that computes a quantity from the totals of one run, or nil for an unknown quantity.
func totals003(q string, o *asm.Object, clockNS float64) func(em4.Totals) float64 {
	calls := func(t em4.Totals) float64 { return float64(run.CallsOthers(o, t)) }
	share := func(s emcr.Activity) func(em4.Totals) float64 {
		return func(t em4.Totals) float64 { return float64(100 * t.Share(s)) }
	}
	perCall := func(s emcr.Activity) func(em4.Totals) float64 {
		return func(t em4.Totals) float64 { return float64(t.States()[s]) / calls(t) }
	}
	return map[string]func(em4.Totals) float64{
		"time":              func(t em4.Totals) float64 { return float64(float64(t.Clocks) * clockNS * 1e-6) },
		"pe_utilisation":    func(t em4.Totals) float64 { return float64(100 * t.Utilisation()) },
		"exu_fmu":           share(emcr.ExuFmu),
		"ibu_only":          share(emcr.IbuOnly),
		"network_wait":      share(emcr.NetworkWait),
		"instructions":      func(t em4.Totals) float64 { return float64(float64(t.Instructions) * 1e-6) },
		"calls":             calls,
		"mlpe_calls":        func(t em4.Totals) float64 { return float64(t.MLPECalls) },
		"mlpe_share":        func(t em4.Totals) float64 { return 100 * float64(t.MLPECalls) / calls(t) },
		"work_per_call":     func(t em4.Totals) float64 { return run.WorkPerCall(o, t) },
		"exu_fmu_per_call":  perCall(emcr.ExuFmu),
		"ibu_only_per_call": perCall(emcr.IbuOnly),
		"wait_per_call":     perCall(emcr.NetworkWait),
		// Each packet takes four memory clocks, in addition to the work of FMU and EXU.
		"ibu_worst_case": func(t em4.Totals) float64 {
			ibu := 4 * float64(t.Sent)
			return 100 * ibu / (ibu + float64(t.States()[emcr.ExuFmu]))
		},
	}[q]
}
