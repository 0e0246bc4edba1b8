package command

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/machine/recipe"
)

// 'plot' writes the figure of a run, of two runs side by side, and of a failed run. Wrong arguments are rejected before
// the run.
func TestMachinePlot(t *testing.T) {
	t.Chdir(t.TempDir())
	status, out, errs := emsim(strings.Fields("mnc plot load --pes 2 --items 9 --loops 5 -o a.svg")...)
	require.Zero(t, status, errs)
	require.Contains(t, out, "a.svg: Load over time: MNC, 2 PEs")
	status, _, errs = emsim(strings.Fields("spmd plot gave --tasks 9 --vs policy=static -o b.svg")...)
	require.Zero(t, status, errs)
	text, err := os.ReadFile("b.svg")
	require.NoError(t, err)
	require.Contains(t, string(text), "policy=static: ")
	made, _ := recipe.Find(text)
	require.Equal(t, "emsim spmd plot gave --output output.svg --tasks 9 --vs policy=static", made.Command)
	status, out, _ = emsim(strings.Fields("mnc plot idle --items 100 --dead-at 2000:1 --stall 200000 " +
		"-o c.png --json")...)
	require.Equal(t, failing, status)
	require.FileExists(t, "c.png")
	require.NoError(t, json.Unmarshal([]byte(out), new(any)), out)
	for line, want := range map[string]string{
		"plot lod -o a.svg":                  `did you mean "load"`,
		"plot -o a.svg":                      "which figure? Expected one of load, gave, network, idle, knowledge, utilisation",
		"plot load gave -o a.svg":            "which figure",
		"plot load":                          "-o needs a file that ends in .svg or .png",
		"plot load -o a.pdf":                 "-o needs a file",
		"plot load -o a.svg --vs polcy=none": `no knob "polcy"`,
		"plot load -o a.svg" + strings.Repeat(" --vs policy=none", 8): "8 times --vs: at most 7",
		"plot load -o a.svg --series s.csv":                           "series",
	} {
		status, _, errs := emsim(strings.Fields("mnc " + line)...)
		require.Equal(t, wrong, status, line)
		require.Contains(t, errs, want, line)
	}
}

// 'report' writes a page with the result's numbers, also for a failed run.
func TestMachineReport(t *testing.T) {
	t.Chdir(t.TempDir())
	status, out, errs := emsim(strings.Fields("spmd report --tasks 9 --vs policy=static -o a.html")...)
	require.Zero(t, status, errs)
	require.Contains(t, out, "a.html: 7 workstations, proposed")
	_, told, _ := emsim("spmd", "run", "--tasks", "9", "--vs", "policy=static")
	text, err := os.ReadFile("a.html")
	require.NoError(t, err)
	row := regexp.MustCompile(`<th scope="row">messages</th><td class="n">([^<]*)</td><td class="n">([^<]*)</td>`).
		FindSubmatch(text)
	require.NotNil(t, row)
	require.Regexp(t, `(?m)^messages +`+string(row[1])+` +`+string(row[2])+" ", told)
	require.NotContains(t, string(text), "wall_seconds")
	status, out, _ = emsim(strings.Fields("mnc report --items 100 --dead-at 2000:1 --stall 200000 -o c.html --json")...)
	require.Equal(t, failing, status)
	require.NoError(t, json.Unmarshal([]byte(out), new(any)), out)
	text, err = os.ReadFile("c.html")
	require.NoError(t, err)
	require.Contains(t, string(text), "then it failed: ")
	for line, want := range map[string]string{
		"report":                "-o needs a file that ends in .html",
		"report load -o a.html": "load", "report -o a.html --vs polcy=none": `no knob "polcy"`,
	} {
		status, _, errs := emsim(strings.Fields("mnc " + line)...)
		require.Equal(t, wrong, status, line)
		require.Contains(t, errs, want, line)
	}
}
