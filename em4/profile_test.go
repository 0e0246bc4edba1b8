package em4_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/emcr"
)

// Whatever the window, a profile's windows add up to the result, each PE has one
// activity per clock, and the packets of all links are the result's hops.
func TestProfileAddsUp(t *testing.T) {
	for name, text := range map[string]string{
		"one word at the end":    "main: mov r2, 300\nloop: sub r2, r2, 1\n bne r2, r0, loop\n out! r1\n",
		"a word early, one late": "main: out r1\n mov r2, 300\nloop: sub r2, r2, 1\n bne r2, r0, loop\n out! r1\n",
		"a long way to quiet":    "main: out r1\n mov r2, 300\nloop: sub r2, r2, 1\n bne r2, r0, loop\n nop!\n",
	} {
		for _, window := range []uint64{0, 1, 7, 100, 100000} {
			checkProfile(t, name, build(t, machine(4), source(t, "\t.start main\n"+text)), window)
		}
	}
}

func checkProfile(t *testing.T, name string, m *em4.Machine, window uint64) {
	t.Helper()
	calls := 0
	r, p, err := m.RunProfile(context.Background(), []uint64{0}, em4.RunOptions{Window: window, Windowed: func() { calls++ }})
	require.NoError(t, err, name)
	require.Equal(t, r.Clocks, p.Ends[len(p.Ends)-1], name)
	require.Len(t, p.Ends, len(r.Series), name)
	require.GreaterOrEqual(t, calls, len(p.Ends)-1)
	start := uint64(0)
	for w, end := range p.Ends {
		var sum [emcr.Activities]uint64
		for _, pe := range p.Activity[w] {
			clocks := uint64(0)
			for s, n := range pe {
				sum[s] += uint64(n)
				clocks += uint64(n)
			}
			require.Equal(t, end-start, clocks, "%s: window %d", name, w)
		}
		require.Equal(t, r.Series[w].States(), sum, "%s: window %d", name, w)
		start = end
	}
	hops := uint64(0)
	for _, h := range p.Hops {
		hops += h[0] + h[1]
	}
	require.Equal(t, r.Hops(), hops, name)
}

// A run that is stopped at the end of a window has no empty window after it.
func TestProfileOfAStoppedRun(t *testing.T) {
	m := build(t, machine(4), source(t, "\t.start main\nmain: mov r2, 300\nloop: sub r2, r2, 1\n bne r2, r0, loop\n out! r1\n"))
	r, p, err := m.RunProfile(context.Background(), []uint64{0}, em4.RunOptions{Window: 50, MaxClocks: 100})
	var limit *em4.ClockLimit
	require.ErrorAs(t, err, &limit)
	require.Equal(t, []uint64{50, 100}, p.Ends)
	require.Len(t, p.Activity, 2)
	require.Len(t, r.Series, 2)
}
