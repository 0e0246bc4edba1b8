package verify

import (
	"context"
	"slices"
	"strings"

	"emsim/em4"
	"emsim/internal/study/ensemble"
)

// NewBench003 returns a bench that has not run anything.
func NewBench003(s Setup003) *Bench003 { return newBench003(s, ensemble.New(0)) }

// Setup returns the parameter set of all runs.
func (b *Bench003) Setup() Setup003 { return b.setup }

// Rows measures the rows of paper 003 whose ids start with one of the prefixes, as in "003.t1", or all rows if there is
// no prefix. It returns them in the paper's order.
func (b *Bench003) Rows(ctx context.Context, prefixes ...string) ([]Row, error) {
	claims, err := Claims("003")
	if err != nil {
		return nil, err
	}
	if len(prefixes) > 0 {
		claims = slices.DeleteFunc(claims, func(c Claim) bool { return !hasPrefix(c.ID, prefixes) })
	}
	return Run(ctx, []Suite{{Paper: "003", New: b.session}}, map[string][]Claim{"003": claims}, nil)
}

// session returns the session of a Suite that uses this bench.
func (b *Bench003) session(ctx context.Context, _ *ensemble.Crew, chosen []Claim) func(context.Context, Claim) (Value,
	error) {
	b.begin(ctx, b.machinesFor(chosen))
	return b.measure
}

func hasPrefix(id string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(id, p) })
}

// Machine returns a machine that is ready for the first run of r.
func (b *Bench003) Machine(ctx context.Context, r Run003) (*em4.Machine, error) {
	o, err := b.program(b.params(r))
	if err != nil {
		return nil, err
	}
	return machine003{config: b.setup.Config, program: o, seed: b.setup.Seed}.build(ctx)
}

// RunOf returns the run on which a claim of paper 003 is measured. ok is false for claims that compare several runs or
// do not run fib.
func RunOf(c Claim) (r Run003, ok bool) {
	r, err := run003(c.Cond)
	return r, err == nil
}
