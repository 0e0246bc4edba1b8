//go:build slow

package balance

import "testing"

// All exact limits.
func TestAllExactLimits(t *testing.T) { testLimits(t, exactLimits()) }
