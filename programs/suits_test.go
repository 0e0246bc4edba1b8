package programs_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/emcr"
	"emsim/programs"
)

// suitRow measures a program under all policies, and compares the result with the table of programs.
func suitRow(t *testing.T, p programs.Program) string {
	t.Helper()
	n, clocks, least := p.Typical[0], map[string]uint64{}, ^uint64(0)
	if p.Suits.Twice > 0 {
		n = p.Suits.Twice
	}
	row := fmt.Sprintf("| `%s %d` | %s |", p.Name, n, p.Suits.Policy)
	for _, policy := range programs.Policies() {
		m, _ := ready(t, p.Name, 80, variant{policy: policy})
		r, err := m.Run(context.Background(), []uint64{n}, em4.RunOptions{})
		if err != nil {
			var fault *emcr.Fault
			require.ErrorAs(t, err, &fault)
			row += " – |"
			continue
		}
		clocks[policy], least = r.Clocks, min(least, r.Clocks)
		row += fmt.Sprintf(" %d |", r.Clocks)
	}
	chosen, usual := float64(clocks[p.Suits.Policy]), float64(clocks[programs.Policies()[0]])
	require.Positive(t, chosen, p.Name)
	require.LessOrEqual(t, chosen, 1.1*float64(least), "%s: %s is not among the fastest, of %v", p.Name, p.Suits.Policy,
		clocks)
	require.Equal(t, p.Suits.Twice > 0, usual >= 2*chosen, "%s: is %s twice as fast as the default? %v", p.Name,
		p.Suits.Policy, clocks)
	return row + " " + p.Suits.Why + " |"
}

// Some rows of the table in docs/PROGRAMS.md are as measured.
func TestSomeSuits(t *testing.T) {
	text, err := os.ReadFile(docs)
	require.NoError(t, err)
	for _, p := range programs.List() {
		if slices.Contains([]string{"matmul", "pi", "queens"}, p.Name) {
			require.Contains(t, strings.Split(string(text), "\n"), suitRow(t, p))
		}
	}
}
