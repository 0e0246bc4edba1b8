package command

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// --seeds N runs N machines with consecutive seeds, one after the other. The answer describes the fastest run; its
// bands cover all runs.
func TestSeedsAreMachines(t *testing.T) {
	run := func(args ...string) map[string]any {
		return jsonOf(t, append([]string{"run", "fib", "11", "--pes", "12", "--policy", "random", "--runs", "3"},
			args...)...)
	}
	both := run("--seed", "7", "--seeds", "2")
	first, second := run("--seed", "7"), run("--seed", "8")
	runs := append(first["runs"].([]any), second["runs"].([]any)...)
	require.Equal(t, runs, both["runs"])
	require.Equal(t, []any{7.0, 2.0}, []any{both["seed"], both["seeds"]})
	require.NotContains(t, first, "seeds")
	fewest, sum := runs[0].(float64), 0.0
	for _, clocks := range runs {
		fewest = min(fewest, clocks.(float64))
		sum += clocks.(float64)
	}
	require.Equal(t, fewest, both["clocks"])
	time := both["bands"].(map[string]any)["time_ms"].(map[string]any)
	require.InEpsilon(t, 80e-6*fewest, time["best"], 1e-12)
	require.InEpsilon(t, 80e-6*sum/6, time["mean"], 1e-12)
	require.NotEqual(t, first["runs"], second["runs"])

	status, out, _ := emsim("run", "fib", "11", "--pes", "12", "--policy", "random", "--runs", "3", "--seeds", "3")
	require.Zero(t, status)
	require.Contains(t, out, "12 PEs, policy=random, seeds 1 to 3\n")
	require.Regexp(t, `the fastest of 9 runs: ([0-9,]+\s+){8}\.\.\.\n`, out)
}

// The mean over a cluster's seeds is the mean of its runs.
func TestRHiNETMean(t *testing.T) {
	run := func(args ...string) map[string]any {
		return jsonOf(t, append([]string{"rhinet", "run", "--nodes", "4", "--network", "ethernet"}, args...)...)
	}
	mean, first, second := run("--seeds", "2", "--seed", "3"), run("--seed", "3"), run("--seed", "4")
	for _, key := range []string{
		"total_s", "calc_s", "comm_s", "lb_s", "other_s", "finish_s", "iterations",
		"packets",
	} {
		require.InEpsilon(t, (first[key].(float64)+second[key].(float64))/2, mean[key], 1e-12, key)
	}
	for _, key := range []string{"nodes", "network", "algorithm", "load", "application"} {
		require.Equal(t, first[key], mean[key], key)
	}
	require.Equal(t, []any{3.0, 2.0}, []any{mean["seed"], mean["seeds"]})
	require.NotEqual(t, first["total_s"], second["total_s"])
}

// The machines of --seeds run in parallel, and the answer is the same on any number of cores. The first seed that fails
// determines the error, as in a sequential run.
func TestSeedsSideBySide(t *testing.T) {
	run := func(cores int, args ...string) (int, map[string]any) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		status, out, _ := emsim(append(strings.Fields("run fib 12 --pes 12 --policy random --json"), args...)...)
		var x map[string]any
		require.NoError(t, json.Unmarshal([]byte(out), &x))
		for _, of := range []any{x, deep(x, "error", "statistics"), deep(x, "error", "best")} {
			if m, ok := of.(map[string]any); ok {
				delete(m, "wall_seconds")
				delete(m, "pe_clocks_per_second")
			}
		}
		return status, x
	}
	_, one := run(1, "--seeds", "6", "--runs", "2")
	for _, more := range [][]string{
		{"--seeds", "6", "--runs", "2"},
		{"--seeds", "6", "--runs", "2", "--threads", "2"},
	} {
		_, four := run(4, more...)
		require.Equal(t, one, four)
	}
	require.Len(t, one["runs"], 12)

	full := []string{"--set", "segments=17"} // seed 3 is the first that needs more
	status, alone := run(1, append(full, "--seed", "3")...)
	require.Equal(t, 1, status)
	for _, cores := range []int{1, 4} {
		status, all := run(cores, append(full, "--seeds", "8")...)
		require.Equal(t, 1, status)
		require.Equal(t, "seed 3: "+deep(alone, "error", "message").(string), deep(all, "error", "message"))
		require.Equal(t, deep(alone, "error", "statistics", "clocks"), deep(all, "error", "statistics", "clocks"))
		runs := deep(all, "error", "statistics", "runs").([]any)
		require.Len(t, runs, 2, "of the seeds before it")
		require.InDelta(t, min(runs[0].(float64), runs[1].(float64)), deep(all, "error", "best", "clocks"), 0)
	}
}

// deep returns the value at a path of keys, or nil.
func deep(v any, keys ...string) any {
	for _, k := range keys {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	return v
}
