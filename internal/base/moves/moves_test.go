package moves

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Take returns each move sent under a key once, oldest first, and then nil.
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

// A span without length or peer is not recorded. Full is called once, at the bound.
func TestDo(t *testing.T) {
	full := 0
	r := &Record{Most: 2, Full: func() { full++ }}
	for _, s := range []Span{
		{From: 3, To: 3, Peer: Outside},
		{From: 3, To: 3},
		{From: 3, To: 4, Peer: Outside},
		{To: 9},
	} {
		r.Do(s)
	}
	require.Equal(t, []Span{{From: 3, To: 3}, {From: 3, To: 4, Peer: Outside}, {To: 9}}, r.Spans)
	require.Equal(t, 1, full)
}

// With Tell, a record stores nothing. Each move is told for its giver and for its taker.
func TestTell(t *testing.T) {
	var told []Entry
	r := &Record{Most: 1, Tell: func(e Entry) { told = append(told, e) }}
	knew := []Belief{{Worker: 2, Load: 1, At: 3}}
	c := &Cause{Rule: "a rule", By: 1, At: 4, Knew: knew}
	begin := By("the start", 0)
	r.Pass(Move{Cause: begin, Kind: "X", Count: 3, From: Outside, To: 1})
	r.Send("key", Move{Cause: c, Kind: "X", Item: 2, Count: 1, From: 1, To: 0, Left: 5})
	r.Take("key", 7)
	m := r.Pass(Move{Cause: c, Kind: "X", Item: 0, From: 1, To: 0, Left: OnTheWay, Came: OnTheWay})
	r.Come(m, 8) // each side is told at its own time
	r.Leave(m, 9)
	r.Pass(Move{Cause: By("done", 2), Kind: "X", Item: 2, Count: 1, From: 0, To: Outside, Left: 10, Came: 10})
	r.Do(Span{Worker: 1, Doing: "work", What: "X 0", Use: Work, From: 5, To: 6, Peer: Outside})
	r.Do(Span{Worker: 1, Doing: "take", Use: Balance, From: 6, To: 6, Peer: 0})
	r.Do(Span{Worker: 1, Doing: "nothing", From: 6, To: 6, Peer: Outside})
	r.Learn(Learned{Belief: knew[0], By: 1, Told: 6})
	r.Be(Truth{Load: 3})
	require.Equal(t, []Entry{
		{0, 1, "begins", 0, Outside, 1, "X 0-2", "the start", nil},
		{5, 1, "gives", 4, 1, 0, "X 2", "a rule", knew},
		{7, 0, "gets", 5, 1, 0, "X 2", "", nil},
		{8, 0, "gets", OnTheWay, 1, 0, "no X", "", nil},
		{9, 1, "gives", 4, 1, 0, "no X", "a rule", knew},
		{10, 0, "ends", 2, 0, Outside, "X 2", "done", nil},
		{6, 1, "work", 5, Outside, Outside, "X 0", "work", nil},
		{6, 1, "take", 6, 0, 1, "", "balance", nil},
		{6, 1, "learns", 3, 2, 1, "1", "", nil},
	}, told)
	require.Empty(t, r.way)
	require.Empty(t, len(r.Moves)+len(r.Spans)+len(r.Learned)+len(r.Truths))
}
