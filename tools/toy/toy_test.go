package toy

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/command"
)

// TestMain makes the test's binary work as emsim with one more machine.
func TestMain(m *testing.M) {
	if os.Getenv("EMSIM_WITH_TOY") == "" {
		os.Exit(m.Run())
	}
	Add()
	os.Exit(command.Main())
}

// emsim executes a command line in a folder.
func emsim(t *testing.T, dir, line string) string {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, strings.Fields(line)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "EMSIM_WITH_TOY=1")
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	require.NoError(t, err, "%s\n%s%s", line, out, &errs)
	return string(out)
}

// A machine needs a table of knobs, a run and a Model. Run, sweep, plot, report, profile, trace, questions, checkpoints
// and the debugger then work without further code.
func TestNewMachine(t *testing.T) {
	text, err := os.ReadFile("toy.go")
	require.NoError(t, err)
	require.LessOrEqual(t, strings.Count(string(text), "\n"), 150, "a machine of one page")
	dir := t.TempDir()
	do := func(line string) string { return emsim(t, dir, line) }
	number := func(text, key string) float64 {
		var x map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &x))
		v, ok := x[key].(float64)
		require.True(t, ok, "%s in %s", key, text)
		return v
	}
	// 40 items on two workers, 10 clocks each: the first round moves one item, and from then on both work.
	require.EqualValues(t, 210, number(do("toy run --workers 2 --json"), "clocks"))
	require.Contains(t, do("toy run"), "of the workers' time")
	require.Contains(t, do("toy run --vs workers=2"), "workers=2")
	require.Contains(t, do("machine show toy"), "workers = 8")

	whole := do("toy run --json --series whole.csv")
	do("toy run --checkpoint half.ckp --at 25")
	rest := do("toy run --resume half.ckp --json --series rest.csv")
	require.Equal(t, number(whole, "clocks"), number(rest, "clocks"))
	require.Equal(t, number(whole, "transfers"), number(rest, "transfers"))
	all, err := os.ReadFile(filepath.Join(dir, "whole.csv"))
	require.NoError(t, err)
	later, err := os.ReadFile(filepath.Join(dir, "rest.csv"))
	require.NoError(t, err)
	rows := strings.SplitAfter(string(later), "\n")
	require.True(t, strings.HasSuffix(string(all), strings.Join(rows[1:], "")), "the rest's samples end the whole's")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "s.toml"),
		[]byte("title = \"rings\"\n[[grid]]\nmachine = \"toy\"\nset = { workers = [2, 8] }\n"), 0o600))
	do("sweep s.toml --csv s.csv")
	table, err := os.ReadFile(filepath.Join(dir, "s.csv"))
	require.NoError(t, err)
	require.Contains(t, string(table), "210")

	require.Contains(t, do("toy ask why 39"), "two fewer")
	require.Contains(t, do("toy profile"), "work")
	for _, file := range []string{"series.svg", "load.svg", "run.html", "run.csv", "e.csv"} {
		do(map[string]string{
			"series.svg": "plot series whole.csv -o series.svg",
			"load.svg":   "toy plot load -o load.svg", "run.html": "toy report -o run.html",
			"run.csv": "toy trace -o run.csv", "e.csv": "toy run --events e.csv",
		}[file])
		info, err := os.Stat(filepath.Join(dir, file))
		require.NoError(t, err)
		require.Greater(t, info.Size(), int64(300), file)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "commands"), []byte("goto 25\nstep\n"), 0o600))
	require.Regexp(t, `\(25\) step\n30 clocks: worker 0 ends item 2: it is done`, do("toy debug --commands commands"))
}
