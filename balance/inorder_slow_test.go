//go:build slow

package balance

import (
	"testing"

	"emsim/internal/dev/inorder"
)

// The order of time in 2,000 random worlds, as in the sample.
func TestInOrderOfMany(t *testing.T) { inorder.Many(t, "2000", TestEventsAreInOrder) }
