//go:build slow

package spmd

import (
	"testing"

	"emsim/internal/dev/inorder"
)

// The order of time in 10,000 random machines, as in the sample.
func TestInOrderOfMany(t *testing.T) { inorder.Many(t, "10000", TestConservation) }
