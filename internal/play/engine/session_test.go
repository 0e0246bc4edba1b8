package engine

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/inspect/debug"
)

// Snapshots are closer together on small machines, up to a limit.
func TestHistory(t *testing.T) {
	for pes, want := range map[int][2]uint64{
		4: {5120, 1280}, 12: {1706, 426}, 80: {256, 64}, 127: {161, 40},
		129: {160, 39}, 192: {160, 32}, 1024: {160, 32},
	} {
		require.Equal(t, debug.History{Every: want[0], Shots: 1024, Bytes: 192 << 20, Near: want[1], Plain: true},
			history(pes), "%d PEs", pes)
	}
}

// Opening a program begins a new session.
func TestOpenAgain(t *testing.T) {
	s := opened(t, fib)
	do(t, s, "break label got1")
	do(t, s, "continue")
	s.out.WriteString("left over")
	a := s.Open(context.Background(), Setup{Main: "loop.s", Args: []string{"3"}, PEs: 4})
	require.Empty(t, a.Error)
	require.Zero(t, a.Frame.Clock)
	require.Zero(t, a.Frame.Furthest)
	require.Equal(t, s.start, a.Network.Start)
	require.Len(t, a.Frame.State, 4)
	x := do(t, s, "stops")
	require.Empty(t, x.Stops)
	require.Empty(t, x.Marks)
	require.Equal(t, "no stops: 'break' and 'watch' set some\n", x.Text)
	require.NotEmpty(t, s.Open(context.Background(), Setup{Main: "no.s"}).Error)
	require.Nil(t, s.d)
}

// A command that moves nothing returns only its text; only motions have hits.
func TestDo(t *testing.T) {
	s := opened(t, fib)
	x := do(t, s, "break label got1")
	require.Len(t, x.Stops, 1)
	require.Empty(t, x.Hits)
	hit := do(t, s, "continue")
	require.Len(t, hit.Hits, 1)
	require.NotEmpty(t, hit.Text)
	require.Len(t, hit.Marks, 1)
	x = do(t, s, "stops")
	require.NotContains(t, x.Text, hit.Text)
	require.Equal(t, []string{}, x.Hits, "the machine has not moved")
	require.Equal(t, hit.Marks, x.Marks)
	require.Equal(t, x.Text, do(t, s, "stops").Text)
	x = do(t, s, "quit")
	require.Equal(t, "the console belongs to the page: close its tab to leave\n", x.Text)
	require.Contains(t, do(t, s, "where").Text, "[0,0]", "the console still answers")
	wrong, err := s.Do(context.Background(), "sepp")
	require.NoError(t, err)
	require.Contains(t, wrong.Error, "there is no command")
	require.Empty(t, wrong.Stopped)
}

// Completion ignores spaces before a command; without a machine the line stays as it is.
func TestComplete(t *testing.T) {
	require.Equal(t, &Completion{Line: "unt"}, (&Session{}).Complete("unt"))
	s := opened(t, fib)
	require.Equal(t, &Completion{Line: "until "}, s.Complete("unt"))
	require.Equal(t, &Completion{Line: "until "}, s.Complete("  unt"))
	require.Equal(t, &Completion{Line: "xyz"}, s.Complete("xyz"))
	require.Equal(t, &Completion{Line: "until label got"}, s.Complete("until label g"))
	require.Equal(t, &Completion{Line: "until label got", Words: "got1  got2"}, s.Complete("until label got"))
}

// The hash changes with the machine's state; without a machine there is none.
func TestHash(t *testing.T) {
	_, err := (&Session{}).Hash()
	require.EqualError(t, err, "no program is assembled")
	s := opened(t, fib)
	seen := map[uint64]bool{}
	for range 5 {
		do(t, s, "step")
		h, err := s.Hash()
		require.NoError(t, err)
		want, _ := s.batch().Hash(nil)
		require.Equal(t, want, h)
		seen[h] = true
	}
	require.Len(t, seen, 5)
}

// The default seed is 1; another seed gives another run.
func TestSeed(t *testing.T) {
	hash := map[uint64]uint64{}
	for seed := range uint64(3) {
		s := opened(t, Setup{
			Main: "fib.s", Args: []string{"10"}, PEs: 12, Seed: seed,
			Params: map[string]string{"policy": "random"},
		})
		do(t, s, "step 400")
		h, err := s.Hash()
		require.NoError(t, err)
		hash[seed] = h
	}
	require.Equal(t, hash[1], hash[0])
	require.NotEqual(t, hash[1], hash[2])
}

// The frame, the answer to a command and the series start at clock 0 of the run.
func TestFurthest(t *testing.T) {
	s := opened(t, fib)
	for _, c := range []struct {
		line            string
		clock, furthest uint64
	}{{"step 30", 30, 30}, {"goto +10", 10, 30}, {"step 5", 15, 30}, {"step 40", 55, 55}} {
		f := do(t, s, c.line).Frame
		require.Equal(t, []uint64{c.clock, c.furthest}, []uint64{f.Clock, f.Furthest}, fmt.Sprint(c))
	}
}
