package verify

import (
	"context"
	"fmt"
	"math"
	"strings"

	"emsim/em4"
	"emsim/emcr"
)

// paper003 is the EM-4 [003]: every number of tables 1 to 3 and figure 8, and
// the claims in words. All rows run on one parameter set.
func paper003() Suite {
	return Suite{Paper: "003", New: func() func(context.Context, Claim) (Value, error) {
		b := newBench003(Standard003())
		return b.measure
	}}
}

// The runs that the paper's claims compare.
var (
	ring20   = Run003{Policy: "ring", N: 20, Runs: 1}
	line20   = Run003{Policy: "line", N: 20, Runs: 1}
	line20m  = Run003{Policy: "line", MLPE: true, N: 20, Runs: 1}
	ring24   = Run003{Policy: "ring", N: 24, Runs: 1}
	ring24m  = Run003{Policy: "ring", MLPE: true, N: 24, Runs: 1}
	ring24sw = Run003{Policy: "ring", Software: true, N: 24, Runs: 1}
)

// table20 is a row of table 1.
func table20(policy string) Run003 {
	r, _ := run003(map[string]string{"program": "fib(20)", "policy": policy})
	return r
}

func (b *bench003) measure(ctx context.Context, c Claim) (Value, error) {
	if c.Quantity == "relation" {
		return b.relation(ctx, strings.TrimPrefix(c.ID, c.PaperNo+"."))
	}
	r, err := run003(c.Cond)
	if err != nil {
		return Value{}, err
	}
	res, err := b.best(ctx, r)
	if c.Quantity == "outcome" {
		o, err := outcome003(err)
		return Text(o), err
	}
	if err != nil {
		return Value{}, err
	}
	switch c.Quantity {
	case "mlpe_share":
		return Number(100 * float64(res.MLPECalls) / float64(res.Calls)), nil
	case "instruction_overhead":
		r.MLPE = false
		static, err := b.best(ctx, r)
		return Number(100 * (float64(res.Instructions)/float64(static.Instructions) - 1)), err
	case "ibu_worst_case":
		// Four memory clocks per packet, in addition to the work of FMU and EXU.
		ibu := 4 * float64(res.Sent)
		return Number(100 * ibu / (ibu + float64(res.States()[emcr.ExuFmu]))), nil
	}
	v, err := quantity003(c.Quantity, res, b.setup.Config.ClockNS)
	return Number(v), err
}

// relation measures a claim in words.
func (b *bench003) relation(ctx context.Context, id string) (Value, error) {
	runs := map[string][]Run003{
		"c.t1.fastest":   {ring20, table20("ring-round-robin"), table20("ring-random")},
		"c.t1.circuits":  {ring20, table20("ring-round-robin"), table20("ring-random"), table20("random"), table20("round-robin")},
		"c.t1.line":      {ring20, line20},
		"c.t1.util":      {ring20, table20("ring-round-robin")},
		"c.f5.faster":    {line20, line20m},
		"c.f5.start":     {line20, line20m},
		"c.f6.busy":      {ring24, ring24m},
		"c.f6.steady":    {ring24, ring24m},
		"c.f7.start":     {ring24m},
		"c.f8.ibu":       {ring24, ring24m},
		"c.f8.wait":      {ring24, ring24m},
		"c.s41.software": {ring24m, ring24sw},
	}[id]
	var r []em4.Result
	for _, run := range runs {
		res, err := b.best(ctx, run)
		if err != nil {
			return Value{}, err
		}
		r = append(r, res)
	}
	ms := func(i int) float64 { return float64(r[i].Clocks) * b.setup.Config.ClockNS * 1e-6 }
	util := func(i int) float64 { return 100 * r[i].Utilisation() }
	less := func(x, y float64, what string) (Value, error) {
		return Holds(x < y, "%s %.3g against %.3g", what, x, y), nil
	}
	switch id {
	case "c.t1.fastest":
		return Holds(ms(0) < ms(1) && ms(1) < ms(2), "%.3f, %.3f, %.3f ms", ms(0), ms(1), ms(2)), nil
	case "c.t1.circuits":
		return less(math.Max(ms(0), math.Max(ms(1), ms(2))), math.Min(ms(3), ms(4)), "ms")
	case "c.t1.line":
		return less(4*ms(0), ms(1), "ms")
	case "c.t1.util":
		return less(util(0), util(1), "%")
	case "c.f5.faster":
		return Holds(ms(0) > 2*ms(1) && ms(0) < 4*ms(1), "%.2f times", ms(0)/ms(1)), nil
	case "c.f5.start":
		return startGain(r[0], r[1]), nil
	case "c.f6.busy":
		return less(util(0), util(1), "%")
	case "c.f6.steady":
		return less(variation(r[1]), variation(r[0]), "coefficient of variation")
	case "c.f7.start":
		return mostlyAtStart(r[0]), nil
	case "c.f8.ibu":
		return less(r[0].Share(emcr.IbuOnly), r[1].Share(emcr.IbuOnly), "share")
	case "c.f8.wait":
		return less(r[0].Share(emcr.NetworkWait), r[1].Share(emcr.NetworkWait), "share")
	case "c.s41.software":
		// Without a search the second run is the static one, which is also slower.
		return Holds(ms(0) < ms(1) && r[1].MLPECalls > 0, "ms %.3g against %.3g, %d calls placed", ms(0), ms(1), r[1].MLPECalls), nil
	}
	return Value{}, fmt.Errorf("no relation %q", id)
}

// window003 is the length in clocks of one element of the series in figures 5
// to 8 [003 fig. 7: every 1000 clocks].
const window003 = 1000

// busyShare returns the utilisation of the part from..to (0..1) of a run.
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

// startGain: figure 5 shows more PEs at work with MLPE, especially early.
func startGain(static, mlpe em4.Result) Value {
	early := busyShare(mlpe, 0, 1./3) - busyShare(static, 0, 1./3)
	late := busyShare(mlpe, 2./3, 1) - busyShare(static, 2./3, 1)
	return Holds(early > late, "gain %.3f in the first third, %.3f in the last", early, late)
}

// variation is the coefficient of variation of the busy PEs by window, between
// 10 % and 90 % of the run.
func variation(r em4.Result) float64 {
	var n, sum, squares float64
	for i, w := range r.Series {
		if at := (float64(i) + 0.5) / float64(len(r.Series)); at < 0.1 || at >= 0.9 {
			continue
		}
		u := w.Utilisation()
		n, sum, squares = n+1, sum+u, squares+u*u
	}
	mean := sum / n
	return math.Sqrt(math.Max(0, squares/n-mean*mean)) / mean
}

// mostlyAtStart: figure 7 shows many MLPE calls while the load builds up, and
// few after.
func mostlyAtStart(r em4.Result) Value {
	var early, late, earlyClocks, lateClocks float64
	for i, w := range r.Series {
		if float64(i) < float64(len(r.Series))/5 {
			early, earlyClocks = early+float64(w.MLPECalls), earlyClocks+float64(w.Clocks)
		} else {
			late, lateClocks = late+float64(w.MLPECalls), lateClocks+float64(w.Clocks)
		}
	}
	e, l := 1000*early/earlyClocks, 1000*late/lateClocks
	return Holds(e > l, "%.1f per 1000 clocks in the first fifth, %.1f after", e, l)
}
