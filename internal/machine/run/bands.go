package run

import (
	"cmp"
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

// bandList returns a table of bands, which is empty for fewer than two runs. Rows have the names of the answer's
// fields.
func (x *Answer) bandList(a *answer.Answer) (l answer.List) {
	n := len(x.Session.Done)
	if n < 2 {
		return l
	}
	l.Heads = []string{fmt.Sprintf("over %d runs", n), "mean", "least", "greatest", "fastest run"}
	bands := x.Session.Bands()
	for i := 0; i < len(bands); i += 2 {
		b, ok := bands[i+1].(*Band)
		if !ok || b.Max == 0 {
			continue
		}
		key := bands[i].(string)
		statistic, _ := em4.StatisticOf(key)
		f := a.Field(cmp.Or(statistic.JSON, key))
		if f == nil { // the work per call is in bands only
			f = &answer.Field{Key: key, Unit: "clocks"}
		}
		l.Rows = append(l.Rows, []any{f.Name(), f.Cell(b.Mean), f.Cell(b.Min), f.Cell(b.Max), f.Cell(b.Best)})
	}
	return l
}
