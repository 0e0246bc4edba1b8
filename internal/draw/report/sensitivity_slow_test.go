//go:build slow

package report

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/docs"
	"emsim/verify"
)

// --calibrate measures what the published table says; one knob represents
// all, and a slow test of verify checks the others.
func TestMeasuredIsPublished(t *testing.T) {
	all := verify.UncertainKnobs003()
	i := slices.IndexFunc(all, func(k verify.UncertainKnob) bool { return k.Key == "burst_refill" })
	fresh, err := measured(t.Context(), all[i:i+1], 1)
	require.NoError(t, err)
	table, err := published(docs.Sensitivity)
	require.NoError(t, err)
	require.Equal(t, table.Rows, fresh.Rows)
	at := slices.IndexFunc(table.Settings, func(s Setting) bool { return s.Knob == "burst_refill" })
	require.Equal(t, table.Settings[at:at+len(fresh.Settings)], fresh.Settings)
	require.True(t, fresh.Fresh)
}
