package mnc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func statsWith(t *testing.T, policy Policy, give Giver) Stats {
	c := Default(wiring(t, "mnc", 16))
	c.Items, c.Loops, c.Policy, c.Give = 1000, 200, policy, give
	m := build(t, c)
	require.NoError(t, m.Run(t.Context()))
	require.NoError(t, m.Check())
	return m.Stats()
}

// The paper's policies are written on the hook.
func TestPoliciesAreGivers(t *testing.T) {
	require.Equal(t, statsWith(t, Auto, nil), statsWith(t, Auto, ByAbility))
	require.Equal(t, statsWith(t, Naive, nil), statsWith(t, Naive, ByAbility))
	require.Equal(t, statsWith(t, None, nil), statsWith(t, None, func(Share) {}))
	require.NotEqual(t, statsWith(t, Auto, nil).Clocks, statsWith(t, None, nil).Clocks)
}

// A policy can give no more than there is and has room, however much it wants; what
// it is told is true; and no datum is lost.
func TestGiveIsBounded(t *testing.T) {
	calls := 0
	s := statsWith(t, None, func(s Share) {
		calls++
		for k := range s.Neighbours() {
			x, room, most, load := s.X(), s.Room(k), s.Most(), s.Load(k)
			require.NotEqual(t, s.PE(), s.Neighbour(k))
			require.Zero(t, s.Give(k, -3))
			want := 1000
			if calls > 5000 {
				want = (x - load) / 2 // for ever greedy, nothing would be processed
			}
			got := s.Give(k, want)
			require.Equal(t, max(0, min(want, x, room, most)), got)
			require.Equal(t, []int{x - got, room - got, most - got, load + got}, []int{s.X(), s.Room(k), s.Most(), s.Load(k)})
			require.EqualValues(t, One, s.Ability(k), "it is measured under auto only")
		}
		require.GreaterOrEqual(t, s.Y(), 0)
	})
	require.Positive(t, calls)
	require.Equal(t, 1000, s.Delivered)
}
