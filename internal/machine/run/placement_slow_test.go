//go:build slow

package run

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

const placementTable, placementPage = "../../../docs/placement.csv", "../../../docs/DATAFLOW.md"

// The published table compares the choice of placement auto with every fixed choice, for every program in Go. With
// -update the test writes it. Each program has a subtest, so that -run can select some.
func TestPlacementTable(t *testing.T) {
	args := map[string]string{
		"fib": "18", "knapsack": "14", "queens": "8", "loop": "50", "sum": "20000", "pi": "60",
		"matmul": "8", "sort": "200", "stream": "20",
	}
	files, err := filepath.Glob("../../../programs/go/*/*.go")
	require.NoError(t, err)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".go")
		t.Run(name, func(t *testing.T) {
			rows, page := "", ""
			for _, pes := range []int{12, 80, 1024} {
				r, p := comparison(t, file, name, args[name], pes)
				rows, page = rows+r, page+p
			}
			head, table := read(t, placementTable), ""
			head, table, _ = strings.Cut(head, "\n")
			checkPart(t, placementTable, head+"\n", name+",", table, rows)
			before, rest, ok := strings.Cut(read(t, placementPage), "<!-- placement -->\n")
			require.True(t, ok)
			rest, after, ok := strings.Cut(rest, "<!-- end -->\n")
			require.True(t, ok)
			titles := strings.Index(rest, "| `")
			checkPart(t, placementPage, before+"<!-- placement -->\n"+rest[:titles], "| `"+name+
				" ", rest[titles:], page, "<!-- end -->\n"+after)
		})
	}
}

// comparison runs a program with all choices on a machine, and returns lines for the file and for the page.
func comparison(t *testing.T, file, name, arg string, pes int) (rows, page string) {
	auto := placedRun(t, file, arg, pes, map[string]string{"placement": "auto"})
	require.NotZero(t, auto.clocks)
	list := fixedChoices(t, file, arg, pes)
	least := fastest(list)
	for _, x := range list {
		rows += fmt.Sprintf("%s,%s,%d,%s,%s,%s,%s,%d,%.3f,%t\n", name, arg, pes, x.policy, x.mlpe, x.blocks, x.guards,
			x.clocks,
			float64(x.clocks)/float64(least.clocks), auto.String() == x.String())
	}
	by, first := auto.by(least), auto.by(list[0])
	page = fmt.Sprintf("| `%s %s` | %d | %d | %s | %d | %s | %d | %.2f | %.2f |\n", name, arg, pes, list[0].clocks,
		least, least.clocks, auto, auto.clocks, by, first)
	t.Log(strings.TrimSpace(page))
	return rows, page
}

// fixedChoices returns the runs of all choices, the default first.
func fixedChoices(t *testing.T, file, arg string, pes int) []placed {
	var list []placed
	for _, guards := range []string{"caller", "callee"} {
		for _, blocks := range []string{"largest", "medium", "finest"} {
			list = append(list, policies(t, file, arg, pes, map[string]string{"blocks": blocks, "guards": guards})...)
		}
	}
	return list
}

// For runs that are too long to try, the page says how the choice for smaller arguments compares with the best policy
// and with the default.
func TestPlacementOfSmallerArguments(t *testing.T) {
	page := "| run | PEs | auto chooses | by best | by default |\n|---|--:|---|--:|--:|\n"
	for _, p := range []struct {
		name, arg string
		pes       int
	}{{"fib", "24", 80}, {"fib", "25", 192}, {"knapsack", "19", 80}, {"knapsack", "20", 192}, {"queens", "10", 80}} {
		auto, by := autoBy(t, p.name, p.arg, p.pes)
		page += fmt.Sprintf("| `%s %s` | %d | %s | %.2f | %.2f |\n", p.name, p.arg, p.pes, auto, by[0], by[1])
	}
	before, rest, ok := strings.Cut(read(t, placementPage), "<!-- smaller -->\n")
	require.True(t, ok)
	have, after, ok := strings.Cut(rest, "<!-- end -->\n")
	require.True(t, ok)
	t.Log(page)
	if golden.Update() {
		require.NoError(t, os.WriteFile(placementPage, []byte(before+"<!-- smaller -->\n"+page+"<!-- end -->\n"+after),
			0o644))
		return
	}
	require.Equal(t, page, have)
}

func read(t *testing.T, file string) string {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}

// checkPart compares the lines with a prefix in a file's table, or, with -update, replaces them. Lines are in the order
// of the programs.
func checkPart(t *testing.T, file, head, prefix, table, want string, tail ...string) {
	var have, before, after string
	for line := range strings.Lines(table) {
		switch {
		case strings.HasPrefix(line, prefix):
			have += line
		case line < prefix:
			before += line
		default:
			after += line
		}
	}
	if golden.Update() {
		require.NoError(t, os.WriteFile(file, []byte(head+before+want+after+strings.Join(tail, "")), 0o644))
		return
	}
	require.Equal(t, want, have)
}
