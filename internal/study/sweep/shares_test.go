package sweep

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A share has something to run as long as one of its points is missing.
func TestMissingShares(t *testing.T) {
	p := plan(t, small)
	s := store(t, t.TempDir())
	require.Equal(t, []int{1, 2, 3, 4, 5}, survey(t, s, p).Shares(5))
	require.Len(t, survey(t, s, p).Shares(40), 12, "more shares than runs")
	for _, i := range []int{2, 5} {
		x := survey(t, s, p)
		x.Only(Share{i, 5})
		require.NoError(t, s.Run(t.Context(), x, 2, nil))
	}
	require.Equal(t, []int{1, 3, 4}, survey(t, s, p).Shares(5))
	require.Equal(t, []int{1}, survey(t, s, p).Shares(1))
	sweep(t, s.Dir, p, 2)
	require.Empty(t, survey(t, s, p).Shares(5))
}
