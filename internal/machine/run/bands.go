package run

import (
	"fmt"
	"slices"

	"emsim/em4"
	"emsim/internal/base/answer"
	"emsim/internal/base/ordered"
)

// A Band summarises a quantity over several runs.
type Band struct {
	Best float64 `json:"best"` // in the run with the fewest clocks
	Mean float64 `json:"mean"`
	Min  float64 `json:"min"`
	Max  float64 `json:"max"`
}

// BandOf returns the band of a quantity over one or more runs. If several runs have the fewest clocks, Best is from the
// first of them.
func BandOf[T any](runs []T, clocks func(T) uint64, quantity func(T) float64) Band {
	first := quantity(runs[0])
	b := Band{Best: first, Min: first, Max: first}
	fewest, sum := clocks(runs[0]), 0.0
	for _, t := range runs {
		v := quantity(t)
		sum += v
		b.Min, b.Max = min(b.Min, v), max(b.Max, v)
		if n := clocks(t); n < fewest {
			fewest, b.Best = n, v
		}
	}
	b.Mean = max(b.Min,
		min(b.Max, sum/float64(len(runs)))) // rounding must not move the mean of equal values away from them
	return b
}

// banded lists the statistics for which Bands returns bands.
var banded = []string{"pe_utilisation", "exu_fmu", "ibu_only", "network_wait", "idle", "instructions", "mlpe_calls"}

// Bands returns the bands of the complete runs by key, or nil if there are no such runs. Each value is a *Band; it is
// nil for the work per call of a program without calls.
func (s *Batch) Bands() ordered.Object {
	if len(s.Done) == 0 {
		return nil
	}
	of := func(quantity func(em4.Totals) float64) *Band { b := BandOf(s.Done, clocksOf, quantity); return &b }
	o := ordered.Object{
		"time_ms",
		of(func(t em4.Totals) float64 { return float64(t.Clocks) * s.Config().ClockNS / 1e6 }),
	}
	for _, key := range banded {
		statistic, _ := em4.StatisticOf(key)
		o = append(o, key, of(func(t em4.Totals) float64 { return statistic.Number(&t) }))
	}
	if slices.ContainsFunc(s.Done, func(t em4.Totals) bool { return CallsOthers(s.Object, t) == 0 }) {
		return append(o, "work_per_call", nil)
	}
	return append(o, "work_per_call", of(func(t em4.Totals) float64 { return WorkPerCall(s.Object, t) }))
}

func clocksOf(t em4.Totals) uint64 { return t.Clocks }

// bandList returns a table of bands, which is empty for fewer than two runs.
func (x *Answer) bandList() (l answer.List) {
	n := len(x.Session.Done)
	if n < 2 {
		return l
	}
	l.Heads = []string{fmt.Sprintf("over %d runs", n), "mean", "min", "max", "fastest run"}
	bands := x.Session.Bands()
	for _, r := range bandRows {
		b, ok := bands.Get(r.key).(*Band)
		if !ok || r.key == "mlpe_calls" && b.Max == 0 {
			continue
		}
		of := func(v float64) string { return fmt.Sprintf(r.format, r.scale*v) }
		l.Rows = append(l.Rows, []any{r.name, of(b.Mean), of(b.Min), of(b.Max), of(b.Best)})
	}
	return l
}

// bandRows lists the rows of the table of bands: keys, names, formats and scales.
var bandRows = []struct {
	key, name, format string
	scale             float64
}{
	{"time_ms", "time", "%.4g ms", 1},
	{"pe_utilisation", "utilisation", "%.1f %%", 100},
	{"exu_fmu", "executing or matching", "%.1f %%", 100},
	{"ibu_only", "only the input buffer", "%.1f %%", 100},
	{"network_wait", "network wait", "%.1f %%", 100},
	{"idle", "idle", "%.1f %%", 100},
	{"instructions", "instructions", "%.0f", 1},
	{"mlpe_calls", "calls by MLPE", "%.0f", 1},
	{"work_per_call", "work per call", "%.1f clocks", 1},
}
