package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The clocks of 'plot speedup' are those of 'run' with the same settings, and what has no
// meaning there is refused.
func TestPlotSpeedup(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.svg")
	status, _, errs := emsim("plot", "speedup", "fib", "8", "--pes", "80", "--vs", "policy=line", "-o", file)
	require.Zero(t, status, errs)
	svg, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, policy := range []string{"ring", "line"} {
		said := answerText(t, "run", "fib", "8", "--pes", "80", "--policy", policy)
		_, rest, found := strings.Cut(said, " ms  ")
		require.True(t, found, said)
		clocks, _, _ := strings.Cut(rest, " clocks")
		require.Contains(t, string(svg), ">"+clocks+" clocks<", policy)
		require.Contains(t, string(svg), ">policy="+policy+"<")
	}
	for line, want := range map[string]string{
		"":                            "which program?",
		"fib 3 --pes 13":              "the nearest sizes are 12 and 32",
		"fib 3 --pes 12":              "it must be 32 or more",
		"fib 3 --vs pes=32":           "leave pes out",
		"fib 3 --vs polcy=line":       `did you mean "policy"`,
		"fib 3 --sample 5":            "--sample has no effect on speedup",
		"--resume x.ckp":              "--resume has no effect on speedup",
		"fib 3 --width 3":             "--width is 3, it must be 10..200",
		"fib 8 --max-clocks 99":       "on 12 PEs: ",
		"fib 3 --vs policy=nosuch.s5": `--vs "policy=nosuch.s5"`,
	} {
		status, _, errs := emsim(append([]string{"plot", "speedup", "-o", file}, strings.Fields(line)...)...)
		require.NotZero(t, status, line)
		require.Contains(t, errs, want, line)
	}
}
