//go:build slow

package pdes

import (
	"testing"

	"emsim/internal/dev/inorder"
)

// Records are in order of time for 1,000 random machines.
func TestInOrderOfMany(t *testing.T) { inorder.Many(t, "1000", TestRandomMachines) }
