package spmd

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The paper's methods can be written as Askers.
func TestMethodsAreAskers(t *testing.T) {
	for method, ask := range map[Method]Asker{
		Proposed: ForDifference, Static: ForOne,
		None: func(Reading) int { return -1 },
	} {
		c := Paper(method)
		want := run(t, c)
		c.Method, c.Ask = None, ask
		require.Equal(t, want, run(t, c), method)
		c.Method, c.Ask, c.AskAgain = method, nil, true
		want = run(t, c)
		c.Ask = ask
		if method == None {
			continue // with a user's own policy, idle processors ask too
		}
		require.Equal(t, want, run(t, c), method)
	}
}

// Only a slower processor is asked.
func TestPoliciesByHand(t *testing.T) {
	for _, c := range []struct{ own, heard, one, difference int }{
		{-1, 0, 0, 0},
		{3, 3, 0, 0},
		{3, 5, 0, 0},
		{4, 3, 1, 1},
		{9, 2, 1, 7},
	} {
		r := Reading{Own: c.own, Heard: c.heard, Left: 5}
		require.Equal(t, []int{c.one, c.difference}, []int{ForOne(r), ForDifference(r)}, "%+v", r)
	}
}

// A policy gets true values, and may ask for more tasks than there are.
func TestOwnAsker(t *testing.T) {
	c := Paper(None)
	c.Ask = func(r Reading) int {
		require.Contains(t, c.Topology[r.From], r.Processor)
		require.GreaterOrEqual(t, r.Own, -1)
		require.GreaterOrEqual(t, r.Heard, 0)
		require.LessOrEqual(t, r.Left, 700)
		if r.Left < 3 {
			return 1 << 40
		}
		return 0
	}
	r := run(t, c)
	sum := 0
	for _, n := range r.Tasks {
		sum += n
	}
	require.Equal(t, 700, sum)
	require.Positive(t, r.Transfers())
}
