//go:build slow

package rhinet

import (
	"testing"

	"emsim/internal/dev/inorder"
)

// Records are in order of time for 5,000 random machines.
func TestInOrderOfMany(t *testing.T) { inorder.Many(t, "5000", TestRandomMachines) }
