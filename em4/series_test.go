package em4_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
)

// The windows of a run add up to its result, and all except the last have the same length, even if words come back
// early and the program continues.
func TestSeriesAddsUp(t *testing.T) {
	for name, text := range map[string]string{
		"one word at the end":    "main: mov r2, 300\nloop: sub r2, r2, 1\n bne r2, r0, loop\n out! r1\n",
		"a word early, one late": "main: out r1\n mov r2, 300\nloop: sub r2, r2, 1\n bne r2, r0, loop\n out! r1\n",
		"a long way to quiet":    "main: out r1\n mov r2, 300\nloop: sub r2, r2, 1\n bne r2, r0, loop\n nop!\n",
	} {
		for _, window := range []uint64{1, 7, 100, 100000} {
			m := build(t, machine(4), source(t, "\t.start main\n"+text))
			var seen uint64
			r, err := m.Run(context.Background(), []uint64{0},
				em4.RunOptions{Window: window, Snapshot: func() { seen = m.Clock() }})
			require.NoError(t, err, name)
			var sum em4.Totals
			for i, w := range r.Series {
				if i < len(r.Series)-1 {
					require.Equal(t, window, w.Clocks, "%s, window %d of %d", name, i, window)
				}
				require.LessOrEqual(t, w.Clocks, window, name)
				sum = sum.Plus(w)
			}
			require.Equal(t, r.Clocks, sum.Clocks, name)
			require.Equal(t, r.Instructions, sum.Instructions, name)
			require.Equal(t, r.States(), sum.States(), name)
			require.Equal(t, r.Clocks, seen, "the last snapshot belongs to the result")
		}
	}
}

// A series that would fill the memory ends the run, which returns the windows so far.
func TestSeriesEnds(t *testing.T) {
	text := "\t.start main\nmain: nop\nloop: nop\n jmp loop\n"
	m := build(t, machine(4), source(t, text))
	r, err := m.Run(context.Background(), []uint64{0}, em4.RunOptions{Window: 7, MaxWindows: 5})
	require.EqualError(t, err, "after 35 clocks the run has 5 windows of 7 clocks, all of which are kept in memory: "+
		"choose longer windows")
	var limit *em4.WindowLimit
	require.ErrorAs(t, err, &limit)
	require.ErrorAs(t, err, new(*em4.Usage))
	require.Equal(t, map[string]any{"clock": uint64(35)}, limit.Details())
	require.Len(t, r.Series, 5)
	require.Equal(t, uint64(35), r.Clocks)

	quiet := build(t, machine(4), source(t, "\t.start main\nmain: out! r1\n"))
	r, err = quiet.Run(context.Background(), []uint64{0}, em4.RunOptions{Window: 1, MaxWindows: 1000})
	require.NoError(t, err)
	require.NotEmpty(t, r.Series)
}
