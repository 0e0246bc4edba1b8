//go:build slow

package mnc

import (
	"testing"

	"emsim/internal/dev/inorder"
)

// The order of time in 5,000 random machines, as in the sample.
func TestInOrderOfMany(t *testing.T) { inorder.Many(t, "5000", TestRecordsAreInOrder) }
