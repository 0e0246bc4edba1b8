//go:build slow

package diff

import "testing"

// TestFlips with a thousand flips.
func TestFlipsMany(t *testing.T) { flips(t, 1000) }
