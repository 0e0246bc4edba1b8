package rhinet

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// checked is a context that ends at its n-th check.
type checked struct {
	context.Context
	n int
}

func (l *checked) Err() error {
	if l.n--; l.n < 0 {
		return context.Canceled
	}
	return nil
}

// A run whose context ends returns its results so far. It checks the context every few events and in the final
// comparison, because one event may relax a million rows.
func TestRunEndsWithItsContext(t *testing.T) {
	for _, app := range []Application{SOR, Heat} {
		c := Default()
		c.Application, c.Nodes = app, 8
		whole, err := Run(t.Context(), c)
		require.NoError(t, err)
		r, err := Run(&checked{t.Context(), 50}, c)
		require.ErrorIs(t, err, context.Canceled)
		require.Less(t, r.Iterations, whole.Iterations)
		require.Positive(t, r.Iterations)
		require.Positive(t, r.Calc())
		require.Less(t, r.Finish(), whole.Finish())
		require.Zero(t, r.Deviation)
		for _, n := range r.Ranks {
			require.LessOrEqual(t, n.Calc, n.Finish)
		}
	}
	// The last check is in the comparison with a single processor.
	c := Default()
	c.Application, c.Heat.Steps = Heat, 40
	count := &checked{t.Context(), 1 << 40}
	_, err := Run(count, c)
	require.NoError(t, err)
	_, err = Run(&checked{t.Context(), 1<<40 - count.n - 5}, c)
	require.ErrorIs(t, err, context.Canceled)
}
