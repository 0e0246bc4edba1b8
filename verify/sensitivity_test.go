package verify

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
)

// Settings that are complete when the context ends are returned, but no others.
func TestSensitivityEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	base := Standard003()
	base.Config = em4.Small12() // most rows end early with a fault, which is a valid result
	base.Config.Segments = 8
	knobs := []UncertainKnob{{Key: "hop_clocks", Values: []string{"1", "2", "3", "4"}}}
	list, err := Sensitivity003(ctx, base, knobs, 1, func(done, of int) {
		require.Equal(t, 4, of)
		if done == 2 {
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, list, 2)
	for _, s := range list {
		require.NotEmpty(t, s.Rows)
	}
}
