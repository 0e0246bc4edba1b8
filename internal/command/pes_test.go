package command

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/simerr"
	"emsim/internal/machine/run"
)

// Any --pe gives an ordered list of PEs of the machine, or the user gets an error.
func FuzzPEs(f *testing.F) {
	for _, s := range []string{
		"", "[0,0]", "1.2", "3-7, [2,1] 0", "11", "12", "5-3", "[0,0", "99999999999999999999",
		"-1", "1-", "[1,1][2,2]",
	} {
		f.Add(s)
	}
	pes := 12
	spec := run.Spec{
		Machine: run.Machine{Name: "emc-r", PEs: &pes}, Program: "fib", Args: []string{"3"}, Seed: 1,
		Threads: 1,
	}
	target, err := spec.Load(context.Background())
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, list string) {
		chosen, err := readPEs(list, target)
		if err != nil {
			if !errors.As(err, new(*simerr.Usage)) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		require.NotEmpty(t, chosen)
		require.True(t, slices.IsSorted(chosen))
		require.Len(t, slices.Compact(slices.Clone(chosen)), len(chosen))
		require.GreaterOrEqual(t, chosen[0], 0)
		require.Less(t, chosen[len(chosen)-1], target.Config().PEs)
	})
}
