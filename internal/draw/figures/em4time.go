package figures

import (
	"context"
	"fmt"
	"strconv"

	"gonum.org/v1/plot/plotter"

	"emsim/em4"
	"emsim/verify"
)

// over samples a series: a point in the middle of each window.
func (s *em4Set) over(r em4.Result, value func(em4.Totals) float64) plotter.XYs {
	points := make(plotter.XYs, len(r.Series))
	end := uint64(0)
	for i, w := range r.Series {
		end += w.Clocks
		points[i] = plotter.XY{X: s.ms(end) - s.ms(w.Clocks)/2, Y: value(w)}
	}
	return points
}

// busy draws the PEs at work over time, the static run and the one with MLPE.
func (s *em4Set) busy(ctx context.Context, policy string, n uint64) (Drawing, error) {
	p := newPlot(fmt.Sprintf("fib(%d), policy %s: busy PEs (means of %d clocks)", n, policy, em4Window), "time [ms]", "busy PEs")
	p.Add(greyGrid())
	for i := range 2 {
		r, err := s.best(ctx, policy, i == 1, n)
		if err != nil {
			return nil, err
		}
		addLine(p, fmt.Sprintf("%s: %.2f ms, %.1f %% busy", named(i == 1), s.ms(r.Clocks), 100*r.Utilisation()),
			s.over(r, func(w em4.Totals) float64 { return float64(w.Utilisation() * float64(s.pes())) }), lineStyle(i))
	}
	p.X.Min, p.X.Tick.Marker = 0, roundTicks{}
	// Room above the curves for the legend.
	p.Y.Min, p.Y.Max = 0, float64(1.2*float64(s.pes()))
	p.Y.Tick.Marker = peTicks(s.pes())
	return p, nil
}

// paperNumber is the paper's number of a row.
func paperNumber(id string) (float64, error) {
	claims, err := verify.Claims("003")
	if err != nil {
		return 0, err
	}
	for _, c := range claims {
		if c.ID == id {
			return strconv.ParseFloat(c.Paper, 64)
		}
	}
	return 0, fmt.Errorf("figures: paper 003 has no row %s", id)
}

// mlpeCalls draws the calls per 1000 clocks whose place an MLPE packet found.
func (s *em4Set) mlpeCalls(ctx context.Context) (Drawing, error) {
	r, err := s.best(ctx, "ring", true, s.large)
	if err != nil {
		return nil, err
	}
	p := newPlot(fmt.Sprintf("fib(%d), policy ring with MLPE: calls placed by MLPE", s.large), "time [ms]", "calls per 1000 clocks")
	p.Add(greyGrid())
	addLine(p, fmt.Sprintf("model: %d calls in the first run after boot", r.MLPECalls),
		s.over(r, func(w em4.Totals) float64 { return 1000 * float64(w.MLPECalls) / float64(w.Clocks) }), lineStyle(0))
	calls, err := paperNumber("003.t3.mlpe.mlpecalls")
	if err != nil {
		return nil, err
	}
	time, err := paperNumber("003.t3.mlpe.time")
	if err != nil {
		return nil, err
	}
	paper := float64(calls / time * s.ms(1000))
	addLine(p, fmt.Sprintf("paper, mean of the run: %.0f calls in %.2f ms", calls, time),
		plotter.XYs{{X: 0, Y: paper}, {X: s.ms(r.Clocks), Y: paper}}, lineStyle(1))
	p.X.Min, p.Y.Min, p.X.Tick.Marker = 0, 0, roundTicks{}
	return p, nil
}
