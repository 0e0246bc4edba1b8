//go:build slow

package balance

import (
	"testing"

	"emsim/internal/dev/inorder"
)

// Events are in order of time in 2,000 random worlds.
func TestInOrderOfMany(t *testing.T) { inorder.Many(t, "2000", TestEventsAreInOrder) }
