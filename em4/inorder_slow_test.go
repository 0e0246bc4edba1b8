//go:build slow

package em4_test

import (
	"testing"

	"emsim/internal/dev/inorder"
)

// This test does the same as TestEventsAreInOrder, for 2,000 random programs on random machines.
func TestInOrderOfMany(t *testing.T) { inorder.Many(t, "2000", TestEventsAreInOrder) }
