package spmd

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/base/state"
	"emsim/internal/dev/statetest"
)

// runOf returns a run of a configuration for tests of its state.
func runOf(c Config) statetest.Run {
	return func(ctx context.Context, m *state.Snapshots) (any, error) {
		return RunWatched(ctx, c, Watch{Snapshots: m})
	}
}

// A run that is resumed at any time equals the uninterrupted run, and no damaged state makes the machine panic.
func TestResumed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawConfig(t, 0)
		r, err := Run(t.Context(), c)
		require.NoError(t, err)
		times := rapid.SliceOfNDistinct(rapid.Int64Range(0, r.FinishUS()), 1, 4, rapid.ID[int64]).Draw(t, "times")
		slices.Sort(times)
		if states := statetest.Resumed(t, times, runOf(c)); len(states) > 0 { // there are none at the end
			statetest.Damaged(t, states[0], times[0], rapid.Uint64().Draw(t, "damage"), 20, runOf(c))
		}
	})
}

// Every field of a machine changes the hash, except fields that follow from its configuration.
func TestHashSeesEveryField(t *testing.T) {
	c := Paper(Proposed)
	c.RequestAgain, c.LatencyUS = true, 300_000
	w := statetest.Fields{NoState: map[string]string{
		"spmd.machine.Config":    "parameters",
		"spmd.machine.requester": "a parameter",
		"spmd.machine.sizes":     "parameters",
		"spmd.machine.watch":     "an observer",
		"spmd.machine.left":      "follows from the processors",
		"spmd.machine.shown":     "when the observer sees the state",
		"spmd.machine.record":    "an observer",
		"spmd.processor.taskUS":  "a parameter",
		"spmd.processor.rng":     "draws from source",
		"spmd.processor.phase":   "drawn before the run, from the seed",
		"spmd.Result.Seed":       "a parameter",
	}, Most: 20}
	var m *machine
	m = newMachine(c, Watch{Snapshots: &state.Snapshots{
		At: 20_000_000,
		Show: func(at int64, walk func(*state.Codec)) int64 {
			w.Check(t, m, func() uint64 {
				c := state.Saver(nil)
				walk(c)
				return state.Hash(c.Bytes())
			})
			return at + 10_000_000
		},
	}})
	require.NoError(t, m.begin())
	_, err := m.runEvents(t.Context())
	require.NoError(t, err)
	w.Finish()
}
