package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// --seeds gives the runs of one machine after those of the other; the answer is
// the fastest, and the bands are over all.
func TestSeedsAreMachines(t *testing.T) {
	run := func(args ...string) map[string]any {
		return answer(t, append([]string{"run", "fib", "11", "--pes", "12", "--policy", "random", "--runs", "3"}, args...)...)
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
	require.Contains(t, out, "12 PEs, seeds 1 to 3\n")
	require.Regexp(t, `the fastest of 9 runs: (\d+ ){8}\.\.\.\n`, out)
}

// The mean of a cluster's seeds is that of its runs.
func TestRHiNETMean(t *testing.T) {
	run := func(args ...string) map[string]any {
		return answer(t, append([]string{"rhinet", "run", "--nodes", "4", "--network", "ethernet"}, args...)...)
	}
	mean, first, second := run("--seeds", "2", "--seed", "3"), run("--seed", "3"), run("--seed", "4")
	for _, key := range []string{"total_s", "calc_s", "comm_s", "lb_s", "other_s", "finish_s", "iterations", "packets"} {
		require.InEpsilon(t, (first[key].(float64)+second[key].(float64))/2, mean[key], 1e-12, key)
	}
	for _, key := range []string{"nodes", "network", "algorithm", "load", "application"} {
		require.Equal(t, first[key], mean[key], key)
	}
	require.Equal(t, []any{3.0, 2.0}, []any{mean["seed"], mean["seeds"]})
	require.NotEqual(t, first["total_s"], second["total_s"])
}
