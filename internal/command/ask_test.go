package command

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/inspect/instrument"
)

// A question as a command: its table, its JSON, and what it refuses.
func TestAsk(t *testing.T) {
	const run = " --pes 8 --items 60 --loops 50"
	ask := func(line string) string {
		status, out, errs := emsim(strings.Fields("mnc ask " + line + run)...)
		require.Zero(t, status, "%s: %s", line, errs)
		return out
	}
	require.Contains(t, ask("why 7"), "datum 7 changed its PE")
	require.Contains(t, ask("idle --top 2"), "... and 6 more (--top 0 prints all)")
	require.NotContains(t, ask("idle --top 0"), "more (")
	require.Contains(t, ask("part --vs policy=none"), "The runs part at clock")
	require.Contains(t, ask("part --vs policy=auto"), "The runs are the same")
	var x struct {
		Says []string
		Rows []map[string]any
	}
	require.NoError(t, json.Unmarshal([]byte(ask("idle --json")), &x))
	require.Len(t, x.Rows, 8)
	require.Contains(t, x.Rows[0], "while_another_had_more")
	var list []map[string]any
	require.NoError(t, json.Unmarshal([]byte(ask("--json")), &list))
	require.Len(t, list, len(instrument.Questions()))
	for line, want := range map[string]string{
		"whi":                        `did you mean "why"`,
		"why":                        "the question is: why ITEM",
		"why 60" + run:               `"60" is no datum: expected 0 to 59`,
		"part":                       "give the other one as --vs KEY=VALUE",
		"idle --vs seed=2":           "--vs is for the question part",
		"part --vs polcy=none":       `no knob "polcy"`,
		"part --vs pes=0":            "pes",
		"part --vs pes=9 --vs pes=8": "2 times --vs",
		"idle --top -1":              "expected 0 or more",
		"idle --pes 0":               "--pes",
		"idle --items 3 --seeds 2":   "seeds",
		"idle --items 3 --every 20":  "every",
	} {
		status, _, errs := emsim(strings.Fields("mnc ask " + line)...)
		require.Equal(t, wrong, status, line)
		require.Contains(t, errs, want, line)
	}
	// A run that fails is told of, with the answer until then.
	status, out, errs := emsim(strings.Fields("mnc ask idle --items 100 --dead-at 2000:1 --stall 200000")...)
	require.Equal(t, failing, status)
	require.Contains(t, out, "statistics until it stopped")
	require.Contains(t, errs, "PE 1")
}
