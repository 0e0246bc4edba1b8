//go:build slow

package em4_test

import (
	"testing"

	"emsim/internal/dev/inorder"
)

// The order of time in 2,000 random programs on random machines, as in the sample.
func TestInOrderOfMany(t *testing.T) { inorder.Many(t, "2000", TestEventsAreInOrder) }
