package verify

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/study/ensemble"
)

// Benches that share a lab run equal machines once: a parameter that only one policy uses does not change the others.
func TestEqualMachinesRunOnce(t *testing.T) {
	base := Setup003{Config: em4.Small12(), Seed: 3}
	far, err := base.With("fib.line_first", "far")
	require.NoError(t, err)
	hop, err := base.With("hop_clocks", "2")
	require.NoError(t, err)
	lab := newLab003(ensemble.New(2), 0)
	machine := func(s Setup003, r Run003) machine003 {
		list, err := (&Bench003{s, lab}).machines(r)
		require.NoError(t, err)
		require.Len(t, list, 1)
		return list[0]
	}
	line, ring := Run003{Policy: "line", N: 9}, Run003{Policy: "ring", N: 9}
	require.Equal(t, machine(base, ring), machine(far, ring))
	require.NotEqual(t, machine(base, line), machine(far, line))
	require.NotEqual(t, machine(base, ring), machine(hop, ring))
	for _, r := range []Run003{
		{Policy: "ring", N: 8},
		{Policy: "ring", N: 9, MLPE: true},
		{Policy: "ring", N: 9, Runs: 2},
		{Policy: "ring", N: 9, Software: true},
	} {
		require.NotEqual(t, machine(base, ring), machine(base, r))
	}
	for _, s := range []Setup003{base, far, hop} {
		_, err := (&Bench003{s, lab}).results(t.Context(), ring)
		require.NoError(t, err)
	}
	require.Len(t, lab.ran.all, 2)
	_, err = (&Bench003{
		Setup003{Config: em4.Small12(), Params: map[string]string{"nosuch": "1"}},
		lab,
	}).results(t.Context(), ring)
	require.ErrorContains(t, err, "nosuch")
}

// A machine's first runs are those of an equal machine that does more runs. A fault counts from the run on in which it
// came.
func TestFewerRunsAreShared(t *testing.T) {
	b, alone := small003(), small003()
	three, one := Run003{Policy: "ring-random", N: 9, Runs: 3}, Run003{Policy: "ring-random", N: 9}
	all, err := b.results(t.Context(), three)
	require.NoError(t, err)
	first, err := b.results(t.Context(), one)
	require.NoError(t, err)
	want, err := alone.results(t.Context(), one)
	require.NoError(t, err)
	require.Equal(t, want, first)
	require.Len(t, all[0], 3)
	require.Len(t, b.ran.all, 1)

	machines, err := alone.machines(three)
	require.NoError(t, err)
	m := alone.covering(machines[0])
	alone.ran.claim(m)
	alone.ran.end(m, all[0][:2], kinded("deadlock"))
	for runs := 1; runs <= 3; runs++ {
		m.runs = runs
		got, err := alone.awaitRuns(t.Context(), m)
		require.Equal(t, all[0][:min(runs, 2)], got)
		require.Equal(t, runs == 3, err != nil)
	}
}

// The table is the same for any number of workers, and whichever benches share the lab.
func TestSensitivityDoesNotDependOnWorkers(t *testing.T) {
	base := Standard003()
	base.Config = em4.Small12() // most rows end early with a fault, which is a valid result
	base.Config.Segments = 24
	knobs := []UncertainKnob{{Key: "hop_clocks", Values: []string{"2", "3"}}, {
		Key:    "fib.ring_first",
		Values: []string{"out", "in"},
	}, {Key: "fib.mlpe_call", Values: []string{"first", "second"}}}
	sensed := func(workers int, knobs ...UncertainKnob) []Sensed {
		list, err := Sensitivity003(t.Context(), base, knobs, workers, nil)
		require.NoError(t, err)
		return list
	}
	all := sensed(1, knobs...)
	require.Len(t, all, 6)
	require.Equal(t, all, sensed(4, knobs...))
	require.Equal(t, all[2:4], sensed(2, knobs[1]))
	require.Equal(t, []bool{false, true, true, false, true, false}, func() (chosen []bool) {
		for _, s := range all {
			chosen = append(chosen, s.Chosen)
		}
		return chosen
	}())
	_, err := Sensitivity003(t.Context(), base, []UncertainKnob{{Key: "nosuch", Values: []string{"1"}}}, 1, nil)
	require.ErrorContains(t, err, "nosuch")
}
