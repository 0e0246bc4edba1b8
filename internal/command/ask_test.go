package command

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/machine/machines"
	"emsim/internal/machine/recipe"
)

// A question on the command line gives a table and JSON; wrong questions are rejected.
func TestAsk(t *testing.T) {
	const run = " --pes 8 --items 60 --loops 50"
	ask := func(line string) string {
		status, out, errs := emsim(strings.Fields("mnc ask " + line + run)...)
		require.Zero(t, status, "%s: %s", line, errs)
		return out
	}
	require.Contains(t, ask("why 7"), "datum 7 changed its PE")
	require.Contains(t, ask("part --vs policy=none"), "The runs diverge at ")
	require.Contains(t, ask("part --vs policy=auto"), "The runs are the same")
	var x struct {
		Says []string
		Rows []map[string]any
	}
	require.NoError(t, json.Unmarshal([]byte(ask("idle --json")), &x))
	require.Len(t, x.Rows, 8)
	require.Contains(t, x.Rows[0], "while_another_had_more")
	for line, want := range map[string]string{
		"whi":                        `did you mean "why"`,
		"why":                        "the question is: why ITEM",
		"why 60" + run:               `there is no datum "60": expected 0 to 59`,
		"part":                       "give one --vs KEY=VALUE",
		"idle --vs seed=2":           "give one --vs KEY=VALUE",
		"part --vs polcy=none":       `no knob "polcy"`,
		"part --vs pes=0":            "pes",
		"part --vs pes=9 --vs pes=8": "give one --vs",
		"idle --pes 0":               "--pes",
		"idle --items 3 --seeds 2":   "seeds",
		"idle --items 3 --sample 20": "sample",
	} {
		status, _, errs := emsim(strings.Fields("mnc ask " + line)...)
		require.Equal(t, wrong, status, line)
		require.Contains(t, errs, want, line)
	}
	// The runs in the help's examples fit into memory.
	for _, name := range []string{"mnc", "rhinet", "spmd", "pdes", "balance"} {
		status, _, errs := emsim(strings.Fields(name + " ask why 7" + machines.ModelOf(name).Recorded)...)
		require.Zero(t, status, errs)
	}
	// A failed run is reported, with the answer until the failure.
	status, out, errs := emsim(strings.Fields("mnc ask idle --items 100 --dead-at 2000:1 --stall 200000")...)
	require.Equal(t, failing, status)
	require.Contains(t, out, "statistics until it stopped:\n\nthe MNC computer\n")
	require.Contains(t, errs, "PE 1")
}

// The debugger of a machine reads the same commands as the EM-4's, and a trace has a recipe.
func TestMachineLooks(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("look.txt", []byte("until move\nwhere\n"), 0o600))
	status, out, errs := emsim(strings.Fields("mnc debug --pes 8 --items 60 --loops 50 -x look.txt")...)
	require.Zero(t, status, errs)
	require.Regexp(t, `(?s)613 events.*\(0\) until move\n493 clocks: PE 5 gives X 3 to PE 7.*\(493\) where\n`, out)
	require.NoError(t, os.WriteFile("bad.txt", []byte("step\nfly\n"), 0o600))
	status, _, errs = emsim(strings.Fields("spmd debug --tasks 3 --commands bad.txt")...)
	require.Equal(t, wrong, status)
	require.Contains(t, errs, `command line 2: there is no command "fly"`)
	for _, file := range []string{"t.json", "t.txt"} {
		status, _, errs = emsim("spmd", "trace", "--tasks", "3", "-o", file)
		require.Zero(t, status, errs)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		made, _ := recipe.Find(text)
		require.Contains(t, made.Command, "emsim spmd trace --output")
	}
	status, _, errs = emsim(strings.Fields("mnc trace --pes 4 --items 9 --loops 5 -o t.vcd")...)
	require.Zero(t, status, errs)
	text, err := os.ReadFile("t.vcd")
	require.NoError(t, err)
	require.Contains(t, string(text), "$scope module mnc $end")
	made, _ := recipe.Find(text)
	require.Contains(t, made.Command, "emsim mnc trace")
	for _, other := range []string{"rhinet", "spmd", "pdes", "balance"} {
		status, _, errs = emsim(other, "trace", "-o", "t.vcd")
		require.Equal(t, wrong, status)
		require.Contains(t, errs, "-o t.vcd: a .vcd file shows boards, and "+other+
			" has no boards: expected a name that ends in .json")
	}
	status, out, errs = emsim(strings.Fields("rhinet profile --nodes 4 --rows 32 --steps 8 --top 2")...)
	require.Zero(t, status, errs)
	require.Regexp(t,
		`(?s)^sor +RHiNET-2, 4 nodes, .*\n  time .*\n  work .*\n  limited by .*\n  the chain .*`+
			`what rank 3 did +for +s .*\.\.\. and \d+ more.*the critical path +rank .*longest +begins at.*`+
			`rank 3 finished last.*\n`+
			`next: emsim rhinet ask cost --nodes 4 --rows 32 --steps 8`, out)
	status, _, errs = emsim("pdes", "profile", "--top", "-1")
	require.Equal(t, wrong, status)
	require.Contains(t, errs, "--top is -1")
	status, _, errs = emsim("pdes", "profile", "--vs", "slots=9")
	require.Equal(t, wrong, status)
	require.Contains(t, errs, "--vs is for the question part")
	status, _, _ = emsim("spmd", "trace", "-o", "no/such.txt")
	require.Equal(t, wrong, status)
	status, out, _ = emsim(strings.Fields("mnc trace --items 100 --dead-at 2000:1 --stall 200000 -o t.txt")...)
	require.Equal(t, failing, status, out)
}
