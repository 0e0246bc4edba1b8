//go:build slow

package docs_test

import "testing"

// The whole table of consecutive runs; -update writes it.
func TestAllRunsInBeyond(t *testing.T) {
	p := load(t)
	var lines [][]string
	for _, call := range read(t, "beyond/remedies.csv").distinct(row.call) {
		lines = append(lines, runsCells(t, call, len(runsHead)-1))
	}
	p.block(t, "runs", markdown(runsHead, lines))
	p.save(t)
}
