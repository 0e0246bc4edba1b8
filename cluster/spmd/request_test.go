package spmd

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The paper's policies can be written as Requesters.
func TestPoliciesAreRequesters(t *testing.T) {
	for policy, request := range map[Policy]Requester{
		Proposed: ForDifference, Static: ForOne,
		None: func(Reading) int { return -1 },
	} {
		c := Paper(policy)
		want := run(t, c)
		c.Policy, c.Request = None, request
		require.Equal(t, want, run(t, c), policy)
		c.Policy, c.Request, c.RequestAgain = policy, nil, true
		want = run(t, c)
		c.Request = request
		if policy == None {
			continue // with a user's own policy, idle processors request tasks too
		}
		require.Equal(t, want, run(t, c), policy)
	}
}

// Tasks are requested only from a slower processor.
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

// A policy gets true values, and may request more tasks than there are.
func TestOwnRequester(t *testing.T) {
	c := Paper(None)
	c.Request = func(r Reading) int {
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
