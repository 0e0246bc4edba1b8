package statetest

import (
	"bytes"
	"context"
	"math/rand/v2"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/state"
	"emsim/internal/dev/golden"
)

// TB is a test, of package testing or of rapid.
type TB interface {
	golden.TB
	require.TestingT
}

// A Run runs a machine with snapshots, and returns its result.
type Run func(ctx context.Context, m *state.Snapshots) (result any, err error)

// Resumed does a run and saves its state at the given times, which must increase. It repeats the run from each of these
// states, and from the state saved when the run's context is cancelled. All later states and the result must be the
// same. Resumed returns the states of the times that the run reached.
func Resumed(t TB, times []int64, run Run) (states [][]byte) {
	next := func(i int) int64 {
		if i < len(times) {
			return times[i]
		}
		return state.Never
	}
	want, wantErr := run(context.Background(),
		&state.Snapshots{At: next(0), Show: func(at int64, walk func(*state.Codec)) int64 {
			require.Equal(t, times[len(states)], at)
			states = append(states, saved(walk))
			return next(len(states))
		}})
	for i := range states {
		n := i
		got, err := run(context.Background(), &state.Snapshots{
			Resume: states[i], From: times[i], At: times[i],
			Show: func(at int64, walk func(*state.Codec)) int64 {
				require.True(t, bytes.Equal(states[n], saved(walk)), "the state at %d of a run that continues from %d",
					at,
					times[i])
				n++
				return next(n)
			},
		})
		require.Equal(t, len(states), n, "states shown by a run that continues from %d", times[i])
		require.Equal(t, wantErr, err)
		golden.Same(t, want, got, "the result")
	}
	var stopped state.Snapshots
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, err := run(ctx, &state.Snapshots{At: next(0), Show: func(int64, func(*state.Codec)) int64 {
		cancel()
		return state.Never
	}, Stop: func(at int64, walk func(*state.Codec)) {
		stopped = state.Snapshots{Resume: saved(walk), From: at}
	}})
	if stopped.Resumed() {
		require.ErrorIs(t, err, context.Canceled)
		got, err := run(context.Background(), &stopped)
		require.Equal(t, wantErr, err)
		golden.Same(t, want, got, "the result of a run that was stopped at %d", stopped.From)
	}
	return states
}

func saved(walk func(*state.Codec)) []byte {
	c := state.Saver(nil)
	walk(c)
	return c.Bytes()
}

func guarded(ctx context.Context, run Run, m *state.Snapshots) (err error) {
	defer m.Guard(&err)
	_, err = run(ctx, m)
	return err
}

// Damaged restores truncated states, and states with random words changed. The run must not panic: it must reject the
// state, or continue until it saves a state at time from or later.
func Damaged(t TB, good []byte, from int64, seed uint64, tries int, run Run) {
	rng := rand.New(rand.NewPCG(seed, 77))
	refused := 0
	for k := range tries {
		b := bytes.Clone(good)
		what := 8 * rng.IntN(len(b)/8)
		if k%4 == 0 {
			b = b[:what]
		} else {
			b[what+rng.IntN(8)*rng.IntN(2)] ^= 1 << rng.IntN(8)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		err := guarded(ctx, run, &state.Snapshots{
			Resume: b, From: from, At: from,
			Show: func(int64, func(*state.Codec)) int64 {
				cancel()
				return state.Never
			},
		})
		require.NotErrorIs(t, ctx.Err(), context.DeadlineExceeded,
			"a state with byte %d changed: the run never comes to time %d", what, from)
		cancel()
		if len(b) < len(good) {
			require.ErrorIs(t, err, state.ErrMisfit)
		}
		if err != nil {
			refused++
		}
	}
	require.Greater(t, refused, tries/4)
}
