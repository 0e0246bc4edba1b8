package machines

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestImbalanceAndShare(t *testing.T) {
	require.InDelta(t, 1.5, imbalance([]int64{3, 2, 1}), 1e-12)
	require.InDelta(t, 1, imbalance([]int64{2, 2}), 1e-12)
	require.InDelta(t, 1, imbalance([]int64{0, 0}), 1e-12, "no work is even")
	require.InDelta(t, 0.5, share([]int64{3, 2, 1}, 4), 1e-12)
	require.Zero(t, share([]int64{3}, 0))
	require.Zero(t, share([]int64{}, 3))
}

// Every machine has the five shared keys, and their general properties hold.
func TestSharedKeys(t *testing.T) {
	for name := range small {
		if name == "net" { // it has no work to balance
			continue
		}
		answer, err := Run(t.Context(), machine(t, name), Watch{})
		require.NoError(t, err)
		text, err := json.Marshal(answer)
		require.NoError(t, err)
		var keys map[string]any
		require.NoError(t, json.Unmarshal(text, &keys))
		number := func(key string) float64 {
			require.IsType(t, 0., keys[key], "%s: %s", name, key)
			return keys[key].(float64)
		}
		if name == "rhinet" {
			require.InDelta(t, number("finish_s"), number("time"), 0)
		} else {
			require.InDelta(t, number(ModelOf(name).Time), number("time"), 0, name)
		}
		require.Positive(t, number("efficiency"), name)
		require.LessOrEqual(t, number("efficiency"), 1., name)
		require.GreaterOrEqual(t, number("imbalance"), 1., name)
		require.Positive(t, number("messages"), name)
		require.GreaterOrEqual(t, number("transfers"), 0., name)
	}
}
