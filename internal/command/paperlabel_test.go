package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/base/answer"
	"emsim/internal/machine/machines"
	"emsim/internal/machine/run"
	"emsim/verify"
)

// Every number that a row of a paper can show next to a run has a label of its own: no key with spaces is printed.
func TestPaperNumbersHaveLabels(t *testing.T) {
	spec := run.Spec{
		Machine: run.Machine{Name: "emc-r"}, Program: "fib", Args: []string{"3"}, Seed: 1, Threads: 1,
	}
	target, err := spec.Load(t.Context())
	require.NoError(t, err)
	require.NoError(t, target.Boot(t.Context(), em4.ToEnd))
	b := run.New(target, run.Plan{Runs: 1, Window: 1})
	require.NoError(t, b.Begin())
	require.NoError(t, b.Advance(t.Context(), em4.ToEnd))
	one, _ := b.EndRun(nil)
	program, seen := b.Answer(one).Said(), 0
	for _, s := range verify.Suites() {
		claims, err := verify.Claims(s.Paper)
		require.NoError(t, err)
		for _, c := range claims {
			how := verify.Reproduce(c)
			words := strings.Fields(how.Command)
			if _, isNumber := c.Number(); !isNumber || len(words) < 3 {
				continue
			}
			kind, x := words[1], program
			switch {
			case c.Class == verify.Regression:
				continue
			case machines.ModelOf(kind) != nil:
				x = &answer.Answer{Fields: machines.Numbers(kind)}
			case kind != "run":
				continue
			}
			if f := x.Field(statisticKey(x, paperKey(how.Reading))); f != nil {
				seen++
				if f.Label == "" {
					t.Errorf("%s: the key %s of %s has no label", c.ID, f.Key, how.Command)
				}
			}
		}
	}
	require.Greater(t, seen, 50)
}
