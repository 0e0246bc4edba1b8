//go:build slow

package pdes

import (
	"testing"

	"emsim/internal/dev/inorder"
)

// The order of time in 1,000 random machines, as in the sample.
func TestInOrderOfMany(t *testing.T) { inorder.Many(t, "1000", TestRandomMachines) }
