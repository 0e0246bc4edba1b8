package programs_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/emcr"
	"emsim/programs"
)

// Any n from 1 up, every policy, with and without MLPE packets: the result and
// the number of invocations are exact. On 12 PEs ring reaches n = 20.
func TestFib(t *testing.T) {
	for n := uint64(1); n <= 20; n++ {
		exact(t, 12, params{"policy": "ring"}, n)
	}
	for _, policy := range programs.Policies() {
		for _, mlpe := range []string{"off", "on", "software"} {
			for _, n := range []uint64{1, 2, 3, 4, 5, 6, 11, 15} {
				exact(t, 12, params{"policy": policy, "mlpe": mlpe}, n)
			}
			exact(t, 80, params{"policy": policy, "mlpe": mlpe}, 14)
		}
	}
	for _, policy := range allButLine() {
		exact(t, 80, params{"policy": policy}, 20)
	}
}

// allButLine returns the policies that reach large arguments: line overflows.
func allButLine() []string {
	return slices.DeleteFunc(programs.Policies(), func(p string) bool { return p == "line" })
}

// exact runs fib and checks what timing cannot change.
func exact(t *testing.T, pes int, p params, n uint64) {
	t.Helper()
	r, err := fib(t, pes, p, n)
	require.NoError(t, err, "fib(%d) on %d PEs, %v", n, pes, p)
	require.Equal(t, []uint64{number(n)}, r.Words, "fib(%d) on %d PEs, %v", n, pes, p)
	require.Equal(t, invocations(n), r.Calls, "fib(%d) on %d PEs, %v", n, pes, p)
	sum := uint64(0)
	for _, clocks := range r.States() {
		sum += clocks
	}
	require.Equal(t, r.Clocks*uint64(pes), sum, "the four states share all PE-clocks")
}

// fib(24) makes the 46,367 calls of [003 table 3], with about 32 instructions
// (29..35) and 14..16 packets each, local ones counted. The first invocation
// lacks three: its start packet is the host's, and nobody asks for its segment
// and answers.
func TestFib24(t *testing.T) {
	for mlpe, most := range map[string]float64{"off": 35, "on": 37} {
		r, err := fib(t, 80, params{"policy": "ring", "mlpe": mlpe}, 24)
		require.NoError(t, err)
		require.Equal(t, []uint64{46368}, r.Words)
		require.EqualValues(t, 46367, r.Calls)
		instructions, packets := float64(r.Instructions)/46367, float64(r.Sent+3)/46367
		t.Logf("mlpe %s: %d clocks, %.3f instructions and %.3f packets a call, %d MLPE calls", mlpe, r.Clocks, instructions, packets, r.MLPECalls)
		require.GreaterOrEqual(t, instructions, 29.0-0.001) // the first one has fewer
		require.LessOrEqual(t, instructions, most)
		require.GreaterOrEqual(t, packets, 14.0)
		if mlpe == "off" {
			require.LessOrEqual(t, packets, 16.0)
		}
	}
}

// Static calls give the same number of instructions and packets with any
// placement.
func TestStaticCountsDoNotDependOnPlace(t *testing.T) {
	var want [2]uint64
	for i, pes := range []int{4, 12, 32, 80, 192} {
		r, err := fib(t, pes, params{"policy": "ring"}, 14)
		require.NoError(t, err)
		got := [2]uint64{r.Instructions, r.Sent}
		if i == 0 {
			want = got
		}
		require.Equal(t, want, got, "%d PEs", pes)
	}
}

// The line on 80 PEs: fib(20) runs, fib(21) has no operand segment left
// [003 §4.2].
func TestFibLine(t *testing.T) {
	r, err := fib(t, 80, params{"policy": "line"}, 20)
	require.NoError(t, err)
	require.Equal(t, []uint64{6765}, r.Words)
	_, err = fib(t, 80, params{"policy": "line"}, 21)
	var f *emcr.Fault
	require.ErrorAs(t, err, &f)
	require.Equal(t, emcr.SegmentOverflow, f.Kind())
	require.Contains(t, err.Error(), fmt.Sprintf("PE %v, clock %d", f.PE, f.Clock))
}

// The best of several runs on one machine: indices and random numbers
// continue from the last run, and all segments are free again.
func TestConsecutiveRuns(t *testing.T) {
	for _, policy := range programs.Policies() {
		m, _ := boot(t, config(12), params{"policy": policy, "mlpe": "on"})
		clocks := map[uint64]bool{}
		for range 4 {
			r, err := m.Run(t.Context(), []uint64{12}, runOptions)
			require.NoError(t, err)
			require.Equal(t, []uint64{144}, r.Words)
			require.EqualValues(t, 143, r.Calls)
			require.Empty(t, m.HalfMatched(10))
			clocks[r.Clocks] = true
		}
		if policy == "random" {
			require.Greater(t, len(clocks), 1, "the sequence goes on")
		}
	}
}
