package machines

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/machinefile"
)

// small are changes that make a run of each kind short.
var small = map[string][]string{
	"mnc":    {"items=500", "pes=4"},
	"rhinet": {"nodes=4", "rows=64", "application=heat", "steps=20"},
	"spmd":   {"tasks=5"},
	"pdes":   {"slots=50", "migrate_at=1000"},
}

func machine(t *testing.T, kind string) *machinefile.Machine {
	t.Helper()
	k, ok := machinefile.KindOf(kind)
	require.True(t, ok)
	m := k.Make()
	require.NoError(t, m.Set(small[kind]))
	return m
}

// Every kind but the EM-4 runs here. Its numbers are keys of its answer, they
// have a description, and one of them is its time.
func TestAnswers(t *testing.T) {
	var names []string
	for _, k := range machinefile.Kinds()[1:] {
		names = append(names, k.Name)
		require.True(t, Known(k.Name))
		answer, err := Run(t.Context(), machine(t, k.Name))
		require.NoError(t, err, k.Name)
		text, err := json.Marshal(answer)
		require.NoError(t, err)
		var keys map[string]any
		require.NoError(t, json.Unmarshal(text, &keys))
		numbers := map[string]bool{}
		for _, n := range Numbers(k.Name) {
			require.IsType(t, 0., keys[n.Key], "%s: %s", k.Name, n.Key)
			require.NotEmpty(t, n.Doc, "%s: %s", k.Name, n.Key)
			numbers[n.Key] = true
		}
		for key, v := range keys {
			_, is := v.(float64)
			require.Equal(t, is && key != "wall_seconds", numbers[key], "%s: %s", k.Name, key)
		}
		require.True(t, numbers[Time(k.Name)], k.Name)
		require.Positive(t, keys[Time(k.Name)])
	}
	require.ElementsMatch(t, names, slices.Collect(maps.Keys(kinds)))
	require.False(t, Known("em4"))
	_, err := Run(t.Context(), machinefile.Kinds()[0].Make())
	require.EqualError(t, err, "the EM-4 runs programs: use 'emsim run'")
}

// A run ends with its context.
func TestEnds(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for name := range kinds {
		_, err := Run(ctx, machine(t, name))
		require.ErrorIs(t, err, context.Canceled, name)
	}
}
