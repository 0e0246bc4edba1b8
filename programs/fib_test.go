package programs_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/emcr"
	"emsim/programs"
)

// For any n from 1 on, every policy, with and without MLPE packets, the result and the number of invocations are
// exact. On 12 PEs ring reaches n = 20.
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

// exact runs fib and checks the values that do not depend on timing.
func exact(t *testing.T, pes int, p params, n uint64) {
	t.Helper()
	r, err := fib(t, pes, p, n)
	require.NoError(t, err, "fib(%d) on %d PEs, %v", n, pes, p)
	require.Equal(t, []uint64{number(n)}, r.Words, "fib(%d) on %d PEs, %v", n, pes, p)
	require.Equal(t, invocations(n, p), r.Calls, "fib(%d) on %d PEs, %v", n, pes, p)
	sum := uint64(0)
	for _, clocks := range r.States() {
		sum += clocks
	}
	require.Equal(t, r.Clocks*uint64(pes), sum, "the four states share all PE-clocks")
}

// The answer of fib and its number of instances are exact for every division into instances and blocks.
func TestFibVariants(t *testing.T) {
	for leaves, grains := range map[string][]string{
		"instances": {"medium", "large"}, "inline": {"medium", "chain", "fine", "large"},
	} {
		for _, grain := range grains {
			for _, mlpe := range []string{"off", "on", "software"} {
				for i, policy := range programs.Policies() {
					p := params{"leaves": leaves, "grain": grain, "mlpe": mlpe, "policy": policy}
					for _, n := range []uint64{1, 2, 3, 4, uint64(8 + i)} {
						exact(t, 12, p, n)
					}
				}
			}
			exact(t, 80, params{"leaves": leaves, "grain": grain, "mlpe": "on"}, 17)
		}
	}
	exact(t, 12, params{"leaves": "inline", "choice": "early"}, 12)
	for n := uint64(1); n <= 12; n++ {
		exact(t, 12, params{"first_child": "larger", "mlpe": "on"}, n)
		for _, grain := range []string{"medium", "chain", "fine", "large"} {
			exact(t, 12, params{"leaves": "inline", "grain": grain, "first_child": "smaller"}, n)
		}
	}
	_, err := programs.Assemble("fib", params{"grain": "fine"})
	require.ErrorContains(t, err, `the parameter grain cannot be "fine": expected medium, large`)
	_, err = programs.Assemble("fib", params{"choice": "early"})
	require.ErrorContains(t, err, "choice")
}

// fib(24) has 92,735 instances; 46,367 of them call others, the paper's number of calls [003 table 3]. For each of
// these the program executes 32 instructions and makes 14 packets, its leaves and local packets included; the paper
// has 31.9 instructions. Seven packets and 15 instructions are for the root's request, for its answer, and for one
// leaf, because there is one leaf more than there are callers.
func TestFib24(t *testing.T) {
	const callers = 46367
	for mlpe, most := range map[string]float64{"off": 32.01, "on": 35} {
		r, err := fib(t, 80, params{"policy": "ring", "mlpe": mlpe}, 24)
		require.NoError(t, err)
		require.Equal(t, []uint64{46368}, r.Words)
		require.EqualValues(t, 92735, r.Calls)
		require.EqualValues(t, 2*callers+1, r.Calls)
		instructions, packets := float64(r.Instructions)/callers, float64(r.Sent)/callers
		t.Logf("mlpe %s: %d clocks, %.3f instructions and %.3f packets a caller, %d MLPE calls", mlpe, r.Clocks,
			instructions, packets, r.MLPECalls)
		require.LessOrEqual(t, instructions, most)
		require.LessOrEqual(t, packets, 14.5)
		if mlpe == "off" {
			require.EqualValues(t, 32*callers+15, r.Instructions)
			require.EqualValues(t, 14*callers+7, r.Sent)
		} else {
			require.Greater(t, instructions, 33.5)
		}
	}
}

// With inline leaves there are 46,367 instances, and all of them call. Nothing else is an instance, not even the
// receiver of the root's answer.
func TestFib24WithLeavesInline(t *testing.T) {
	p := params{"leaves": "inline"}
	exact(t, 80, p, 24)
	exact(t, 80, p, 20)
}

// Calls that are all static execute the same number of instructions and packets wherever they are placed.
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

// With the line on 80 PEs fib(20) runs, and fib(21) runs out of operand segments [003 §4.2].
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

// In several runs on one machine, indices and random numbers continue from the previous run, and all segments are
// free again.
func TestConsecutiveRuns(t *testing.T) {
	for _, policy := range programs.Policies() {
		m, _ := boot(t, config(12), params{"policy": policy, "mlpe": "on"})
		clocks := map[uint64]bool{}
		for range 4 {
			r, err := m.Run(t.Context(), []uint64{12}, runOptions)
			require.NoError(t, err)
			require.Equal(t, []uint64{144}, r.Words)
			require.EqualValues(t, 287, r.Calls)
			require.Empty(t, m.HalfMatched(10))
			clocks[r.Clocks] = true
		}
		if policy == "random" {
			require.Greater(t, len(clocks), 1, "the sequence goes on")
		}
	}
}
