//go:build slow

package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/verify"
)

// Every command of a row that is not verify itself gives the row's value.
func TestEveryCommandGivesItsRow(t *testing.T) {
	suites := verify.Suites()
	chosen, err := verify.Select(suites, nil)
	require.NoError(t, err)
	for paper, list := range chosen {
		var rest []verify.Claim
		for _, c := range list {
			if verify.Reproduce(c).Reading.Key != "0.model" {
				rest = append(rest, c)
			}
		}
		chosen[paper] = rest
	}
	rows, err := verify.Run(t.Context(), suites, chosen, nil)
	require.NoError(t, err)
	ran := map[string][]byte{}
	i := 0
	for _, s := range suites {
		for _, c := range chosen[s.Paper] {
			how := verify.Reproduce(c)
			if ran[how.Command] == nil {
				ran[how.Command] = answerOf(how)
			}
			v, err := how.Reading.Value(ran[how.Command])
			require.NoError(t, err, c.ID)
			sameValue(t, rows[i], v)
			i++
		}
	}
}
