//go:build slow

package programs_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/programs"
)

// The table has the measured rows for all programs; -update writes them.
func TestSuits(t *testing.T) {
	rows := []string{
		"| run | suits | " + strings.Join(programs.Policies(), " | ") + " | why |",
		"| --- | --- |" + strings.Repeat(" --: |", len(programs.Policies())) + " --- |",
	}
	for _, p := range programs.List() {
		rows = append(rows, suitRow(t, p))
	}
	table(t, "suits", rows)
}

// A policy that is twice as fast stays so up to the largest argument.
func TestSuitsFarther(t *testing.T) {
	for _, p := range programs.List() {
		for n := p.Suits.Twice; n > 0 && n <= uint64(p.Args[0].Max); n *= 3 {
			clocks := map[string]uint64{}
			for _, policy := range []string{programs.Policies()[0], p.Suits.Policy} {
				m, _ := ready(t, p.Name, 80, variant{policy: policy})
				r, err := m.Run(context.Background(), []uint64{n}, em4.RunOptions{})
				require.NoError(t, err)
				clocks[policy] = r.Clocks
			}
			require.GreaterOrEqual(t, clocks[programs.Policies()[0]], 2*clocks[p.Suits.Policy], "%s %d", p.Name, n)
		}
	}
}
