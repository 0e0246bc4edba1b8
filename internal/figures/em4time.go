package figures

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/em4"
	"emsim/emcr"
	"emsim/verify"
)

// over samples a series: a point in the middle of each window.
func (s em4Set) over(r em4.Result, value func(em4.Totals) float64) plotter.XYs {
	points := make(plotter.XYs, len(r.Series))
	end := uint64(0)
	for i, w := range r.Series {
		end += w.Clocks
		points[i] = plotter.XY{X: s.ms(end) - s.ms(w.Clocks)/2, Y: value(w)}
	}
	return points
}

// busy draws the PEs at work over time, the static run and the one with MLPE.
func (s em4Set) busy(ctx context.Context, policy string, n uint64) (Drawing, error) {
	p := newPlot(fmt.Sprintf("fib(%d), policy %s: busy PEs (means of %d clocks)", n, policy, em4Window), "time [ms]", "busy PEs")
	p.Add(greyGrid())
	for i := range 2 {
		r, err := s.best(ctx, policy, i == 1, n)
		if err != nil {
			return nil, err
		}
		line, err := plotter.NewLine(s.over(r, func(w em4.Totals) float64 { return float64(w.Utilisation() * float64(s.pes())) }))
		if err != nil {
			return nil, err
		}
		line.LineStyle = lineStyle(i)
		p.Add(line)
		p.Legend.Add(fmt.Sprintf("%s: %.2f ms, %.1f %% busy", named(i == 1), s.ms(r.Clocks), 100*r.Utilisation()), line)
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
func (s em4Set) mlpeCalls(ctx context.Context) (Drawing, error) {
	r, err := s.best(ctx, "ring", true, s.large)
	if err != nil {
		return nil, err
	}
	p := newPlot(fmt.Sprintf("fib(%d), policy ring with MLPE: calls placed by MLPE", s.large), "time [ms]", "calls per 1000 clocks")
	p.Add(greyGrid())
	line, err := plotter.NewLine(s.over(r, func(w em4.Totals) float64 { return 1000 * float64(w.MLPECalls) / float64(w.Clocks) }))
	if err != nil {
		return nil, err
	}
	line.LineStyle = lineStyle(0)
	p.Add(line)
	p.Legend.Add(fmt.Sprintf("model: %d calls in the first run after boot", r.MLPECalls), line)
	calls, err := paperNumber("003.t3.mlpe.mlpecalls")
	if err != nil {
		return nil, err
	}
	time, err := paperNumber("003.t3.mlpe.time")
	if err != nil {
		return nil, err
	}
	paper := float64(calls / time * s.ms(1000))
	mean, err := plotter.NewLine(plotter.XYs{{X: 0, Y: paper}, {X: s.ms(r.Clocks), Y: paper}})
	if err != nil {
		return nil, err
	}
	mean.LineStyle = lineStyle(1)
	p.Add(mean)
	p.Legend.Add(fmt.Sprintf("paper, mean of the run: %.0f calls in %.2f ms", calls, time), mean)
	p.X.Min, p.Y.Min, p.X.Tick.Marker = 0, 0, roundTicks{}
	return p, nil
}

// worked are the states in figure 8's order, from the bottom, with the line
// on top of each: thin, dotted, thick, as in the paper.
var worked = []struct {
	state emcr.Activity
	name  string
	shade color.Color
	line  draw.LineStyle
}{
	{emcr.ExuFmu, "FMU, EXU at work", color.Gray{Y: 110}, draw.LineStyle{Color: color.Black, Width: vg.Points(0.6)}},
	{emcr.IbuOnly, "only the IBU", color.Gray{Y: 180}, draw.LineStyle{Color: color.Black, Width: vg.Points(0.9), Dashes: []vg.Length{1.5, 2}}},
	{emcr.NetworkWait, "waiting for the network", color.Gray{Y: 230}, draw.LineStyle{Color: color.Black, Width: vg.Points(1.8)}},
}

// units draws what the PEs do over time, stacked, in two panels.
func (s em4Set) units(ctx context.Context) (Drawing, error) {
	out := panels{title: fmt.Sprintf("fib(%d), policy ring: what the PEs do (means of %d clocks)", s.large, em4Window)}
	last := 0.0
	for _, mlpe := range []bool{true, false} {
		r, err := s.best(ctx, "ring", mlpe, s.large)
		if err != nil {
			return nil, err
		}
		p, err := s.stack(r)
		if err != nil {
			return nil, err
		}
		p.Title.Text, p.Title.TextStyle.Font.Size = named(mlpe), vg.Points(10)
		out.plots = append(out.plots, []*plot.Plot{p})
		last = max(last, p.X.Max)
	}
	for _, row := range out.plots {
		row[0].X.Max = last
	}
	return out, nil
}

// stack is one panel of figure 8.
func (s em4Set) stack(r em4.Result) (*plot.Plot, error) {
	p := newPlot("", "time [ms]", "PEs")
	below := make([]float64, len(r.Series))
	var lines []*plotter.Line
	for _, u := range worked {
		i := -1
		top := s.over(r, func(w em4.Totals) float64 {
			i++
			return below[i] + float64(w.Share(u.state)*float64(s.pes()))
		})
		area := append(plotter.XYs{}, top...)
		for i := len(top) - 1; i >= 0; i-- {
			area = append(area, plotter.XY{X: top[i].X, Y: below[i]})
			below[i] = top[i].Y
		}
		fill, err := plotter.NewPolygon(area)
		if err != nil {
			return nil, err
		}
		fill.Color, fill.LineStyle.Width = u.shade, 0
		line, err := plotter.NewLine(top)
		if err != nil {
			return nil, err
		}
		line.LineStyle = u.line
		p.Add(fill)
		lines = append(lines, line)
		p.Legend.Add(fmt.Sprintf("%s: %.1f %%", u.name, 100*r.Share(u.state)), fill, line)
	}
	for _, l := range lines {
		p.Add(l) // on top of the areas
	}
	p.X.Min, p.Y.Min, p.Y.Max = 0, 0, float64(1.5*float64(s.pes())) // room for the legend above the curves
	p.X.Tick.Marker, p.Y.Tick.Marker = roundTicks{}, peTicks(s.pes())
	return p, nil
}

// roundTicks labels at most ten steps of 1, 2 or 5 times a power of ten.
type roundTicks struct{}

// Ticks implements plot.Ticker.
func (roundTicks) Ticks(low, high float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10(max(high-low, 1e-9))))
	for _, part := range []float64{0.1, 0.2, 0.5} {
		if (high-low)/(part*step) <= 10 {
			step = float64(step * part)
			break
		}
	}
	var ticks []plot.Tick
	for i := math.Ceil(low / step); i*step <= high; i++ {
		ticks = append(ticks, plot.Tick{Value: float64(i * step), Label: strconv.FormatFloat(float64(i*step), 'g', 4, 64)})
	}
	return ticks
}
