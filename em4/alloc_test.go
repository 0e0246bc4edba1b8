package em4_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
)

// A clock allocates no memory after the machine's buffers have reached their sizes: here, in the third run of a
// program. With this large FIFO the rings of the MIBs, which would still grow, are not used.
func TestNoAllocationPerClock(t *testing.T) {
	m := boot(t, machine(80, func(c *em4.Config) { c.FIFOWords = 8192 }), fib(t, "ring", "on"))
	for range 2 {
		_, err := m.Run(context.Background(), []uint64{20}, em4.RunOptions{})
		require.NoError(t, err)
	}
	require.NoError(t, m.Start([]uint64{18}))
	clocks := 0
	perRun := testing.AllocsPerRun(1, func() {
		for range 1000 {
			m.Step()
			clocks++
		}
	})
	require.False(t, m.Quiet())
	require.Zero(t, perRun, "in %d clocks", clocks)
}
