package verify

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/cluster/rhinet"
	"emsim/mnc"
)

// A caller that needs a run in progress waits for it. The result is kept, even if it is an error.
func TestStoreRunsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s store[string, int]
		times := 0
		run := func(_ context.Context) (int, error) {
			times++
			time.Sleep(time.Hour)
			return times, errors.New("a fault")
		}
		got := make(chan int, 3)
		for range cap(got) {
			go func() {
				v, err := s.once(t.Context(), "a", run)
				require.EqualError(t, err, "a fault")
				got <- v
			}()
		}
		for range cap(got) {
			require.Equal(t, 1, <-got)
		}
		v, _ := s.once(t.Context(), "a", run)
		require.Equal(t, 1, v)
		v, _ = s.once(t.Context(), "b", run)
		require.Equal(t, 2, v)
	})
}

// A run that one caller gives up is done by another. A caller that gives up waiting does not affect the others.
func TestStoreGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s store[string, int]
		soon, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		sooner, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		run := func(ctx context.Context) (int, error) {
			select {
			case <-time.After(time.Hour):
				return 1, nil
			case <-ctx.Done():
				return 0, ctx.Err()
			}
		}
		errs := make(chan error, 2)
		go func() { _, err := s.once(soon, "a", run); errs <- err }()
		synctest.Wait()
		go func() { _, err := s.once(sooner, "a", run); errs <- err }()
		v, err := s.once(t.Context(), "a", run)
		require.NoError(t, err)
		require.Equal(t, 1, v)
		require.ErrorIs(t, <-errs, context.DeadlineExceeded)
		require.ErrorIs(t, <-errs, context.DeadlineExceeded)
	})
}

// Rows and figures share the runs of two models. Fields of a run that are not set have their defaults.
func TestRunsAreShared(t *testing.T) {
	begun := func() int { return len(ranMNC.all) + len(ranRHiNET.all) }
	before := begun()
	r := MNCRun{PEs: 4, Loops: 3, Items: 20}
	for _, policy := range []mnc.Policy{"", mnc.Auto, mnc.Naive} {
		r.Policy = policy
		_, err := RunMNC(t.Context(), r)
		require.NoError(t, err)
	}
	require.Equal(t, before+2, begun())
	c := rhinet.Default()
	c.Nodes, c.Seed = 8, 77
	first, err := RunRHiNET(t.Context(), c)
	require.NoError(t, err)
	second, err := RunRHiNET(t.Context(), c)
	require.NoError(t, err)
	require.Same(t, first, second)
	require.Equal(t, before+3, begun())
}
