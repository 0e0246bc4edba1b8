//go:build slow

package command

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// With memory limits around the size at which a machine begins to fit, every command works, or reports that it cannot.
func TestMemoryAroundTheLimit(t *testing.T) {
	dir := t.TempDir()
	for _, line := range machinesInMemory {
		for pes, top := range map[int]int{12: 1900, 11264: 2400, 114688: 5000} {
			worked := 0
			for mib := 1580; mib <= top; mib += (top - 1580) / 8 {
				if survives(t, dir, mib, ofSize(t, dir, line, pes)) {
					worked++
				}
			}
			require.NotZero(t, worked, "%s, %d PEs", line, pes)
		}
	}
}
