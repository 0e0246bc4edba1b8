package run

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/trace"
)

// seen is a sink that records what it receives.
type seen struct {
	from, end   uint64
	events      int
	first, last uint64
	closed      bool
	err         error // of Close
	refuse      error // of open
}

func (s *seen) Event(e *trace.Event) {
	if s.events == 0 {
		s.first = e.Clock
	}
	s.events++
	s.last = e.Clock
}

func (s *seen) Close(end uint64) error {
	s.closed = end == s.end
	return s.err
}

func (s *seen) open(from, end uint64) (trace.Sink, error) {
	s.from, s.end = from, end
	return s, s.refuse
}

// begun returns a session with its run begun.
func begun(t *testing.T, s *Spec) *Batch {
	t.Helper()
	target, err := s.Build(t.Context())
	require.NoError(t, err)
	b := New(target, Plan{Runs: 1, MaxClocks: s.MaxClocks})
	require.NoError(t, b.Begin())
	return b
}

// An observed run has the same answer as an unobserved one. The sink sees the run's clocks from the present one on.
func TestObserve(t *testing.T) {
	plain := begun(t, spec("fib", "10"))
	one, _ := plain.EndRun(plain.Advance(t.Context(), em4.ToEnd))
	for _, at := range []uint64{0, 300} {
		b := begun(t, spec("fib", "10"))
		start := b.Clock()
		require.NoError(t, b.Advance(t.Context(), at))
		s := &seen{}
		a, err := b.Trace(t.Context(), 2, s.open)
		require.NoError(t, err)
		require.Equal(t, one.Totals, a.Totals)
		require.Equal(t, one.Words, a.Words)
		require.Equal(t, []uint64{start + at, start + one.Clocks}, []uint64{s.from, s.end})
		require.True(t, s.closed)
		require.Greater(t, s.events, 1000)
		require.Equal(t, s.from, s.first)
		require.Less(t, s.last, s.end)
	}
}

// A failing run is observed until it fails. A run that the user ends is not observed.
func TestObserveFailure(t *testing.T) {
	limited := spec("fib", "10")
	limited.MaxClocks = 100
	s := &seen{}
	a, err := begun(t, limited).Trace(t.Context(), 1, s.open)
	require.ErrorContains(t, err, "after 100 clocks")
	require.EqualValues(t, 100, a.Clocks)
	require.EqualValues(t, 100, s.end-s.from)
	require.True(t, s.closed)

	ctx, cancel := context.WithCancel(t.Context())
	b := begun(t, spec("fib", "16"))
	cancel()
	a, err = b.Trace(ctx, 1, s.open)
	var stopped *Interrupted
	require.ErrorAs(t, err, &stopped)
	require.Nil(t, a)

	s = &seen{err: errors.New("no room")}
	_, err = begun(t, spec("fib", "5")).Trace(t.Context(), 1, s.open)
	require.EqualError(t, err, "no room")

	s = &seen{refuse: errors.New("too long")}
	a, err = begun(t, spec("fib", "5")).Trace(t.Context(), 1, s.open)
	require.EqualError(t, err, "too long")
	require.Nil(t, a)
	require.Zero(t, s.events)
}
