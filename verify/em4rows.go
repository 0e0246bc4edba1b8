package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"emsim/em4"
	"emsim/internal/study/ensemble"
)

// Bench003 measures paper 003 on one setup. It remembers every run and may be
// used by several goroutines at a time.
type Bench003 struct {
	mu    sync.Mutex
	bench *bench003
	rows  map[string]Row
}

// NewBench003 returns a bench without any runs.
func NewBench003(s Setup003) *Bench003 {
	return &Bench003{bench: newBench003(s, ensemble.New(0)), rows: map[string]Row{}}
}

// Setup returns the parameter set of all runs.
func (b *Bench003) Setup() Setup003 { return b.bench.setup }

// Best returns the fastest of a run's repetitions, with its series in windows of 1000 clocks. A fault of the
// modelled machine is an error that implements Kind.
func (b *Bench003) Best(ctx context.Context, r Run003) (em4.Result, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bench.bestRun(ctx, r)
}

// Rows measures the rows of paper 003 whose ids start with one of the
// prefixes ("003.t1"), or all rows if there is no prefix, in the paper's
// order.
func (b *Bench003) Rows(ctx context.Context, prefixes ...string) ([]Row, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	claims, err := Claims("003")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if len(prefixes) > 0 {
		claims = slices.DeleteFunc(claims, func(c Claim) bool { return !hasPrefix(c.ID, prefixes) })
	}
	b.bench.begin(ctx, b.bench.machinesFor(slices.DeleteFunc(slices.Clone(claims), func(c Claim) bool { _, done := b.rows[c.ID]; return done })))
	var rows []Row
	for _, c := range claims {
		if _, done := b.rows[c.ID]; !done {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			v, err := b.bench.measure(ctx, c)
			v, err = ended(ctx, v, err)
			if err != nil {
				return nil, fmt.Errorf("verify: %s: %w", c.ID, err)
			}
			b.rows[c.ID] = Compare(c, v)
		}
		rows = append(rows, b.rows[c.ID])
	}
	return rows, nil
}

func hasPrefix(id string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(id, p) })
}

// Machine returns a machine that is ready for the first repetition of a run.
func (b *Bench003) Machine(ctx context.Context, r Run003) (*em4.Machine, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bench.machine(ctx, r, b.bench.setup.Seed)
}

// RunOf returns the run that a claim of paper 003 is measured on; ok is false
// for claims that compare several.
func RunOf(c Claim) (r Run003, ok bool) {
	r, err := run003(c.Cond)
	return r, err == nil
}
