package figures

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/em4"
	"emsim/verify"
)

// em4Figures are the EM-4's figures on the published parameter set.
func em4Figures() []Figure { return EM4(verify.NewBench003(verify.Standard003())) }

// EM4 lists the figures of paper 003 on a bench. Figures of one list share the
// bench's runs.
func EM4(b *verify.Bench003) []Figure { return em4Set{bench: b, small: 20, large: 24}.figures() }

// em4Set is the runs of the figures: fib of two sizes on one bench.
type em4Set struct {
	bench        *verify.Bench003
	small, large uint64 // the paper: fib(20) for the line, fib(24) for the ring
}

func (s em4Set) figures() []Figure {
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
			Source: "003 fig. 8", Width: width, Height: 1.5 * height, Draw: s.units,
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
				return bands("Paper 003: every row in several runs against the paper", rows)
			},
		},
		{
			Name: "em4-heatmap", Title: "Every PE over time: share of each state, static and with MLPE",
			Source: "ours", Width: width, Height: 2.1 * height, Draw: s.heatMap,
		},
		{
			Name: "em4-links", Title: "Packets over every link of the network, static and with MLPE",
			Source: "ours", Width: width, Height: 1.3 * height, Draw: s.links,
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
				return deviations("Paper 003: model against paper, row by row", rows)
			},
		},
	}
}

// best runs fib(n) under a policy.
func (s em4Set) best(ctx context.Context, policy string, mlpe bool, n uint64) (em4.Result, error) {
	return s.bench.Best(ctx, verify.Run003{Policy: policy, MLPE: mlpe, N: n, Runs: 1})
}

// pair profiles the large run, static and with MLPE, in the windows of the
// paper's figures.
func (s em4Set) pair(ctx context.Context) ([2]verify.Profile003, error) {
	var pair [2]verify.Profile003
	for i := range pair {
		var err error
		if pair[i], err = s.bench.Profile(ctx, verify.Run003{Policy: "ring", MLPE: i == 1, N: s.large, Runs: 1}, em4Window); err != nil {
			return pair, err
		}
	}
	return pair, nil
}

// em4Window is the clocks of a window [003 fig. 7: every 1000 clocks].
const em4Window = 1000

// ms converts clocks to milliseconds.
func (s em4Set) ms(clocks uint64) float64 {
	return float64(float64(clocks) * s.bench.Setup().Config.ClockNS * 1e-6)
}

func (s em4Set) pes() int { return s.bench.Setup().Config.PEs }

// named is the name of a run in legends and titles.
func named(mlpe bool) string {
	if mlpe {
		return "with MLPE"
	}
	return "static"
}

// panels are plots in rows and columns with their axes aligned, under one
// title.
type panels struct {
	title string
	plots [][]*plot.Plot
}

// Draw paints the panels.
func (p panels) Draw(c draw.Canvas) {
	title := newPlot("", "", "").Title.TextStyle
	title.XAlign, title.YAlign = draw.XCenter, draw.YTop
	c.FillText(title, vg.Point{X: c.Center().X, Y: c.Max.Y - vg.Points(3)}, p.title)
	tiles := draw.Tiles{Rows: len(p.plots), Cols: len(p.plots[0]), PadX: vg.Points(8), PadY: vg.Points(6)}
	inner := draw.Crop(c, vg.Points(2), -vg.Points(6), vg.Points(2), -vg.Points(22))
	for r, row := range plot.Align(p.plots, tiles, inner) {
		for col, canvas := range row {
			p.plots[r][col].Draw(canvas)
		}
	}
}

// peTicks are a few ticks from none to all PEs.
func peTicks(pes int) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for i := range 5 {
		v := pes * i / 4
		ticks = append(ticks, plot.Tick{Value: float64(v), Label: fmt.Sprint(v)})
	}
	return ticks
}
