//go:build slow

package diff

import "testing"

// A thousand of them.
func TestFlipsMany(t *testing.T) { flips(t, 1000) }
