package verify

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every claim of seed 004 is met, or a numbered gap that persists.
func TestSeed004(t *testing.T) {
	suites := []Suite{seed004()}
	chosen, err := Select(suites, nil)
	require.NoError(t, err)
	rows, err := Run(context.Background(), suites, chosen)
	require.NoError(t, err)
	require.Len(t, rows, len(chosen["004"]))
	for _, r := range rows {
		require.True(t, r.OK, "%s: paper %v, model %v", r.ID, r.Paper, r.Model)
	}
}

func TestSeed004RefusesUnknownMeasures(t *testing.T) {
	_, err := seed004().New()(context.Background(), Claim{Cond: map[string]string{"measure": "nothing"}})
	require.Error(t, err)
}
