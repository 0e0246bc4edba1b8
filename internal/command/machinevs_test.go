package command

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The runs of --vs equal the runs of separate commands with the same seeds. The table has their ratios to the first
// run, and the numbers by worker side by side.
func TestRunsBesideEachOther(t *testing.T) {
	both := jsonOf(t, "spmd", "run", "--seeds", "3", "--policy", "static", "--vs",
		"policy=proposed,tasks=50")["runs"].([]any)
	for k, args := range [][]string{{"--policy", "static"}, {"--tasks", "50"}} {
		want := jsonOf(t, append([]string{"spmd", "run", "--seeds", "3"}, args...)...)
		got := both[k].(map[string]any)
		for _, key := range []string{"method", "tasks", "end_s", "transfers", "bands"} {
			require.Equal(t, want[key], got[key], key)
		}
	}
	require.Equal(t, "", both[0].(map[string]any)["vs"])
	require.Equal(t, "policy=proposed,tasks=50", both[1].(map[string]any)["vs"])

	_, table, _ := emsim("spmd", "run", "--seeds", "3", "--policy", "static", "--vs", "topology=fano", "--vs",
		"topology=tree,processors=3,loaded=1")
	require.Regexp(t, `(?m)^ +this run +topology=fano +ratio +topology=tree,processors=3,loaded=1 +ratio$`, table)
	require.Regexp(t, `(?m)^time +148\.598 s +137\.677 s +0\.927 +125\.138 s +0\.842$`, table)
	require.NotContains(t, table, "end s", "the machines have not as many workers")
	_, table, _ = emsim("spmd", "run", "--vs", "topology=fano")
	require.Regexp(t, `(?m)^end s +this run +topology=fano\n0 +`, table)
	_, table, _ = emsim("mnc", "run", "--items", "500", "--vs", "cost-loop=8")
	require.Regexp(t, `(?m)^in f\(\) +200,000 clocks +400,000 clocks +2\.000$`, table, "a machine without a seed")
}

// --vs rejects wrong changes, and does not change knobs that a file determines.
func TestVsMistakes(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("ring.txt", []byte("0 > 1\n1 > 2\n2 > 0\n"), 0o666))
	require.NoError(t, os.WriteFile("hosts.txt", []byte("speed 0 2\n"), 0o666))
	for args, want := range map[string]string{
		"spmd run --vs foo=1":                  `no knob "foo"`,
		"spmd run --vs jitter=3":               `--vs "jitter=3": jitter is 3, it must be at least 0 and below 1`,
		"spmd run --vs jitter":                 `expected NAME=VALUE, for example --vs "policy=proposed"`,
		"spmd run --vs tasks=5 --events e.csv": "leave --seeds and --vs out",
		"spmd run --topology ring.txt --loaded none --vs processors=5": "processors is decided by the " +
			"file of --topology",
		"rhinet run --nodes 8 --hosts hosts.txt --vs loaded=one": "loaded is decided by the file of --hosts",
	} {
		status, _, errs := emsim(strings.Fields(args)...)
		require.NotZero(t, status, args)
		require.Contains(t, errs, want, args)
	}
	both := jsonOf(t, "spmd", "run", "--topology", "ring.txt", "--loaded", "1", "--vs", "topology=fano")["runs"].([]any)
	require.Len(t, both[0].(map[string]any)["tasks"], 3)
	require.Len(t, both[1].(map[string]any)["tasks"], 7)
}

// The command that a run advises works unchanged, with the flags of the run. A run that already has the setting advises
// nothing.
func TestNext(t *testing.T) {
	t.Chdir(t.TempDir())
	advice := func(line string) string {
		_, out, _ := emsim(strings.Fields(line)...)
		_, next, _ := strings.Cut(out, "\nnext: emsim ")
		command, _, _ := strings.Cut(strings.ReplaceAll(next, "\n", "  "), "  ")
		return command
	}
	for line, want := range map[string]string{
		"mnc run --items 200 --pes 8":                 "mnc run --vs policy=naive --items 200 --pes 8",
		"pdes run --slots 20 --network torus":         "pdes run --vs map=exact --network torus --slots 20",
		"rhinet run --nodes 8 --rows 64":              "rhinet run --vs policy=igclb --nodes 8 --rows 64",
		"spmd run --tasks 9 --policy static":          "spmd ask held --policy static --tasks 9",
		"spmd run --tasks 9 --seeds 2 --series s.csv": "",
		"rhinet run --nodes 8 --rows 64 --seeds 2":    "rhinet run --vs policy=igclb --nodes 8 --rows 64 --seeds 2",
		"run fib 6":                                     "profile fib 6",
		"run fib 8 --pes 12 --seed 3 --runs 2":          "profile fib 8 --pes 12 --seed 3",
		"run fib 6 --mlpe --policy line --stats s.csv":  "run --vs mlpe=off fib 6 --mlpe --policy line",
		"run sum 9 --set hop_clocks=2 --seeds 2":        "profile sum 9 --set hop_clocks=2",
		"net --pes 12":                                  "net traffic --pes 12",
		"mnc run --items 200 --policy naive":            "",
		"pdes run --slots 20 --map exact":               "",
		"rhinet run --nodes 8 --policy igclb --rows 64": "",
	} {
		got := advice(line)
		require.Equal(t, want, got, line)
		if got != "" {
			status, _, errs := emsim(strings.Fields(got)...)
			require.Zero(t, status, errs)
		}
	}
}
