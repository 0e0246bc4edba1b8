package oracle

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func run(t *testing.T, n int, wiring string, load float64, k int, seed uint64, slots int64) Result {
	r, err := Run(t.Context(), n, wiring, load, k, seed, slots)
	require.NoError(t, err)
	return r
}

func TestGolden(t *testing.T) {
	require.Equal(t,
		Result{Hash: 0xd0d53defedd96ab9, Injected: 1920, Drops: 6, Sunk: 1894, Delay: 5643, Queued: 20},
		run(t, 3, "omega", 0.8, 8, 1, 300))
	require.EqualValues(t, uint64(0xf9b5b59adb3fa096), run(t, 3, "butterfly", 0.8, 8, 1, 300).Hash)
	require.EqualValues(t, uint64(0x8b1a1b2a00054dc2), run(t, 3, "omega", 0.8, 8, 1, 20_000).Hash)
	require.EqualValues(t, uint64(0xa900f970bb69e9af), run(t, 4, "omega", 0.8, 8, 1, 20_000).Hash)
}

// Cells are conserved and leave on the right line, under every wiring.
func TestConservation(t *testing.T) {
	for _, wiring := range []string{"omega", "butterfly", "baseline"} {
		for n := 1; n <= 5; n++ {
			r := run(t, n, wiring, 0.9, 4, 3, 500)
			require.Zero(t, r.WrongSinks, "%s %d", wiring, n)
			require.Equal(t, r.Injected, r.Drops+r.Sunk+r.Queued)
		}
	}
}

// In a 2x2 switch with unbounded queues a cell waits p/(4(1-p)) slots on average, as in the discrete queue with
// binomial arrivals (Karol, Hluchyj, Morgan 1987, for 2 inputs).
func TestMeanWait(t *testing.T) {
	const p = 0.8
	r := run(t, 1, "omega", p, 0, 1, 400_000)
	require.InDelta(t, p/(4*(1-p)), float64(r.Delay)/float64(r.Sunk), 0.02)
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Run(ctx, 3, "omega", 0.8, 8, 1, 300)
	require.ErrorIs(t, err, context.Canceled)
}
