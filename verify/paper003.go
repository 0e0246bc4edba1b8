package verify

import (
	"context"
	"fmt"
	"strings"

	"emsim/em4"
	"emsim/internal/base/memlimit"
	"emsim/internal/study/ensemble"
	"emsim/programs"
)

// paper003 returns the suite for the EM-4 [003]: every number of tables 1 to 3 and figure 8, the work for each call
// that follows from them, and the claims in words. All claims use one parameter set. Each program runs `runs` times in
// a row on one machine.
func paper003(runs int) Suite {
	s := Standard003()
	s.Runs = runs
	means := fmt.Sprintf("means of %d runs, of random policies on %d machines; rows 2 to 5 of table 1: the "+
		"expected best of %d", runs, seeds003, judgedRuns)
	return Suite{Paper: "003", Machine: "EM-4", Means: means, New: func(ctx context.Context, crew *ensemble.Crew,
		chosen []Claim,
	) func(context.Context, Claim) (Value, error) {
		return newBench003(s, crew).session(ctx, crew, chosen)
	}}
}

// measure returns the value of a claim: for most quantities the mean over the claim's runs, with their spread.
func (b *Bench003) measure(ctx context.Context, c Claim) (Value, error) {
	if c.Quantity == "relation" {
		return b.relation(ctx, c)
	}
	if c.Quantity == "mips" {
		return b.speed(ctx, c)
	}
	r, err := run003(c.Cond)
	if err != nil {
		return Value{}, err
	}
	if c.Quantity == "outcome" {
		return outcome003(b.results(ctx, r))
	}
	value, also, err := b.quantity003(c.Quantity, r)
	if err != nil {
		return Value{}, err
	}
	list, seeds, err := b.together(ctx, append([]Run003{r}, also...)...)
	if err != nil {
		return Value{}, err
	}
	return spread(list, seeds, value), nil
}

// speed returns how many instructions per second the machine reaches in one run of sum, which sends nothing while it
// counts.
func (b *Bench003) speed(ctx context.Context, c Claim) (Value, error) {
	var n uint64
	if _, err := fmt.Sscanf(c.Cond["program"], "sum(%d)", &n); err != nil {
		return Value{}, fmt.Errorf("program %q is not sum(N)", c.Cond["program"])
	}
	o, err := programs.Assemble("sum", map[string]string{"numbers": "counted"})
	if err != nil {
		return Value{}, err
	}
	memory := memlimit.EM4Bytes(b.setup.Config.PEs)
	if err := b.crew.Enter(ctx, memory); err != nil {
		return Value{}, err
	}
	defer b.crew.Leave(memory)
	x, err := machine003{config: b.setup.Config, program: o, seed: b.setup.Seed}.build(ctx)
	if err != nil {
		return Value{}, err
	}
	r, err := x.Run(ctx, []uint64{n}, em4.RunOptions{})
	if err != nil {
		return Value{}, err
	}
	return spread([][]em4.Result{{r}}, 1, func(x []em4.Result) float64 {
		return float64(x[0].Instructions) * 1e3 / float64(float64(x[0].Clocks)*b.setup.Config.ClockNS)
	}), nil
}

// relation measures a claim in words. The claim holds if it holds for the means of its numbers. The spread says in how
// many of the runs it holds.
func (b *Bench003) relation(ctx context.Context, c Claim) (Value, error) {
	x, ok := relations003()[strings.TrimPrefix(c.ID, c.PaperNo+".")]
	if !ok {
		return Value{}, fmt.Errorf("no relation %q", c.ID)
	}
	list, seeds, err := b.together(ctx, x.runs...)
	if err != nil {
		return Value{}, err
	}
	held := 0
	var mean []float64
	for _, r := range list {
		numbers := x.numbers(r)
		if x.holds(numbers).Text == holds {
			held++
		}
		if mean == nil {
			mean = make([]float64, len(numbers))
		}
		for i, n := range numbers {
			mean[i] += n / float64(len(list))
		}
	}
	v := x.holds(mean)
	v.Spread = &Spread{Runs: len(list), Seeds: seeds, Held: &held}
	return v, nil
}

// runsOf returns the runs of fib on which a claim is measured, or nil for a claim that is not measured on fib.
func runsOf(c Claim) []Run003 {
	if c.Quantity == "relation" {
		return relations003()[strings.TrimPrefix(c.ID, c.PaperNo+".")].runs
	}
	r, err := run003(c.Cond)
	if err != nil {
		return nil
	}
	list := []Run003{r}
	if c.Quantity == "instruction_overhead" {
		r.MLPE = false
		list = append(list, r)
	}
	return list
}
