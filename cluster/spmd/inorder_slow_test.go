//go:build slow

package spmd

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/require"
)

// The order of time in 10,000 random machines, as in the sample.
func TestInOrderOfMany(t *testing.T) {
	require.NoError(t, flag.Set("rapid.checks", "10000"))
	defer func() { require.NoError(t, flag.Set("rapid.checks", "100")) }()
	TestConservation(t)
}
