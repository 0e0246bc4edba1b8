package mnc

import (
	"fmt"
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

// The paper's policies can be written as Givers.
func TestPoliciesAreGivers(t *testing.T) {
	require.Equal(t, statsWith(t, Auto, nil), statsWith(t, Auto, ByAbility))
	require.Equal(t, statsWith(t, Naive, nil), statsWith(t, Naive, ByAbility))
	require.Equal(t, statsWith(t, None, nil), statsWith(t, None, func(Share) {}))
	require.NotEqual(t, statsWith(t, Auto, nil).Clocks, statsWith(t, None, nil).Clocks)
}

// A neighbour number that does not exist makes the policy panic.
func TestNeighboursThatAreNotThere(t *testing.T) {
	calls := 0
	statsWith(t, None, func(s Share) {
		if calls++; calls > 40 {
			return
		}
		k := []int{-1, 12, 13, 99}[calls%4]
		why := fmt.Sprintf("mnc: a policy names the neighbour %d of PE %d, which has 12 neighbours, numbered from 0", k, s.PE())
		for _, of := range []func(){
			func() { s.Neighbour(k) }, func() { s.Load(k) }, func() { s.Free(k) },
			func() { s.Ability(k) }, func() { s.Give(k, 1) },
		} {
			require.PanicsWithValue(t, why, of)
		}
	})
	require.Greater(t, calls, 40)
}

// A policy can give no more X than the PE has and the neighbour has room for. The values of a Share are true, and no
// datum is lost.
func TestGiveIsBounded(t *testing.T) {
	calls := 0
	s := statsWith(t, None, func(s Share) {
		calls++
		for k := range s.Neighbours() {
			x, free, most, load := s.X(), s.Free(k), s.Most(), s.Load(k)
			require.NotEqual(t, s.PE(), s.Neighbour(k))
			require.Zero(t, s.Give(k, -3))
			want := 1000
			if calls > 5000 {
				want = (x - load) / 2 // a policy that always gives would let no X be processed
			}
			got := s.Give(k, want)
			require.Equal(t, max(0, min(want, x, free, most)), got)
			require.Equal(t, []int{x - got, free - got, most - got, load + got},
				[]int{s.X(), s.Free(k), s.Most(), s.Load(k)})
			require.EqualValues(t, One, s.Ability(k), "it is measured under auto only")
		}
		require.GreaterOrEqual(t, s.Y(), 0)
	})
	require.Positive(t, calls)
	require.Equal(t, 1000, s.Delivered)
}
