package docs_test

import (
	"path"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/programs"
)

// What fits by policy is the sweep's table; the default computes what any policy does.
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
