package verify

import (
	"math"

	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/lists"
)

// relation003 is a claim in words. It consists of numbers that are read from runs, and a condition on these numbers.
type relation003 struct {
	runs    []Run003
	numbers func(r []em4.Result) []float64
	holds   func(x []float64) Value
}

// The runs that the paper's claims compare.
var (
	ring20   = Run003{Policy: "ring", N: 20, Runs: Runs003, Seeds: 1}
	line20   = Run003{Policy: "line", N: 20, Runs: Runs003, Seeds: 1}
	line20m  = Run003{Policy: "line", MLPE: true, N: 20, Runs: Runs003, Seeds: 1}
	ring24   = Run003{Policy: "ring", N: 24, Runs: Runs003, Seeds: 1}
	ring24m  = Run003{Policy: "ring", MLPE: true, N: 24, Runs: Runs003, Seeds: 1}
	atCall   = Run003{Policy: "ring", MLPE: true, AtCall: true, N: 24, Runs: Runs003, Seeds: 1}
	atCallSW = Run003{Policy: "ring", Software: true, AtCall: true, N: 24, Runs: Runs003, Seeds: 1}
)

// table20 returns the run of a row of table 1.
func table20(policy string) Run003 {
	r, _ := run003(map[string]string{"program": "fib(20)", "policy": policy})
	return r
}

// relations003 returns the claims in words by their ids.
func relations003() map[string]relation003 {
	clocks := eachRun(func(r em4.Result) float64 { return float64(r.Clocks) })
	busy := eachRun(func(r em4.Result) float64 { return float64(100 * r.Utilisation()) })
	share := func(s emcr.Activity) func([]em4.Result) []float64 {
		return eachRun(func(r em4.Result) float64 { return float64(100 * r.Share(s)) })
	}
	less := func(unit string) func(x []float64) Value {
		return func(x []float64) Value { return Holds(x[0] < x[1], "%s %.4g against %.4g", unit, x[0], x[1]) }
	}
	whole, ringRandom, ringRR := table20("random"), table20("ring-random"), table20("ring-round-robin")
	return map[string]relation003{
		"c.t1.fastest": {[]Run003{ring20, ringRR, ringRandom}, clocks, func(x []float64) Value {
			return Holds(x[0] < x[1] && x[1] < x[2], "%.0f, %.0f, %.0f clocks", x[0], x[1], x[2])
		}},
		"c.t1.circuits": {
			[]Run003{ring20, ringRR, ringRandom, whole, table20("round-robin")},
			clocks,
			func(x []float64) Value {
				slow, fast := max(x[0], x[1], x[2]), min(x[3], x[4])
				return Holds(slow < fast, "clocks %.0f against %.0f", slow, fast)
			},
		},
		"c.t1.line":   {[]Run003{ring20, line20}, clocks, func(x []float64) Value { return about(8, x[1]/x[0]) }},
		"c.t1.util":   {[]Run003{ring20, ringRR}, busy, less("%")},
		"c.f5.faster": {[]Run003{line20, line20m}, clocks, func(x []float64) Value { return about(3, x[0]/x[1]) }},
		"c.f5.start": {[]Run003{line20, line20m}, startGain, func(x []float64) Value {
			return Holds(x[0] > x[1], "gain %.3f in the first third, %.3f in the last", x[0], x[1])
		}},
		"c.f6.busy":   {[]Run003{ring24, ring24m}, busy, less("%")},
		"c.f6.steady": {[]Run003{ring24m, ring24}, eachRun(variation), less("coefficient of variation")},
		"c.f7.start": {[]Run003{ring24m}, mlpeRates, func(x []float64) Value {
			return Holds(x[0] > x[1], "%.1f per 1000 clocks in the first fifth, %.1f after", x[0], x[1])
		}},
		"c.f7.bars": {[]Run003{ring24m}, mlpeBars, func(x []float64) Value {
			return Holds(x[0] > x[1], "%.1f in the first bar, %.1f in another", x[0], x[1])
		}},
		"c.f8.ibu":       {[]Run003{ring24, ring24m}, share(emcr.IbuOnly), less("%")},
		"c.f8.wait":      {[]Run003{ring24, ring24m}, share(emcr.NetworkWait), less("%")},
		"c.s41.software": {[]Run003{ring24m, atCallSW}, clocks, longer},
		"c.s41.mlpe":     {[]Run003{ring24m, atCall}, clocks, longer},
	}
}

// longer holds if a search at the call makes a run more than 10 % longer. A smaller difference would not be "too much
// trouble" [chosen].
func longer(x []float64) Value {
	return Holds(x[1] > 1.1*x[0], "clocks %.0f against %.0f", x[0], x[1])
}

// about holds if a ratio is within 15 % of the ratio that the paper gives in words. A ratio further off would hardly
// agree with the words.
func about(paper, times float64) Value {
	return Holds(math.Abs(times/paper-1) <= 0.15, "%.2f times", times)
}

// eachRun returns a function that reads one number from each run.
func eachRun(number func(em4.Result) float64) func([]em4.Result) []float64 {
	return func(runs []em4.Result) []float64 {
		return lists.Of(runs, number)
	}
}

// window003 is the length in clocks of one element of the series in figures 5 to 8 [003 fig. 7: every 1000 clocks].
const window003 = 1000

// busyShare returns the utilisation in the part from..to (0..1) of a run.
func busyShare(r em4.Result, from, to float64) float64 {
	var sum em4.Totals
	for i, w := range r.Series {
		at := (float64(i) + 0.5) / float64(len(r.Series))
		if at >= from && at < to {
			sum = sum.Plus(w)
		}
	}
	return sum.Utilisation()
}

// startGain returns by how much MLPE raises the utilisation, in the first third of the run and in the last. According
// to figure 5 it does so throughout, most of all early in the run.
func startGain(r []em4.Result) []float64 {
	static, mlpe := r[0], r[1]
	return []float64{
		busyShare(mlpe, 0, 1./3) - busyShare(static, 0, 1./3),
		busyShare(mlpe, 2./3, 1) - busyShare(static, 2./3, 1),
	}
}

// variation returns the coefficient of variation of the number of busy PEs over the windows between 10 % and 90 % of
// the run.
func variation(r em4.Result) float64 {
	var n, sum, squares float64
	for i, w := range r.Series {
		if at := (float64(i) + 0.5) / float64(len(r.Series)); at < 0.1 || at >= 0.9 {
			continue
		}
		u := w.Utilisation()
		n, sum, squares = n+1, sum+u, squares+float64(u*u)
	}
	mean := sum / n
	return math.Sqrt(math.Max(0, squares/n-float64(mean*mean))) / mean
}

// mlpeRates returns the rates of MLPE calls per 1000 clocks in the first fifth of the run and in the rest. Figure 7
// shows many MLPE calls while the load builds up, and few after that.
func mlpeRates(runs []em4.Result) []float64 {
	r := runs[0]
	var early, late, earlyClocks, lateClocks float64
	for i, w := range r.Series {
		if float64(i) < float64(len(r.Series))/5 {
			early, earlyClocks = early+float64(w.MLPECalls), earlyClocks+float64(w.Clocks)
		} else {
			late, lateClocks = late+float64(w.MLPECalls), lateClocks+float64(w.Clocks)
		}
	}
	return []float64{1000 * early / earlyClocks, 1000 * late / lateClocks}
}

// mlpeBars returns the number of MLPE calls in the first 1000 clocks, and in the highest of the later bars of figure 7.
func mlpeBars(runs []em4.Result) []float64 {
	first, later := 0.0, 0.0
	for i, w := range runs[0].Series {
		if i == 0 {
			first = float64(w.MLPECalls)
		} else {
			later = max(later, float64(w.MLPECalls))
		}
	}
	return []float64{first, later}
}
