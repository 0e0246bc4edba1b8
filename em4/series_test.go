package em4_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
)

// The windows of a run add up to its result and are of one length but for the
// last, also when words come back early and the program goes on.
func TestSeriesAddsUp(t *testing.T) {
	for name, text := range map[string]string{
		"one word at the end":    "main: mov r2, 300\nloop: sub r2, r2, 1\n bne r2, r0, loop\n out! r1\n",
		"a word early, one late": "main: out r1\n mov r2, 300\nloop: sub r2, r2, 1\n bne r2, r0, loop\n out! r1\n",
		"a long way to quiet":    "main: out r1\n mov r2, 300\nloop: sub r2, r2, 1\n bne r2, r0, loop\n nop!\n",
	} {
		for _, window := range []uint64{1, 7, 100, 100000} {
			m := build(t, machine(4), source(t, "\t.start main\n"+text))
			var seen uint64
			r, err := m.Run(context.Background(), []uint64{0}, em4.RunOptions{Window: window, Snapshot: func() { seen = m.Clock() }})
			require.NoError(t, err, name)
			var sum em4.Totals
			for i, w := range r.Series {
				if i < len(r.Series)-1 {
					require.Equal(t, window, w.Clocks, "%s, window %d of %d", name, i, window)
				}
				require.LessOrEqual(t, w.Clocks, window, name)
				sum.Clocks += w.Clocks
				sum.Instructions += w.Instructions
				for s := range w.States {
					sum.States[s] += w.States[s]
				}
			}
			require.Equal(t, r.Clocks, sum.Clocks, name)
			require.Equal(t, r.Instructions, sum.Instructions, name)
			require.Equal(t, r.States, sum.States, name)
			require.Equal(t, r.Clocks, seen, "the last snapshot belongs to the result")
		}
	}
}
