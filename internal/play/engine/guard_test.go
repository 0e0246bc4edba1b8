package engine

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/memlimit"
)

// A guard checks memory, and yields, only after some time has passed; then it starts measuring the time again.
func TestGuard(t *testing.T) {
	require.Equal(t, 40*time.Millisecond, between)
	yields := 0
	s := &Session{Yield: func() { yields++ }, MemoryLimit: 1}
	ctx, cancel := context.WithCancel(context.Background())
	g := s.guard(ctx)
	require.Less(t, time.Since(g.last), time.Hour)
	g.last = time.Now().Add(time.Hour) // it is too early
	require.NoError(t, g.Err())
	require.Zero(t, yields)

	s.MemoryLimit = 0 // the default
	before := time.Now()
	g.last = before.Add(-between)
	require.NoError(t, g.Err())
	require.Equal(t, 1, yields)
	require.False(t, g.last.Before(before))
	cancel()
	g.last = time.Now().Add(time.Hour)
	require.ErrorIs(t, g.Err(), context.Canceled)
	require.Equal(t, 1, yields)

	s.MemoryLimit = 3 << 20
	hold := make([]byte, 8<<20)
	g = s.guard(context.Background())
	g.last = time.Time{}
	require.Regexp(t,
		`^context canceled: the machine, its history and the words to the host use \d+ MB of memory, and 3 MB are allowed; `,
		g.Err())
	require.ErrorIs(t, g.Err(), context.Canceled)
	require.NotEmpty(t, hold)
	s.MemoryLimit = 0
	require.Error(t, g.Err(), "what was full stays the reason")
	require.Equal(t, 1, yields)
}

// The default limit is a gigabyte, far more than a small machine uses.
func TestMemoryLimit(t *testing.T) {
	require.EqualValues(t, 1<<30, (&Session{}).memoryLimit())
	require.EqualValues(t, 5, (&Session{MemoryLimit: 5}).memoryLimit())
	before := memlimit.HeapBytes()
	hold := make([]byte, 64<<20)
	require.Greater(t, memlimit.HeapBytes(), before+32<<20)
	require.NotEmpty(t, hold)
}

// Too many words to the host also end the run.
func TestManyWords(t *testing.T) {
	s := opened(t, own(".start x\nx: out r1\n jmp x\n"))
	late := func() error {
		g := s.guard(context.Background())
		g.last = time.Time{}
		return g.Err()
	}
	words, g := 0, (*guard)(nil)
	for words <= mostHost {
		require.NoError(t, late())
		g = s.guard(context.Background())
		words = do(t, s, fmt.Sprintf("step %d", max(1, (mostHost-words)/2))).Frame.AllWords
	}
	require.Equal(t, mostHost+1, words)
	require.NoError(t, late(), "what goes back from there may go on")
	g.last = time.Time{}
	require.EqualError(t, g.Err(), "context canceled: the host has received more than 65536 words; correct the program")
}

// The reason for the end of work is explained in the page's terms.
func TestExplain(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	plain := errors.New("a plain error")
	g := (&Session{}).guard(ctx)
	require.Equal(t, plain, g.explain(plain))
	require.NoError(t, g.explain(nil))
	user := interrupt.Of(ctx, "after 7 clocks")
	require.EqualError(t, g.explain(user), "stopped after 7 clocks")
	g.full = fmt.Errorf("%w: it is full: very", context.Canceled)
	require.EqualError(t, g.explain(user),
		"the program floods the memory of this page, so it was stopped: it is full: very")
	require.Equal(t, plain, g.explain(plain))
}
