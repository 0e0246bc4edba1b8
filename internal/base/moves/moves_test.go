package moves

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What is sent comes once, by its key, the oldest first.
func TestSendAndTake(t *testing.T) {
	r := &Record{}
	for i, key := range []any{"a", 7, "a"} {
		r.Send(key, Move{Cause: By("a rule", 3), Kind: "X", Item: 10 * i, Count: 2, From: 0, To: 1, Left: 5})
	}
	require.Equal(t, []int64{OnTheWay, OnTheWay, OnTheWay}, []int64{r.Moves[0].Came, r.Moves[1].Came, r.Moves[2].Came})
	require.Equal(t, 0, r.Take("a", 8).Item)
	require.Equal(t, 20, r.Take("a", 9).Item)
	require.Nil(t, r.Take("a", 10))
	require.Nil(t, r.Take("b", 10))
	require.Equal(t, []int64{8, OnTheWay, 9}, []int64{r.Moves[0].Came, r.Moves[1].Came, r.Moves[2].Came})
	require.Len(t, r.way, 1)
	require.Equal(t, &Cause{Rule: "a rule", By: Outside, At: 3}, r.Moves[1].Cause)
}

func TestMoves(t *testing.T) {
	m := Move{Kind: "X", Item: 4, Count: 2, From: 0, To: 1}
	require.True(t, m.Has("X", 4) && m.Has("X", 5) && m.Moved())
	require.False(t, m.Has("X", 3) || m.Has("X", 6) || m.Has("Y", 4))
	require.Negative(t, Outside, "no worker")
	require.Negative(t, OnTheWay, "no time")
	for _, m := range []Move{{From: Outside}, {To: Outside}} {
		require.False(t, m.Moved())
	}
}

// A span without length or need is none; Full is called once, at the bound.
func TestDo(t *testing.T) {
	full := 0
	r := &Record{Most: 2, Full: func() { full++ }}
	for _, s := range []Span{{From: 3, To: 3, Peer: Outside}, {From: 3, To: 3}, {From: 3, To: 4, Peer: Outside}, {To: 9}} {
		r.Do(s)
	}
	require.Equal(t, []Span{{From: 3, To: 3}, {From: 3, To: 4, Peer: Outside}, {To: 9}}, r.Spans)
	require.Equal(t, 1, full)
}
