//go:build slow

package pdes

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/require"
)

// The order of time in 1,000 random machines, as in the sample.
func TestInOrderOfMany(t *testing.T) {
	require.NoError(t, flag.Set("rapid.checks", "1000"))
	defer func() { require.NoError(t, flag.Set("rapid.checks", "100")) }()
	TestRandomMachines(t)
}
