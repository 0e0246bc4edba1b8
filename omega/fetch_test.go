package omega

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Units that are touched in batches, several batches in a clock, have the same states as other units, and no clock
// allocates memory.
func TestFetchedInStep(t *testing.T) {
	for _, load := range []float64{0.05, 1} {
		tc := TrafficConfig{Uniform, load, 4}
		one, fetched := traffic(t, 192, published, tc), traffic(t, 192, published, tc)
		fetched.Net.sched.fetch = true
		for range 300 {
			one.Step(true)
			fetched.Step(true)
			require.Equal(t, hash(one), hash(fetched), "load %v, clock %d", load, one.clock)
		}
		require.NotZero(t, one.Arrived)
		require.Zero(t, testing.AllocsPerRun(100, func() { fetched.Step(false) }))
	}
}

// Prefetching is used on large machines, but not on machines whose units fit into a cache.
func TestFetchFrom(t *testing.T) {
	for pes, want := range map[int]bool{80: false, 1024: false, 2304: false, 5120: true} {
		require.Equal(t, want, traffic(t, pes, published, TrafficConfig{Pattern: Uniform}).Net.sched.fetch,
			"%d PEs", pes)
	}
}

// A unit occupies six cache lines: decisions read the first two, moves also write the third, and the last three hold
// packets.
func TestUnitIsCacheLines(t *testing.T) {
	var su SU
	require.EqualValues(t, 64, unsafe.Offsetof(su.outFreeAt))
	require.EqualValues(t, 128, unsafe.Offsetof(su.Counters))
	require.EqualValues(t, 192, unsafe.Offsetof(su.bank))
	require.EqualValues(t, 384, unsafe.Sizeof(su))
	require.EqualValues(t, 32, unsafe.Sizeof(su.bank[0]))
}
