//go:build slow

package docs_test

import "testing"

// The table of consecutive runs is as measured; -update writes it.
func TestAllRunsInBeyond(t *testing.T) {
	head := []string{"program", "80: static", "80: MLPE", "1024: static", "1024: MLPE"}
	p := load(t)
	var lines [][]string
	for _, call := range read(t, "beyond/remedies.csv").distinct(row.call) {
		lines = append(lines, runsCells(t, call, len(head)-1))
	}
	p.block(t, "runs", markdown(head, lines))
	p.save(t)
}
