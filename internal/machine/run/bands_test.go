package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/emcr"
)

// totals returns Totals with the given clocks and calls.
func totals(clocks, calls uint64) em4.Totals {
	t := em4.Totals{Clocks: clocks}
	t.Calls = calls
	return t
}

// Best is the value of the run with the fewest clocks, not the smallest value.
func TestBandOf(t *testing.T) {
	runs := []em4.Totals{totals(30, 4), totals(10, 9), totals(20, 2), totals(10, 5)}
	calls := func(t em4.Totals) float64 { return float64(t.Calls) }
	require.Equal(t, Band{Best: 9, Mean: 5, Min: 2, Max: 9}, BandOf(runs, clocksOf, calls))
	require.Equal(t, Band{Best: 4, Mean: 4, Min: 4, Max: 4}, BandOf(runs[:1], clocksOf, calls))
	tenths := func(em4.Totals) float64 { return 0.1 }
	require.Equal(t, Band{0.1, 0.1, 0.1, 0.1}, BandOf(append(runs, runs...), clocksOf, tenths),
		"equal runs have no width")
}

// The keys hold the values of the runs. Calls are counted as in the paper.
func TestBands(t *testing.T) {
	target, err := spec("fib", "10").Build(t.Context())
	require.NoError(t, err)
	s := New(target, Plan{Runs: 3})
	require.Nil(t, s.Bands(), "no run is complete")
	for range 3 {
		require.NoError(t, s.Begin())
		s.EndRun(s.Advance(t.Context(), em4.ToEnd))
	}
	b := s.Bands()
	for name, of := range map[string]func(em4.Totals) float64{
		"time_ms":        func(t em4.Totals) float64 { return float64(t.Clocks) * 80e-6 },
		"pe_utilisation": em4.Totals.Utilisation,
		"exu_fmu":        func(t em4.Totals) float64 { return t.Share(emcr.ExuFmu) },
		"ibu_only":       func(t em4.Totals) float64 { return t.Share(emcr.IbuOnly) },
		"network_wait":   func(t em4.Totals) float64 { return t.Share(emcr.NetworkWait) },
		"idle":           func(t em4.Totals) float64 { return t.Share(emcr.Idle) },
		"instructions":   func(t em4.Totals) float64 { return float64(t.Instructions) },
		"mlpe_calls":     func(t em4.Totals) float64 { return float64(t.MLPECalls) },
		"work_per_call":  func(t em4.Totals) float64 { return t.Utilisation() * 12 * float64(t.Clocks) / 54 },
	} {
		want, band := BandOf(s.Done, clocksOf, of), b.Get(name).(*Band)
		require.InEpsilonSlice(t, []float64{1 + want.Best, 1 + want.Mean, 1 + want.Min, 1 + want.Max},
			[]float64{1 + band.Best, 1 + band.Mean, 1 + band.Min, 1 + band.Max}, 1e-12, name)
	}
	require.EqualValues(t, 109, s.Done[0].Calls)

	plain, err := spec(written(t, ".start x\nx: out! r1\n")).Build(t.Context())
	require.NoError(t, err)
	s = New(plain, Plan{Runs: 1})
	require.NoError(t, s.Begin())
	s.EndRun(s.Advance(t.Context(), em4.ToEnd))
	require.Nil(t, s.Bands().Get("work_per_call"), "the program calls nothing")
}

// If a program's leaves are not instances, or it has no such parameter, CallsOthers counts every instance.
func TestCallsOthers(t *testing.T) {
	program := written(t, ".param leaves, instances, inline\n.equ binary_calls, 2\n.start x\nx: out! r1\n")
	for leaves, want := range map[string]uint64{"instances": 3, "inline": 7} {
		o, err := LoadProgram(program, map[string]string{"leaves": leaves})
		require.NoError(t, err)
		require.Equal(t, want, CallsOthers(o, totals(1, 7)))
		require.Zero(t, CallsOthers(o, em4.Totals{}))
		require.Zero(t, WorkPerCall(o, totals(1, 0)))
	}
	o, err := LoadProgram("queens", nil) // instances have up to N children
	require.NoError(t, err)
	require.EqualValues(t, 7, CallsOthers(o, totals(1, 7)))
}
