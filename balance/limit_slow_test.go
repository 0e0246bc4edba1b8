//go:build slow

package balance

import "testing"

// All exact limits are found.
func TestAllExactLimits(t *testing.T) { testLimits(t, exactLimits()) }
