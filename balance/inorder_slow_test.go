//go:build slow

package balance

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/require"
)

// The order of time in 2,000 random worlds, as in the sample.
func TestInOrderOfMany(t *testing.T) {
	require.NoError(t, flag.Set("rapid.checks", "2000"))
	defer func() { require.NoError(t, flag.Set("rapid.checks", "100")) }()
	TestEventsAreInOrder(t)
}
