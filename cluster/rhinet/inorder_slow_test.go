//go:build slow

package rhinet

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/require"
)

// The order of time in 5,000 random machines, as in the sample.
func TestInOrderOfMany(t *testing.T) {
	require.NoError(t, flag.Set("rapid.checks", "5000"))
	defer func() { require.NoError(t, flag.Set("rapid.checks", "100")) }()
	TestRandomMachines(t)
}
