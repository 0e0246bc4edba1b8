//go:build slow

package spmd

import (
	"testing"

	"emsim/internal/dev/inorder"
)

// Records are in order of time for 10,000 random machines.
func TestInOrderOfMany(t *testing.T) { inorder.Many(t, "10000", TestConservation) }
