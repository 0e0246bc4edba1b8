package engine

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/emcr"
)

// The whole run is computed in any steps, while the session stays where it is. It is the same run as the session's own.
func TestAhead(t *testing.T) {
	s, other := opened(t, fib), opened(t, fib)
	do(t, s, "step 40")
	var x *Ahead
	for steps := 0; x == nil || !x.Ended; steps++ {
		require.Less(t, steps, 10_000)
		var err error
		x, err = s.Ahead(context.Background(), 37)
		require.NoError(t, err)
		require.EqualValues(t, 40, s.Frame().Clock)
	}
	whole, err := other.Ahead(context.Background(), 1<<40)
	require.NoError(t, err)
	require.Equal(t, whole, x)
	end := do(t, s, "continue").Frame
	require.Equal(t, []uint64{end.Result.Clocks, end.Clock}, []uint64{x.Length, x.Clocks[len(x.Clocks)-1]})
	strip, err := s.Strip()
	require.NoError(t, err)
	require.Equal(t, x.Clocks, strip.Clocks)
	for i := range x.Clocks[:len(x.Clocks)-1] {
		require.EqualValues(t, i, x.Clocks[i], "none is left out")
	}
	for i, clock := range x.Clocks {
		if i%9 != 0 && clock != end.Clock {
			continue
		}
		do(t, s, "goto 0")
		do(t, s, fmt.Sprintf("step %d", clock))
		var sum [emcr.Activities]uint64
		for pe := range s.batch().Config().PEs {
			for state, n := range s.batch().PE(pe).Clocks {
				sum[state] += n
			}
		}
		require.Equal(t, sum, x.States[i])
		require.Equal(t, s.Frame().State, strip.States[i])
	}
}

// A failed run has no length, an endless run is abandoned, and too many samples are thinned out.
func TestAheadEnds(t *testing.T) {
	s := opened(t, Setup{Main: "fib.s", Args: []string{"14"}, PEs: 12, Sets: map[string]string{"banks": "1"}})
	x, err := s.Ahead(context.Background(), 1<<40)
	require.NoError(t, err)
	require.True(t, x.Ended)
	require.Zero(t, x.Length)
	require.EqualValues(t, 3568, x.Clocks[len(x.Clocks)-1])
	s = opened(t, Setup{Main: "a.s", PEs: 4, Files: map[string]string{"a.s": ".start x\nx: jmp x\n"}})
	x, err = s.Ahead(context.Background(), 100_000)
	require.NoError(t, err)
	require.False(t, x.Ended)
	require.Less(t, len(x.Clocks), mostAhead)
	require.Greater(t, len(x.Clocks), mostAhead/4)
	require.InDelta(t, 100_000, x.Clocks[len(x.Clocks)-1], 200)
	strip, err := s.Strip()
	require.NoError(t, err)
	require.Len(t, strip.States, len(x.Clocks))
	_, err = (&Session{}).Ahead(context.Background(), 1)
	require.Error(t, err)
}

// The second run ends without a length where memory is short. If its context ends, it only stops: it continues later.
func TestAheadStops(t *testing.T) {
	s := opened(t, fib)
	ended, end := context.WithCancel(context.Background())
	end()
	_, err := s.Ahead(ended, 100)
	require.ErrorIs(t, err, context.Canceled)
	x, err := s.Ahead(context.Background(), 100)
	require.NoError(t, err)
	require.False(t, x.Ended)
	s.MemoryLimit = 1
	x, err = s.Ahead(context.Background(), 100)
	require.NoError(t, err)
	require.True(t, x.Ended)
	require.Zero(t, x.Length)
}
