package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// 'plot motion' shows the clocks that it is asked for, else the busiest ones, and refuses what has
// no meaning there.
func TestPlotMotion(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m.svg")
	for line, want := range map[string]string{
		"fib 8 --pes 12 --from 50 --clocks 40": "clocks 50 to 89 at 8 a second",
		"fib 3 --pes 12":                       "clocks 0 to ",
	} {
		status, out, errs := emsim(append([]string{"plot", "motion", "-o", file}, strings.Fields(line)...)...)
		require.Zero(t, status, errs)
		require.Contains(t, out, " PEs work at once")
		svg, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(svg), want)
	}
	for line, want := range map[string]string{
		"motion":                                "which program?",
		"motion fib 3 --clocks 0":               "--clocks is 0, it must be 1..600",
		"motion fib 3 --from 9999999":           "has ended before clock 9999999",
		"motion fib 3 --vs policy=line":         "--vs has no effect on motion",
		"motion --resume x.ckp":                 "--resume has no effect on motion",
		"timeline fib 3 --from 3":               "--from has no effect on timeline",
		"mnc-map --clocks 3":                    "--clocks has no effect on mnc-map",
		"motion fib 16 --pes 1024 --clocks 300": "at most 400 are useful on a page",
	} {
		status, _, errs := emsim(append([]string{"plot", "-o", file}, strings.Fields(line)...)...)
		require.NotZero(t, status, line)
		require.Contains(t, errs, want, line)
	}
}
