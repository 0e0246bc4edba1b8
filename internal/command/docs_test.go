package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// docs/COMMAND.md names every key, column and counter that the EM-4 commands print.
func TestCommandPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/COMMAND.md")
	require.NoError(t, err)
	known := map[string]bool{}
	for _, code := range regexp.MustCompile("`[^`\n]+`").FindAllString(string(page), -1) {
		for _, word := range regexp.MustCompile(`\w+`).FindAllString(code, -1) {
			known[word] = true
		}
	}
	stats, series := filepath.Join(t.TempDir(), "a.csv"), filepath.Join(t.TempDir(), "b.csv")
	for _, args := range [][]string{
		{"run", "fib", "5", "--stats", stats, "--series", series},
		{"net"},
		{"net", "traffic", "--clocks", "100"},
		{"machine", "show"},
		{"net", "traffic", "--curve", "--pes", "12", "--clocks", "10", "--warm", "10"},
	} {
		names(answer(t, args...), func(name string) { require.True(t, known[name], "%q of emsim %v", name, args) })
	}
	for _, args := range [][]string{
		{"run", "fib", "18", "--max-clocks", "2000"},
		{"run", "fib", "18", "--set", "segments=16"},
		{"run", "fib", "18", "--policy", "random", "--set", "banks=1"},
	} {
		_, out, _ := emsim(append(args, "--json")...)
		var v map[string]any
		require.NoError(t, json.Unmarshal([]byte(out), &v))
		for name := range v["error"].(map[string]any) {
			require.True(t, known[name], "%q of emsim %v", name, args)
		}
	}
	_, out, _ := emsim("verify", "002.c", "000.exact.4", "--json")
	var rows []any
	require.NoError(t, json.Unmarshal([]byte(out), &rows))
	names(rows, func(name string) { require.True(t, known[name], "%q of emsim verify", name) })
	for _, h := range append(statsHeader, seriesHeader...) {
		require.True(t, known[h], h)
	}
	for _, r := range readCSV(t, stats, statsHeader) {
		require.True(t, known[r["unit"]] && known[r["counter"]], r["counter"])
	}
}

// names calls f with every key of a JSON value; the keys of params and knobs
// are a program's and a machine's own, those of a recipe stand in docs/FORMATS.md.
func names(v any, f func(name string)) {
	switch v := v.(type) {
	case map[string]any:
		for name, x := range v {
			f(name)
			if name != "params" && name != "knobs" && name != "recipe" {
				names(x, f)
			}
		}
	case []any:
		for _, x := range v {
			names(x, f)
		}
	}
}
