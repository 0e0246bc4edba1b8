package run

import (
	"slices"

	"emsim/asm"
	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/ordered"
)

// A Band says what a quantity was in consecutive runs on one machine.
type Band struct {
	Best float64 `json:"best"` // in the run with the fewest clocks
	Mean float64 `json:"mean"`
	Min  float64 `json:"min"`
	Max  float64 `json:"max"`
}

// BandOf returns the band of a quantity over one or more runs. Of equally fast
// runs the first is the best.
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
	b.Mean = max(b.Min, min(b.Max, sum/float64(len(runs)))) // rounding must not move the mean of equal runs away from them
	return b
}

// banded are the statistics of which there are bands.
var banded = []string{"pe_utilisation", "exu_fmu", "ibu_only", "network_wait", "idle", "instructions", "mlpe_calls"}

// Bands are the bands of the complete runs by key, or nil if there are none:
// *Band each, and nil the work per call of a program that calls nothing.
func (s *Batch) Bands() ordered.Object {
	if len(s.Done) == 0 {
		return nil
	}
	of := func(quantity func(em4.Totals) float64) *Band { b := BandOf(s.Done, clocksOf, quantity); return &b }
	o := ordered.Object{"time_ms", of(func(t em4.Totals) float64 { return float64(t.Clocks) * s.Config().ClockNS / 1e6 })}
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

// CallsOthers returns how many calls a run made by the paper's count, which
// leaves out the instances that only answer [003 table 3]. A program in which
// every instance calls two others or none says so by the constant binary_calls;
// with leaves=instances (n-1)/2 of its n instances call. In all other programs
// every instance counts.
func CallsOthers(o *asm.Object, t em4.Totals) uint64 {
	binary := slices.ContainsFunc(o.Symbols, func(s asm.Symbol) bool { return s.Name == "binary_calls" })
	for i := range o.Params {
		if p := &o.Params[i]; binary && p.Name == "leaves" && p.Chosen() == "instances" && t.Calls > 0 {
			return (t.Calls - 1) / 2
		}
	}
	return t.Calls
}

// WorkPerCall returns the PE-clocks that were busy (EXU, FMU or IBU at work) per
// CallsOthers of a run, or 0 if it made no calls.
func WorkPerCall(o *asm.Object, t em4.Totals) float64 {
	n := CallsOthers(o, t)
	if n == 0 {
		return 0
	}
	return float64(t.States()[emcr.ExuFmu]+t.States()[emcr.IbuOnly]) / float64(n)
}
