package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// clean runs a command line and returns its answer without everything that depends on the computer.
func clean(t *testing.T, args ...string) map[string]any {
	t.Helper()
	status, out, errs := emsim(append(args, "--json")...)
	require.Zero(t, status, "%s%s", out, errs)
	require.Empty(t, errs)
	return cleaned(t, out)
}

// cleaned returns the answer in a command's output without everything that depends on the computer.
func cleaned(t *testing.T, out string) map[string]any {
	t.Helper()
	var x map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &x), out)
	require.Contains(t, x, "recipe")
	delete(x, "recipe")
	delete(x, "wall_seconds")
	delete(x, "pe_clocks_per_second")
	delete(x, "fast_share")
	return x
}

// A run can be saved at any clock of any run of a series, with any subset of the flags for files. Its answer and files
// equal the uninterrupted command's.
func TestResumeAnywhere(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	command := []string{
		"run", "fib", "11", "--policy", "random", "--mlpe", "--pes", "12", "--runs", "5", "--seed", "3",
		"--sample", "90",
	}
	whole := clean(t, append(command, "--stats", file("s"), "--series", file("w"))...)
	longest, at := 0.0, []uint64{0, 1, 100, 777}
	for _, n := range whole["runs"].([]any) {
		if n := n.(float64); n > longest { // a clock that no earlier run has reached
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
		saving := append(slices.Clone(command), "--stats", file("s1"), "--series", file("w1"),
			"--checkpoint", file("c"), "--at", strconv.FormatUint(clock, 10))
		status, out, errs := emsim(append(saving, "--json")...)
		require.Zero(t, status, errs)
		require.Equal(t, fmt.Sprintf("note: %s holds the run after %s clocks; to continue: emsim run --resume %[1]s\n",
			file("c"), count(clock)), errs)
		require.Equal(t, whole, cleaned(t, out), "clock %d", clock)
		same("s", "s1")
		require.Equal(t, whole, clean(t, "run", "--resume", file("c"), "--stats", file("s2"), "--series", file("w2")),
			"clock %d", clock)
		same("s", "s2")
		same("w", "w2")
		require.Equal(t, whole, clean(t, "run", "--resume", file("c"), "--threads", "2"), "clock %d", clock)
	}
}

// A run that fails or stalls also writes its checkpoint, and prints what it holds. Resumed from there, it fails in the
// same way. A run that succeeds prints that it wrote no checkpoint.
func TestFailedRunsAreSaved(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"full.s": "\n        .start main\nmain:   mov r3, 3000\nmore:   sub r3, r3, 1\n        bne r3, r0, " +
			"more\nstart:  getseg r3, f\n        jmp start\n        .template f\nx:      nop!\n        .endtemplate\n",
		"silent.s": "\n        .start main\nmain:   nop!\n",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	for line, kind := range map[string]string{
		"run full.s --pes 12":                                   "segment_overflow",
		"run full.s --pes 12 --threads 2 --stats s.csv":         "segment_overflow",
		"run silent.s --pes 12":                                 "no_result",
		"run fib 10 --pes 12 --max-clocks 300":                  "max_clocks",
		"run fib 14 --pes 12 --set banks=1":                     "deadlock",
		"mnc run --items 1000 --dead-at 20000:5":                "stalled",
		"rhinet run --rows 64 --nodes 4 --set max_loops=3":      "no_convergence",
		"pdes run --slots 50 --set max_clocks=5000 --shape 2x2": "max_clocks",
	} {
		args := append(strings.Fields(line), "--json", "--checkpoint", "a.ckp")
		failed := func(args ...string) map[string]any {
			status, out, errs := emsim(args...)
			require.Equal(t, failing, status, "%s: %s", line, errs)
			var x struct{ Error map[string]any }
			require.NoError(t, json.Unmarshal([]byte(out), &x))
			require.Equal(t, kind, x.Error["kind"], line)
			return x.Error
		}
		first := failed(args...)
		require.Equal(t, "a.ckp", first["checkpoint"], line)
		message, what, ok := strings.Cut(first["message"].(string), "\na.ckp holds the run after ")
		require.True(t, ok, first["message"])
		require.Contains(t, what, " run --resume a.ckp")
		if strings.HasPrefix(line, "run") {
			require.Contains(t, first["statistics"], "done_share", line)
		}
		resume := append(strings.Fields(line)[:slices.Index(args, "run")+1], "--resume", "a.ckp", "--json")
		again := failed(resume...)
		require.Equal(t, message, again["message"], line)
		require.NoError(t, os.Remove("a.ckp"))
	}
	for _, line := range []string{"run fib 5 --pes 12", "mnc run --items 20"} {
		status, _, errs := emsim(append(strings.Fields(line), "--checkpoint", "a.ckp")...)
		require.Zero(t, status)
		require.Equal(t, "note: a.ckp was not written: the run ended; --at says when to write it\n", errs)
		status, _, errs = emsim(append(strings.Fields(line), "--checkpoint", "a.ckp", "--at", "50")...)
		require.Zero(t, status)
		require.Contains(t, errs, "note: a.ckp holds the run after 50 clocks; to continue: emsim ")
	}
}
