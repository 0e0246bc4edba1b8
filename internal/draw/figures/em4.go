package figures

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"gonum.org/v1/plot"

	"emsim/em4"
	"emsim/internal/inspect/portrait"
	"emsim/trace"
	"emsim/verify"
)

// em4Figures are the EM-4's figures on the published parameter set.
func em4Figures() []Figure { return EM4(verify.NewBench003(verify.Standard003())) }

// EM4 lists the figures of paper 003 on a bench. Figures of one list share the
// bench's runs.
func EM4(b *verify.Bench003) []Figure { return newEM4Set(b, 20, 24).figures() }

// em4Set is the runs of the figures: fib of two sizes on one bench.
type em4Set struct {
	bench        *verify.Bench003
	small, large uint64 // the paper: fib(20) for the line, fib(24) for the ring

	mu        sync.Mutex
	portraits map[verify.Run003]*portrait.Portrait
}

func newEM4Set(b *verify.Bench003, small, large uint64) *em4Set {
	return &em4Set{bench: b, small: small, large: large, portraits: map[verify.Run003]*portrait.Portrait{}}
}

func (s *em4Set) figures() []Figure {
	return []Figure{
		{
			Name: "em4-fig5", Title: "Busy PEs over time on the line, static and with MLPE",
			Source: "003 fig. 5", Width: width, Height: height,
			Draw: func(ctx context.Context) (Drawing, error) { return s.busy(ctx, "line", s.small) },
		},
		{
			Name: "em4-fig6", Title: "Busy PEs over time on the circuits' neighbours, static and with MLPE",
			Source: "003 fig. 6", Width: width, Height: height,
			Draw: func(ctx context.Context) (Drawing, error) { return s.busy(ctx, "ring", s.large) },
		},
		{
			Name: "em4-fig7", Title: "Calls that MLPE placed, per 1000 clocks",
			Source: "003 fig. 7", Width: width, Height: height, Draw: s.mlpeCalls,
		},
		{
			Name: "em4-fig8", Title: "What the PEs do over time, with MLPE and static",
			Source: "003 fig. 8", Width: width, Height: 1.5 * height, Draw: s.pair(ownTimeline),
		},
		{
			Name: "em4-table1", Title: "Time and PE utilisation of the static policies, paper and model",
			Source: "003 table 1", Width: width, Height: 1.3 * height,
			Draw: func(ctx context.Context) (Drawing, error) {
				rows, err := s.bench.Rows(ctx, "003.t1.")
				if err != nil {
					return nil, err
				}
				return pairedBars(rows)
			},
		},
		{
			Name: "em4-bands", Title: "Paper 003 against the model's band of runs, row by row",
			Source: "ours", Width: width, Height: 2.1 * height,
			Draw: func(ctx context.Context) (Drawing, error) {
				rows, err := s.bench.Rows(ctx)
				if err != nil {
					return nil, err
				}
				return bands("Paper 003: every row in several runs against the paper", rows), nil
			},
		},
		{
			Name: "em4-heatmap", Title: "Every PE over time: share of each state, static and with MLPE",
			Source: "ours", Width: width, Height: 2.1 * height, Draw: s.pair(ownHeatmap),
		},
		{
			Name: "em4-links", Title: "Packets over every link of the network, static and with MLPE",
			Source: "ours", Width: width, Height: 1.3 * height, Draw: s.pair(ownLinks),
		},
		{
			Name: "em4-deviations", Title: "Deviation of every row of paper 003, with tolerances and gaps",
			Source: "ours", Width: width, Height: 2.2 * height,
			Draw: func(ctx context.Context) (Drawing, error) {
				rows, err := s.bench.Rows(ctx)
				if err != nil {
					return nil, err
				}
				rows = slices.DeleteFunc(rows, func(r verify.Row) bool { return r.Derived })
				return deviations("Paper 003: model against paper, row by row", rows), nil
			},
		},
	}
}

// best runs fib(n) under a policy.
func (s *em4Set) best(ctx context.Context, policy string, mlpe bool, n uint64) (em4.Result, error) {
	return s.bench.Best(ctx, verify.Run003{Policy: policy, MLPE: mlpe, N: n, Runs: 1})
}

// pair draws the large run, static and with MLPE, as a figure of any run.
func (s *em4Set) pair(draw func([]OwnRun) Drawing) func(context.Context) (Drawing, error) {
	return func(ctx context.Context) (Drawing, error) {
		var runs []OwnRun
		for i := range 2 {
			p, err := s.portrait(ctx, verify.Run003{Policy: "ring", MLPE: i == 1, N: s.large, Runs: 1})
			if err != nil {
				return nil, err
			}
			runs = append(runs, OwnRun{Name: named(i == 1), Program: fmt.Sprintf("fib(%d), policy ring, in windows of %d clocks", s.large, em4Window), Portrait: p, ms: true})
		}
		return draw(runs), nil
	}
}

// portrait remembers the portraits of runs.
func (s *em4Set) portrait(ctx context.Context, r verify.Run003) (*portrait.Portrait, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.portraits[r]; p != nil {
		return p, nil
	}
	p, err := Portrait(ctx, s.bench, r, portrait.Options{Window: em4Window})
	if err == nil {
		s.portraits[r] = p
	}
	return p, err
}

// Portrait records the first repetition of a run on a bench.
func Portrait(ctx context.Context, b *verify.Bench003, r verify.Run003, o portrait.Options) (*portrait.Portrait, error) {
	r.Runs = 1
	first, err := b.Best(ctx, r) // says how long it is
	if err != nil {
		return nil, err
	}
	m, err := b.Machine(ctx, r)
	if err != nil {
		return nil, err
	}
	c, start := m.Config(), m.Clock()
	p, err := portrait.New(m, m.Net.Topology, c.ClockNS, start, start, start+first.Clocks, o)
	if err != nil {
		return nil, err
	}
	m.Watch(trace.NewRecorder(p, c.PEs, trace.All(c.PEs)), start, start+first.Clocks)
	if _, err := m.Run(ctx, []uint64{r.N}, em4.RunOptions{}); err != nil {
		return nil, err
	}
	return p, p.Close(start + first.Clocks)
}

// em4Window is the clocks of a window [003 fig. 7: every 1000 clocks].
const em4Window = 1000

// ms converts clocks to milliseconds.
func (s *em4Set) ms(clocks uint64) float64 {
	return float64(float64(clocks) * s.bench.Setup().Config.ClockNS * 1e-6)
}

func (s *em4Set) pes() int { return s.bench.Setup().Config.PEs }

// named is the name of a run in legends and titles.
func named(mlpe bool) string {
	if mlpe {
		return "with MLPE"
	}
	return "static"
}

// peTicks are a few ticks from none to all PEs.
func peTicks(pes int) plot.Ticker { return ticksAt(0, pes/4, pes/2, pes*3/4, pes) }
