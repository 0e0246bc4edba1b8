package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Runs side by side give the same numbers as separate runs.
func TestRunVs(t *testing.T) {
	both := jsonOf(t, "run", "fib", "10", "--pes", "12", "--seeds", "2", "--vs", "policy=random,banks=2", "--vs",
		"pes=80")["runs"].([]any)
	require.Len(t, both, 3)
	for k, args := range [][]string{
		{"--pes", "12"},
		{"--pes", "12", "--policy", "random", "--set", "banks=2"},
		{"--pes", "80"},
	} {
		alone := jsonOf(t, append([]string{"run", "fib", "10", "--seeds", "2"}, args...)...)
		for _, key := range []string{"clocks", "pes", "policy", "knobs", "packets", "runs", "bands", "result"} {
			require.Equal(t, alone[key], both[k].(map[string]any)[key], "%s of run %d", key, k)
		}
	}
	require.Equal(t, "policy=random,banks=2", both[1].(map[string]any)["vs"])
}

// If a run fails, the results of the earlier runs are kept. Mistakes are found before the first run.
func TestRunVsThatFails(t *testing.T) {
	status, out, errs := emsim(strings.Fields("run fib 16 --vs banks=1 --vs policy=line")...)
	require.Equal(t, failing, status)
	require.Contains(t, out, "this run")
	require.Contains(t, errs, `--vs "banks=1": deadlock at clock`)
	for line, want := range map[string]string{
		"run fib 3 --vs polcy=line":                           `emsim: --vs "polcy=line": "polcy" is neither pes nor seed`,
		"run fib 20 --vs pes=13":                              `--vs "pes=13"`,
		"run fib 3 --vs policy=line --stats s.csv":            "--events need a single run; leave --seeds and --vs out",
		"run --resume x.ckp --vs policy=line":                 "--resume continues a single run",
		"run fib 3" + strings.Repeat(" --vs seed=2", maxVs+1): "at most 7 runs",
	} {
		status, out, errs := emsim(strings.Fields(line)...)
		require.Equal(t, wrong, status, line)
		require.Empty(t, out, line)
		require.Contains(t, errs, want, line)
	}
}
