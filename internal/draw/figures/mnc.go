package figures

import (
	"context"
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"emsim/mnc"
)

// mncItems is the number of data in the figures: the curves are those of the
// paper's 1,000,000 at a tenth of the time.
const mncItems = 100_000

// mncFigures are the figures of the MNC computer.
func mncFigures() []Figure {
	return []Figure{
		{
			Name: "mnc-efficiency", Title: "MNC: efficiency of both loads against the number of PEs",
			Source: "000 figure 2 (lost; our numbers)", Width: width, Height: height,
			Draw: func(ctx context.Context) (Drawing, error) {
				return mncCurves(ctx, "MNC: efficiency", "efficiency", mncItems, func(s mnc.Stats) float64 { return s.Efficiency })
			},
		},
		{
			Name: "mnc-transfers", Title: "MNC: data transferred for both loads against the number of PEs",
			Source: "000 figure 3 (lost; our numbers)", Width: width, Height: height,
			Draw: func(ctx context.Context) (Drawing, error) {
				return mncCurves(ctx, "MNC: transferred data", "transfers a datum", mncItems, func(s mnc.Stats) float64 { return float64(s.Transfers) / float64(s.Items) })
			},
		},
		{
			Name: "mnc-map", Title: "MNC: PEs and QPRs of net16 and the load they carry",
			Source: "000 figure 1 (lost; the wiring is a guess)", Width: width, Height: height,
			Draw: mncMap,
		},
		{
			Name: "mnc-held", Title: "MNC: X held by each PE over time; PE 5 turns ten times slower",
			Source: "ours", Width: width, Height: height,
			Draw: mncHeld,
		},
	}
}

// mncStats runs one machine to its end.
func mncStats(ctx context.Context, c mnc.Config) (mnc.Stats, error) {
	m, err := mnc.New(c)
	if err != nil {
		return mnc.Stats{}, err
	}
	if err := m.Run(ctx); err != nil {
		return mnc.Stats{}, err
	}
	return m.Stats(), nil
}

// mncCurves plots a quantity against 1 to 128 PEs for both loads, with and
// without ability.
func mncCurves(ctx context.Context, title, quantity string, items int, of func(mnc.Stats) float64) (Drawing, error) {
	p := newPlot(title+fmt.Sprintf(", %d data", items), "PEs", quantity)
	p.X.Scale = plot.LogScale{}
	p.X.Tick.Marker = ticksAt(1, 2, 4, 8, 16, 32, 64, 128)
	p.Y.Min = 0
	series := 0
	for _, loops := range []int{1000, 100} {
		for _, policy := range []mnc.Policy{mnc.Auto, mnc.Naive} {
			var points plotter.XYs
			for n := 1; n <= mnc.PaperPEs; n *= 2 {
				w, err := mnc.MNC(n)
				if err != nil {
					return nil, err
				}
				c := mnc.Default(w)
				c.Items, c.Loops, c.Policy = items, loops, policy
				s, err := mncStats(ctx, c)
				if err != nil {
					return nil, err
				}
				points = append(points, plotter.XY{X: float64(n), Y: of(s)})
			}
			addSeries(p, fmt.Sprintf("%d loops, %s", loops, policy), points, series, series)
			series++
		}
	}
	p.Y.Max = float64(p.Y.Max * 1.05)
	p.Legend.Left = true
	p.Legend.Top = quantity == "transfers a datum" // where no curve is
	return p, nil
}

// mncHeld samples what each PE holds while one of them becomes slow.
func mncHeld(ctx context.Context) (Drawing, error) {
	const (
		slowPE, slowAt = 5, 150_000
		samples        = 90
		every          = 4_000
	)
	w, err := mnc.MNC(16)
	if err != nil {
		return nil, err
	}
	c := mnc.Default(w)
	c.Items, c.Loops = 1200, 1000
	c.Events = []mnc.Event{mnc.SlowAt(slowAt, slowPE, 1000)}
	m, err := mnc.New(c)
	if err != nil {
		return nil, err
	}
	var held [samples][]float64 // by sample and PE
	most := 0.0
	for i := range held {
		if err := m.RunTo(ctx, int64(i)*every); err != nil {
			return nil, err
		}
		for pe := range w.PEs {
			held[i] = append(held[i], float64(m.Held(pe).X))
		}
		most = max(most, slices.Max(held[i]))
	}
	p := newPlot(fmt.Sprintf("X held, white 0 to black %.0f; PE %d ten times slower from clock %d", most, slowPE, slowAt), "clock / 1000", "PE")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.5*every/1000, (samples-0.5)*every/1000, -0.5, float64(w.PEs)-0.5
	p.Add(heat{p.X.Min, p.Y.Min, p.X.Max, p.Y.Max, samples, w.PEs, func(x0, _, y0, _ int) color.RGBA {
		return mix(white, black, held[x0][y0]/most)
	}})
	addLine(p, "", plotter.XYs{{X: slowAt / 1000, Y: p.Y.Min}, {X: slowAt / 1000, Y: p.Y.Max}}, lineStyle(1))
	p.Y.Tick.Marker = ticksAt(numbered(w.PEs)...)
	return p, nil
}
