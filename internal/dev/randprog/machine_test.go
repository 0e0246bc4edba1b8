package randprog

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/em4"
	"emsim/internal/base/knob"
)

// Random machines vary every knob of the table, including new ones.
func TestMachineVariesEveryKnob(t *testing.T) {
	drawn := map[string]map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		c := Machine(t, 12)
		require.NoError(t, c.Validate())
		for _, r := range knob.Bind(em4.Knobs(), &c) {
			if drawn[r.Key] == nil {
				drawn[r.Key] = map[string]bool{}
			}
			drawn[r.Key][r.Text()] = true
		}
	})
	whole := []string{
		"pes", "segment_words",
		"memory_words",
	} // the caller chooses the first; the last is the largest, which random programs need
	for key, values := range drawn {
		require.Equal(t, slices.Contains(whole, key), len(values) == 1, "%s: %v", key, values)
	}
}
