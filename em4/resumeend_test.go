package em4_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/dev/golden"
)

// A run that is saved when only its end has not been noticed yet ends like an uninterrupted run.
func TestResumedBeforeTheEnd(t *testing.T) {
	ctx := context.Background()
	c, o := machine(12), fib(t, "ring", "off")
	whole, err := boot(t, c, o).Begin([]uint64{5}, em4.RunOptions{})
	require.NoError(t, err)
	require.NoError(t, whole.Advance(ctx, em4.ToEnd))
	end := whole.Clock()
	for at := end - 70; at < end; at++ {
		r, err := boot(t, c, o).Begin([]uint64{5}, em4.RunOptions{})
		require.NoError(t, err)
		require.NoError(t, r.Advance(ctx, at))
		require.False(t, r.Ended())
		_, r = restored(t, c, o, saved(t, r))
		require.NoError(t, r.Advance(ctx, em4.ToEnd), "saved at clock %d of %d", at, end)
		require.Equal(t, end, r.Clock())
		golden.Same(t, whole.Result(), r.Result(), "the result, saved at clock %d of %d", at, end)
	}
}
