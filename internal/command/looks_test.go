package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Profiles and questions of all machines answer in the form of run: title and machine, time, work, what limited the
// run, lists whose times have a unit, and a command to try next, which exists. JSON says what ran and has the first
// rows.
func TestLooksHaveTheFormOfRun(t *testing.T) {
	t.Chdir(t.TempDir())
	for run, c := range map[string]struct{ unit, key string }{
		"mnc NAME --pes 8 --items 60 --loops 50": {"clocks", "clocks"},
		"rhinet NAME --nodes 4 --rows 32":        {"s", "total_s"},
		"spmd NAME --tasks 5":                    {"s", "finish_s"},
		"pdes NAME --slots 20":                   {"clocks", "clocks"},
		"balance NAME --workers 3 --policy ring": {"ticks", "ticks"},
		"NAME fib 6 --pes 12":                    {"clocks", "time_ms"},
	} {
		for _, name := range []string{"profile", "ask held", "ask idle", "ask cost"} {
			line := strings.Replace(run, "NAME", name, 1)
			if strings.HasPrefix(line, "pdes ask idle") { // which pdes refuses
				continue
			}
			status, out, errs := emsim(strings.Fields(line)...)
			require.Zero(t, status, errs)
			require.Regexp(t, `(?s)^\S[^\n]* (MNC|RHiNET|[0-9] workstations|HXB|common ground|EM-4)[^\n]*\n.*`+
				`\n  time  .*\n  (work|utilisation|executing)  .*\n  limited by  .*\nnext: emsim `, out, line)
			require.Contains(t, strings.Fields(strings.ReplaceAll(out, "PE-clocks", "clocks")), c.unit, line)
			x := jsonOf(t, strings.Fields(line)...)
			require.Contains(t, x, c.key, line)
			require.Contains(t, x, "machine", line)
			_, next, _ := strings.Cut(out, "\nnext: emsim ")
			next, _, _ = strings.Cut(strings.ReplaceAll(next, "\n", "  "), "  ")
			status, _, errs = emsim(strings.Fields(next)...)
			require.Zero(t, status, "%s: %s", next, errs)
		}
	}
}
