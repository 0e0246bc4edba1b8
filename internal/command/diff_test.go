package command

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// The debugger's page shows what 'emsim diff' prints.
func TestDebugPageShowsADiff(t *testing.T) {
	text, err := os.ReadFile(debugFile)
	require.NoError(t, err)
	before, block, _ := strings.Cut(string(text), "```\n$ emsim diff ")
	line, block, _ := strings.Cut(block, "\n")
	_, rest, _ := strings.Cut(block, "```\n")
	status, out, errs := emsim(append([]string{"diff"}, strings.Fields(line)...)...)
	require.Equal(t, failing, status, errs)
	var trimmed strings.Builder
	for l := range strings.Lines(out) {
		trimmed.WriteString(strings.TrimRight(l, " \n") + "\n")
	}
	got := before + "```\n$ emsim diff " + line + "\n" + trimmed.String() + "```\n" + rest
	if golden.Update() {
		require.NoError(t, os.WriteFile(debugFile, []byte(got), 0o644))
		return
	}
	require.Equal(t, string(text), got, "the page is behind the machine: go test ./internal/command -run "+
		"DebugPage -update")
}

// Every key of the answer is on the page.
func TestDiffKeys(t *testing.T) {
	page, err := os.ReadFile("../../docs/COMMAND.md")
	require.NoError(t, err)
	_, row, _ := strings.Cut(string(page), "\n| `diff` |")
	row, _, _ = strings.Cut(row, "\n")
	for args, compared := range map[string]string{
		"policy=line": "actions", "hop_clocks=1,seed=9": "state",
		"pes=32": "results",
	} {
		status, out, errs := emsim("diff", "fib", "8", "--pes", "12", "--max-clocks", "300", "--json", "--vs", args)
		require.Equal(t, failing, status, errs)
		var x map[string]any
		require.NoError(t, json.Unmarshal([]byte(out), &x))
		require.Equal(t, compared, x["compared"])
		for _, side := range []string{"a", "b"} {
			require.Equal(t, "fib", x[side].(map[string]any)["run"].(map[string]any)["program"])
			delete(x[side].(map[string]any), "run") // its keys are documented at emsim run
		}
		names(x, func(name string) {
			if name != "recipe" {
				require.Contains(t, row, "`"+name+"`")
			}
		})
	}
}
