package command

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A question about a run of a program gives an answer; wrong questions are rejected.
func TestAskAProgram(t *testing.T) {
	const run = " fib 6 --pes 12"
	ask := func(line string) (x struct {
		Says []string
		Rows []map[string]any
	},
	) {
		status, out, errs := emsim(append([]string{"ask", "--json"}, strings.Fields(line)...)...)
		require.Zero(t, status, "%s: %s", line, errs)
		require.NoError(t, json.Unmarshal([]byte(out), &x))
		return x
	}
	require.Equal(t, []string{"call 0 changed its PE 0 times."}, ask("why 0"+run).Says)
	require.Len(t, ask("idle"+run).Rows, 12)
	same, other := ask("part"+run+" --vs policy=ring"), ask("part"+run+" --vs policy=line")
	require.Regexp(t, `^The runs are the same, in all \d+ events\.$`, same.Says[0])
	require.Regexp(t, `^The runs diverge at [0-9,]+ clocks, after \d+ equal events; `+
		`they end at [0-9,]+ clocks and [0-9,]+ clocks\.$`, other.Says[0])
	held, path := ask("held"+run), 0.
	for _, row := range held.Rows {
		path += row["time"].(float64)
	}
	require.EqualValues(t, jsonOf(t, strings.Fields("run"+run)...)["clocks"], path, "the path is as long as the run")
	found := ask("truth 0 400 fib 8 --pes 12 --mlpe").Rows
	require.NotEmpty(t, found, "PE 0 has heard of the PE that its search found")
	require.LessOrEqual(t, found[0]["of"], 400.)
	for line, want := range map[string]string{
		"hold fib 5":                      `did you mean "held"`,
		"held":                            "which program? For example: emsim ask held fib 10",
		"why fib 5":                       "the question is: why ITEM",
		"why 9999" + run:                  `there is no call "9999": expected 0 to `,
		"idle fib 5 --vs seed=2":          "give one --vs KEY=VALUE",
		"part fib 5 --vs polcy=line":      `did you mean "policy"`,
		"way 5x fib 5":                    "the question is: way TIME",
		"held nosuch.s":                   "nosuch.s",
		"held fib 20 --max-clocks banana": "max-clocks",
	} {
		status, _, errs := emsim(append([]string{"ask"}, strings.Fields(line)...)...)
		require.Equal(t, wrong, status, line)
		require.Contains(t, errs, want, line)
	}
}

// The file of --events agrees with the machine's counters and is in the order of time. Writing it does not change the
// run.
func TestEventsOfAProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "e.csv")
	line := strings.Fields("run fib 8 --pes 12 --mlpe")
	plain, watched := jsonOf(t, line...), jsonOf(t, append(line, "--events", file)...)
	require.Equal(t, plain["hash"], watched["hash"])
	require.Equal(t, plain["clocks"], watched["clocks"])
	count, last := map[string]int{}, 0
	for _, row := range readCSV(t, file, columnsOf("events")) {
		at, err := strconv.Atoi(row["time"])
		require.NoError(t, err)
		require.GreaterOrEqual(t, at, last)
		last = at
		count[row["event"]]++
	}
	require.LessOrEqual(t, float64(last), watched["clocks"])
	require.EqualValues(t, watched["calls"], count["begins"])
	require.EqualValues(t, watched["remote_calls"], count["gives"])
	require.EqualValues(t, watched["mlpe_packets"], count["learns"])
	for flags, want := range map[string]string{
		"--runs 2":         "--events needs a single run; leave --runs out",
		"--seeds 2":        "--stats and --series and --events need a single run; leave --seeds and --vs out",
		"--vs policy=line": "--stats and --series and --events need a single run; leave --seeds and --vs out",
	} {
		status, _, errs := emsim(strings.Fields("run fib 5 --events " + file + " " + flags)...)
		require.Equal(t, wrong, status, flags)
		require.Contains(t, errs, want, flags)
	}
}
