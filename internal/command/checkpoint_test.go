package command

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// clean runs a command line and drops everything that depends on the computer.
func clean(t *testing.T, args ...string) map[string]any {
	t.Helper()
	x := answer(t, args...)
	delete(x, "wall_seconds")
	delete(x, "pe_clocks_per_second")
	delete(x, "fast_share")
	return x
}

// Saved at any clock of any run of a series, and with any part of the flags
// for files: the answer and the files are those of the uninterrupted command.
func TestResumeAnywhere(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	command := []string{"run", "fib", "11", "--policy", "random", "--mlpe", "--pes", "12", "--runs", "5", "--seed", "3", "--window", "90"}
	whole := clean(t, append(command, "--stats", file("s"), "--series", file("w"))...)
	longest, at := 0.0, []uint64{0, 1, 100, 777}
	for _, n := range whole["runs"].([]any) {
		if n := n.(float64); n > longest { // a clock that no run before has reached
			at, longest = append(at, uint64(n)), n
		}
	}
	require.Greater(t, len(at), 5, "a later run is the longest: %v", whole["runs"])
	same := func(a, b string) {
		x, err := os.ReadFile(file(a))
		require.NoError(t, err)
		y, err := os.ReadFile(file(b))
		require.NoError(t, err)
		golden.Same(t, string(x), string(y), "the file")
	}
	for _, clock := range at {
		saving := append(slices.Clone(command), "--stats", file("s1"), "--series", file("w1"), "--checkpoint", file("c"), "--at", strconv.FormatUint(clock, 10))
		require.Equal(t, whole, clean(t, saving...), "clock %d", clock)
		same("s", "s1")
		require.Equal(t, whole, clean(t, "run", "--resume", file("c"), "--stats", file("s2"), "--series", file("w2")), "clock %d", clock)
		same("s", "s2")
		same("w", "w2")
		require.Equal(t, whole, clean(t, "run", "--resume", file("c"), "--threads", "2"), "clock %d", clock)
	}
}
