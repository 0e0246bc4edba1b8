package emcr

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/trace"
)

// The trace uses the PE's own names for its activities.
func TestTraceStates(t *testing.T) {
	for s := range Activities {
		require.Equal(t, s.String(), (trace.ExuFmu + trace.Status(s)).String())
	}
	require.Equal(t, trace.Idle, trace.ExuFmu+trace.Status(Idle))
}
