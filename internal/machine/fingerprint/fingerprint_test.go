package fingerprint

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
)

// The recorded fingerprint is the fingerprint of the present models, on every kind of processor.
func TestRecorded(t *testing.T) {
	got, err := Measure(t.Context())
	require.NoError(t, err)
	require.Equal(t, Recorded, got, "a model has changed: if that is meant, record the new fingerprint and say so "+
		"in CHANGELOG.md")
}

// The numbers in the digest are numbers of the answers.
func TestNumbers(t *testing.T) {
	for _, r := range otherRuns {
		keys := map[string]bool{}
		for _, n := range machines.Numbers(r.machine) {
			keys[n.Key] = true
		}
		for _, n := range r.numbers {
			require.True(t, keys[n], "%s has no %s", r.machine, n)
		}
	}
}

// Every machine has a part in the fingerprint: a change of any run changes it.
func TestEveryMachineCounts(t *testing.T) {
	in := map[string]bool{"emc-r": len(programRuns) > 0}
	for i := range otherRuns {
		r := &otherRuns[i]
		in[r.machine] = true
		kept := r.changes
		r.changes = kept[:len(kept)-1]
		got, err := Measure(t.Context())
		r.changes = kept
		require.NoError(t, err)
		require.NotEqual(t, Recorded, got, r.machine)
	}
	for i := range programRuns {
		r := &programRuns[i]
		kept := r.arg
		r.arg = "9"
		got, err := Measure(t.Context())
		r.arg = kept
		require.NoError(t, err)
		require.NotEqual(t, Recorded, got, r.program)
	}
	for _, k := range machinefile.Kinds() {
		require.True(t, in[k.Name] || in["emc-r"] && k.Name == machinefile.Kinds()[0].Name, k.Name)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err := Measure(ctx)
	require.Error(t, err)
}
