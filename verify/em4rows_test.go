package verify

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
)

// A machine of the bench gives the runs on which the rows are measured, and the bench measures the same as the suite.
func TestBench003(t *testing.T) {
	ctx := context.Background()
	b := NewBench003(Setup003{Config: em4.Small12(), Seed: 1})
	r := Run003{Policy: "line", N: 10, Runs: 1}
	best, err := b.Best(ctx, r)
	require.NoError(t, err)
	m, err := b.Machine(ctx, r)
	require.NoError(t, err)
	result, err := m.Run(ctx, []uint64{r.N}, em4.RunOptions{Window: window003})
	require.NoError(t, err)
	require.Equal(t, best, result)

	b = NewBench003(Standard003())
	rows, err := b.Rows(ctx, "003.t1.1")
	require.NoError(t, err)
	suites := []Suite{paper003(Runs003)}
	chosen, err := Select(suites, []string{"003.t1.1"})
	require.NoError(t, err)
	want, err := Run(ctx, suites, chosen, nil)
	require.NoError(t, err)
	require.Equal(t, want, rows)

	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	_, err = b.Rows(cancelled, "003.t3")
	require.ErrorIs(t, err, context.Canceled)
}
