package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/internal/machine/machines"
	"emsim/internal/study/sweep"
)

// docs/SWEEP.md, together with the table of statistics in docs/COMMAND.md, names every key and column. The example of
// --help is a valid sweep file.
func TestSweepPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/SWEEP.md")
	require.NoError(t, err)
	known := map[string]bool{}
	for _, code := range regexp.MustCompile("`[^`\n]+`").FindAllString(string(page)+statisticsTable(), -1) {
		for _, word := range regexp.MustCompile(`\w+`).FindAllString(code, -1) {
			known[word] = true
		}
	}
	help := newSweepCmd(&app{}).Long
	_, help, _ = strings.Cut(help, "The file is TOML:\n")
	help, _, _ = strings.Cut(help, "\nWith seeds = 32")
	plan, err := sweep.Read("help.toml", []byte(help))
	require.NoError(t, err)
	require.Len(t, plan.Points, 57)

	for _, c := range plan.Columns() {
		if strings.HasPrefix(c.Doc, "the program's parameter") || strings.HasPrefix(c.Doc, "the machine's knob") {
			continue
		}
		require.True(t, known[c.Name], c.Name)
	}
	dir := t.TempDir()
	file, table := filepath.Join(dir, "x.toml"), filepath.Join(dir, "x.csv")
	require.NoError(t, os.WriteFile(file, []byte("max_clocks = 100\n[[grid]]\nprogram = \"fib 9\"\npes = 12"), 0o600))
	seen := func(name string) { require.True(t, known[name], name) }
	var list []any
	status, out, _ := emsim("sweep", file, "--dry-run", "--json")
	require.Zero(t, status)
	require.NoError(t, json.Unmarshal([]byte(out), &list))
	require.Len(t, list, 1)
	names(list, seen)
	for _, more := range [][]string{{"--csv", table}, {"--check", table}} {
		names(jsonOf(t, append([]string{"sweep", file, "-o", dir}, more...)...), seen)
	}
	text, err := os.ReadFile(filepath.Join(dir, "x.json"))
	require.NoError(t, err)
	var sidecar map[string]any
	require.NoError(t, json.Unmarshal(text, &sidecar))
	delete(sidecar, "columns")
	delete(sidecar, "machines")
	names(sidecar, seen)
}

// docs/COMMAND.md has every number in the answers of the other machines, with its display name. The examples in
// docs/SWEEP.md and in --help are valid sweeps of such machines.
func TestSweepPageOfMachines(t *testing.T) {
	page, err := os.ReadFile("../../docs/COMMAND.md")
	require.NoError(t, err)
	const head = "| key | name | unit | meaning |\n| --- | --- | --- | --- |\n"
	for _, k := range machines.Kinds()[1:] {
		before, section, ok := strings.Cut(string(page), "\n`"+k.Run()+"`:\n")
		require.True(t, ok, k.Name)
		want := head
		for _, n := range machines.Numbers(k.Name) {
			want += fmt.Sprintf("| `%s` | %s | %s | %s |\n", n.Key, n.Label, n.Unit, n.Doc)
		}
		intro, section, _ := strings.Cut(section, "| key |")
		section, after, _ := strings.Cut("| key |"+section, "\n\n")
		if golden.Update() {
			page = []byte(before + "\n`" + k.Run() + "`:\n" + intro + want + "\n" + after)
			require.NoError(t, os.WriteFile("../../docs/COMMAND.md", page, 0o644))
			continue
		}
		require.Equal(t, want, section+"\n", k.Name)
	}
	page, err = os.ReadFile("../../docs/SWEEP.md")
	require.NoError(t, err)
	_, help, _ := strings.Cut(newSweepCmd(&app{}).Long, "'emsim machine show mnc' lists\nthem:\n")
	help, _, _ = strings.Cut(help, "\n'emsim docs SWEEP'")
	blocks := regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllSubmatch(page, -1)
	plan, err := sweep.Read("../../docs/examples/page.toml", blocks[0][1])
	require.NoError(t, err)
	require.Equal(t, []any{"pdes", 8}, []any{plan.Kind, plan.Rows()})
	plan, err = sweep.Read("page.toml", blocks[1][1])
	require.NoError(t, err)
	require.Equal(t, []any{"net", 20, 8}, []any{plan.Kind, plan.Rows(), plan.Seeds})
	plan, err = sweep.Read("help.toml", []byte(help))
	require.NoError(t, err)
	require.Equal(t, "mnc", plan.Kind)
	require.Len(t, plan.Points, 4)
}
