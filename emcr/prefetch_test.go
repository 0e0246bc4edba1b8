package emcr

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The registers are a queue: the oldest segment comes out first, a segment that finds all registers full replaces the
// newest, and 0 empties the registers.
func TestPrefetchRegisters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		registers := rapid.IntRange(1, MaxPrefetch).Draw(t, "registers")
		var r prefetchRegisters
		var queue []uint64
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "take") {
				want := uint64(0)
				if len(queue) > 0 {
					want, queue = queue[0], queue[1:]
				}
				require.Equal(t, want, r.pop())
				continue
			}
			v := rapid.Uint64Range(0, 9).Draw(t, "segment")
			r.push(v, registers)
			switch {
			case v == 0:
				queue = nil
			case len(queue) < registers:
				queue = append(queue, v)
			default:
				queue[len(queue)-1] = v
			}
			require.EqualValues(t, len(queue), r.count)
		}
	})
}
