package figures

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"gonum.org/v1/plot/plotter"

	"emsim/em4"
	"emsim/internal/inspect/portrait"
	"emsim/omega"
	"emsim/trace"
	"emsim/verify"
)

// EM4 returns the figures of paper 003. They share the runs of a bench.
func EM4(b *verify.Bench003) []Figure { return newEM4Set(b, 20, 24).figures() }

// em4Set has the runs that the figures share: fib of two sizes on one bench.
type em4Set struct {
	bench        *verify.Bench003
	small, large uint64 // n of fib(n); in the paper 20 for the line and 24 for the ring

	mu        sync.Mutex
	portraits map[verify.Run003]*portrait.Portrait
}

func newEM4Set(b *verify.Bench003, small, large uint64) *em4Set {
	return &em4Set{bench: b, small: small, large: large, portraits: map[verify.Run003]*portrait.Portrait{}}
}

func (s *em4Set) figures() []Figure {
	return []Figure{
		figure("em4-fig5", "Busy PEs over time on the line, static and with MLPE",
			"003 fig. 5", width, height, s.busyOverTime("line", s.small)),
		figure("em4-fig6", "Busy PEs over time on the circuits' neighbours, static and with MLPE",
			"003 fig. 6", width, height, s.busyOverTime("ring", s.large)),
		figure("em4-fig7", "Calls that MLPE placed, per 1000 clocks", "003 fig. 7", width, height, s.mlpeCalls),
		figure("em4-fig8", "What the PEs do over time, with MLPE and static", "003 fig. 8", width, 1.5*height,
			s.drawPair(ownTimeline)),
		figure("em4-table1", "Time and PE utilisation of the static policies, paper and model",
			"003 table 1", width, 1.3*height,
			s.benchRows("fib(20) on 80 PEs: the static policies", tableOfPolicies, "003.t1.")),
		figure("em4-bands", "Paper 003 against the model's band of runs, row by row",
			"ours", 1.25*width, 2.3*height, s.benchRows("Paper 003: every row in several runs against the paper", bands)),
		figure("em4-heatmap", "Every PE over time: share of each state, static and with MLPE",
			"ours", width, 2.1*height, s.drawPair(ownHeatmap)),
		figure("em4-links", "Packets over every link of the network, static and with MLPE",
			"ours", width, 1.3*height, s.drawPair(ownLinks)),
	}
}

// benchRows draws the rows of the bench whose IDs have one of the given prefixes, or all rows.
func (s *em4Set) benchRows(title string, draw func(title string, rows []verify.Row) (Drawing, error),
	beginnings ...string,
) Drawer {
	return func(ctx context.Context) (Drawing, error) {
		rows, err := s.bench.Rows(ctx, beginnings...)
		if err != nil {
			return nil, err
		}
		return draw(title, rows)
	}
}

// bestRun returns the first run of fib(n) under a policy.
func (s *em4Set) bestRun(ctx context.Context, policy string, mlpe bool, n uint64) (em4.Result, error) {
	return s.bench.Best(ctx, verify.Run003{Policy: policy, MLPE: mlpe, N: n, Runs: 1})
}

// drawPair draws the large run, static and with MLPE, with a function that draws any runs.
func (s *em4Set) drawPair(draw func([]OwnRun) Drawing) Drawer {
	return func(ctx context.Context) (Drawing, error) {
		var runs []OwnRun
		for i := range 2 {
			p, err := s.portrait(ctx, verify.Run003{Policy: "ring", MLPE: i == 1, N: s.large, Runs: 1})
			if err != nil {
				return nil, err
			}
			runs = append(runs, OwnRun{
				Name:    named(i == 1),
				Program: fmt.Sprintf("fib(%d), policy ring", s.large), Portrait: p,
				ms: true,
			})
		}
		return draw(runs), nil
	}
}

// portrait returns the portrait of a run. It does each run only once.
func (s *em4Set) portrait(ctx context.Context, r verify.Run003) (*portrait.Portrait, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.portraits[r]; p != nil {
		return p, nil
	}
	p, err := countedPortrait(ctx, s.bench, r, em4Window)
	if err == nil {
		s.portraits[r] = p
	}
	return p, err
}

// countedPortrait returns a portrait with only these numbers: what every PE did in each window of the first repetition
// of a run, and for each link the packets over it and their waits. The machine's counters have these sums, so the
// clocks need not be recorded one by one.
func countedPortrait(ctx context.Context, b *verify.Bench003, r verify.Run003, window uint64) (*portrait.Portrait,
	error,
) {
	m, p, err := newPortrait(ctx, b, r, portrait.Options{Window: window})
	if err != nil {
		return nil, err
	}
	run, err := m.Begin([]uint64{r.N}, em4.RunOptions{})
	if err != nil {
		return nil, err
	}
	before := make([]em4.Counters, len(p.Hops))
	for w, cells := range p.Cells {
		if err := run.Advance(ctx, p.WindowEnd(w)); err != nil {
			return nil, err
		}
		for pe := range cells {
			now := m.Counters(pe)
			for state, clocks := range now.Clocks {
				clocks -= before[pe].Clocks[state]
				cells[pe].State[state] = uint32(clocks)
				p.Waits[trace.PE][int(trace.ExuFmu)+state] += clocks
			}
			p.Hops[pe] = [2]uint64(now.Packets[omega.InGroup : omega.OutGroup+1])
			p.Blocked[pe] = [2]uint64(now.WaitClocks[omega.InGroup : omega.OutGroup+1])
			before[pe] = now
		}
	}
	return p, nil
}

// Portrait records the first repetition of a run on a bench.
func Portrait(ctx context.Context, b *verify.Bench003, r verify.Run003, o portrait.Options) (*portrait.Portrait,
	error,
) {
	m, p, err := newPortrait(ctx, b, r, o)
	if err != nil {
		return nil, err
	}
	pes := m.Config().PEs
	m.Watch(trace.NewRecorder(p, pes, trace.All(pes)), p.Start, p.End)
	if _, err := m.Run(ctx, []uint64{r.N}, em4.RunOptions{}); err != nil {
		return nil, err
	}
	return p, p.Close(p.End)
}

// newPortrait returns a machine before the first repetition of a run, and an empty portrait of this repetition.
func newPortrait(ctx context.Context, b *verify.Bench003, r verify.Run003, o portrait.Options) (*em4.Machine,
	*portrait.Portrait, error,
) {
	r.Runs = 1
	first, err := b.Best(ctx, r) // for its length
	if err != nil {
		return nil, nil, err
	}
	m, err := b.Machine(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	start := m.Clock()
	p, err := portrait.New(m, m.Net.Topology, m.Config().ClockNS, start, start, start+first.Clocks, o)
	return m, p, err
}

// em4Window is the length of a window in clocks [003 fig. 7: every 1000 clocks].
const em4Window = 1000

func (s *em4Set) milliseconds(clocks uint64) float64 {
	return float64(float64(clocks) * s.bench.Setup().Config.ClockNS * 1e-6)
}

// named returns the name of a run in legends and titles.
func named(mlpe bool) string {
	if mlpe {
		return "with MLPE"
	}
	return "static"
}

// sampleSeries returns a value of each window of a run, at the window's middle.
func (s *em4Set) sampleSeries(r em4.Result, value func(em4.Totals) float64) plotter.XYs {
	points := make(plotter.XYs, len(r.Series))
	end := uint64(0)
	for i, w := range r.Series {
		end += w.Clocks
		points[i] = plotter.XY{X: s.milliseconds(end) - s.milliseconds(w.Clocks)/2, Y: value(w)}
	}
	return points
}

// busyOverTime draws the PEs at work over time, in a static run and one with MLPE.
func (s *em4Set) busyOverTime(policy string, n uint64) Drawer {
	return func(ctx context.Context) (Drawing, error) {
		p, pes := newPlot("", "time [ms]", "busy PEs"), s.bench.Setup().Config.PEs
		var clocks [2]float64
		p.Add(greyGrid())
		for i := range 2 {
			r, err := s.bestRun(ctx, policy, i == 1, n)
			if err != nil {
				return nil, err
			}
			clocks[i] = float64(r.Clocks)
			addLine(p, fmt.Sprintf("%s: %.2f ms, %.1f %% busy", named(i == 1), s.milliseconds(r.Clocks),
				100*r.Utilisation()),
				s.sampleSeries(r, func(w em4.Totals) float64 { return float64(w.Utilisation() * float64(pes)) }),
				lineStyle(i))
		}
		p.X.Min, p.X.Tick.Marker = 0, roundTicks{}
		p.Y.Min, p.Y.Max = 0, float64(pes)
		p.Y.Tick.Marker = ticksAt(0, pes/4, pes/2, pes*3/4, pes)
		return page(fmt.Sprintf("fib(%d), policy %s: %s with MLPE", n, policy, asFast(clocks[0]/clocks[1])),
			fmt.Sprintf("PEs at work, on average over %d clocks; fib(%d) on %d PEs", em4Window, n, pes), p), nil
	}
}

// paperNumber is a claim with the paper's number.
type paperNumber struct {
	verify.Claim
	number float64
}

// claimed returns the wanted claims of a paper that have a number.
func claimed(paper string, wanted func(c verify.Claim) bool) ([]paperNumber, error) {
	claims, err := verify.Claims(paper)
	var list []paperNumber
	for _, c := range claims {
		if v, bad := strconv.ParseFloat(c.Paper, 64); bad == nil && wanted(c) {
			list = append(list, paperNumber{c, v})
		}
	}
	return list, err
}

// mlpeCalls draws how many calls per 1000 clocks went to a PE that an MLPE packet found.
func (s *em4Set) mlpeCalls(ctx context.Context) (Drawing, error) {
	r, err := s.bestRun(ctx, "ring", true, s.large)
	if err != nil {
		return nil, err
	}
	p := newPlot("", "time [ms]", "calls per 1000 clocks")
	p.Add(greyGrid())
	addLine(p, "model, first run after boot",
		s.sampleSeries(r, func(w em4.Totals) float64 { return 1000 * float64(w.MLPECalls) / float64(w.Clocks) }),
		lineStyle(0))
	claims, err := claimed("003", func(c verify.Claim) bool { return strings.HasPrefix(c.ID, "003.t3.mlpe.") })
	if err != nil {
		return nil, err
	}
	numbers := map[string]float64{}
	for _, c := range claims {
		numbers[c.Quantity] = c.number
	}
	calls, time := numbers["mlpe_calls"], numbers["time"]
	paper := float64(calls / time * s.milliseconds(1000))
	addLine(p, fmt.Sprintf("paper, mean of its %.2f ms", time),
		plotter.XYs{{X: 0, Y: paper}, {X: s.milliseconds(r.Clocks), Y: paper}}, lineStyle(1))
	p.X.Min, p.Y.Min, p.X.Tick.Marker, p.Y.Tick.Marker = 0, 0, roundTicks{}, roundTicks{}
	return page(fmt.Sprintf("MLPE places %s calls of fib(%d) in this run, %s in the paper's",
		number(float64(r.MLPECalls)),
		s.large, number(calls)), fmt.Sprintf("calls per 1000 clocks that went to a PE found by an MLPE packet; "+
		"fib(%d), policy ring, %d PEs", s.large, s.bench.Setup().Config.PEs), p), nil
}
