package docs_test

import (
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/programs"
)

// The table of fits by policy comes from the sweep. The default policy completes every run in it.
func TestFitsByPolicy(t *testing.T) {
	p, x := loadPage(t, "PROGRAMS.md"), read(t, "policies/fits.csv")
	var lines [][]string
	for _, call := range x.distinct(row.call) {
		line := []string{"`" + path.Base(call) + "`"}
		for _, policy := range programs.Policies() {
			cell := "–"
			for _, r := range x {
				if r.call() == call && r["policy"] == policy && r["outcome"] == "ok" {
					cell = r["clocks"]
				}
			}
			line = append(line, cell)
		}
		_, err := strconv.Atoi(line[1])
		require.NoError(t, err, "%s: the default fails", call)
		lines = append(lines, line)
	}
	require.Len(t, lines, 19)
	p.block(t, "fits by policy", markdown(append([]string{"run"}, programs.Policies()...), lines))
	p.save(t)
}

// The largest arguments by policy are from the search. If memory limits a program, no policy fits more than the
// default.
func TestLargestByPolicy(t *testing.T) {
	p, x := loadPage(t, "PROGRAMS.md"), read(t, "policies/largest.csv")
	cells := map[string][]string{}
	var order []string
	for _, r := range x {
		name := path.Base(r["program"])
		if cells[name] == nil {
			cells[name], order = []string{"`" + name + "`"}, append(order, name)
		}
		cell := r["largest"]
		switch r["stops_next"] {
		case "max_clocks":
			cell = "≥ " + cell
		case "range":
			cell += ", all"
		default:
			own, err := strconv.Atoi(r["largest"])
			require.NoError(t, err)
			if len(cells[name]) > 1 {
				of, err := strconv.Atoi(strings.TrimSuffix(cells[name][1], ", all"))
				require.NoError(t, err, "%s under the default", name)
				require.LessOrEqual(t, own, of, "%s under %s", name, r["policy"])
			}
		}
		cells[name] = append(cells[name], cell)
	}
	var lines [][]string
	for _, name := range order {
		require.Len(t, cells[name], 1+len(programs.Policies()), name)
		lines = append(lines, cells[name])
	}
	p.block(t, "largest by policy", markdown(append([]string{"program"}, programs.Policies()...), lines))
	p.save(t)
}
