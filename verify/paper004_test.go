package verify

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/study/ensemble"
	"emsim/pdes/study"
)

// Every claim of paper 004 holds, or is a numbered gap that persists.
func TestPaper004(t *testing.T) {
	allOK(t, measured(t, "004"))
}

// The row of the optimal mean is not an identity: it depends on the model's clocks.
func TestOptimalMeanFollowsTheModel(t *testing.T) {
	claims, err := Claims("004")
	require.NoError(t, err)
	mean := claims[slices.IndexFunc(claims, func(c Claim) bool { return c.ID == "004.t1.optimal.mean" })]
	for _, c := range []struct {
		clocks float64
		ok     bool
	}{{110_277, true}, {1.002 * 110_277, false}, {0.998 * 110_277, false}} {
		s := new(session004)
		ran, clocks := shaking{c: case004(mean)}, slices.Repeat([]float64{c.clocks}, nstarSeeds)
		s.shaken.claim(ran)
		s.shaken.end(ran, &study.Shaken{Conventional: clocks, Optimal: clocks}, nil)
		v, err := s.measure(t.Context(), mean)
		require.NoError(t, err)
		require.Equal(t, c.ok, Compare(mean, v).OK, c.clocks)
	}
}

// Claims that need different numbers of seeds share the runs of the largest number, with the same values as alone.
func TestClaimsShareSeeds(t *testing.T) {
	of := func(arg string) Claim {
		return Claim{Cond: map[string]string{
			"measure": "nstar.below", "network": "hxb", "shape": "4x3", "stages": "3", "wiring": "omega", "arg": arg,
		}}
	}
	few, many := of("2 3"), of("2 5")
	s := session004{seeds: seedsOf([]Claim{few, many})}
	for _, c := range []Claim{few, many} {
		shared, err := s.shake(t.Context(), c)
		require.NoError(t, err)
		alone, err := new(session004).shake(t.Context(), c)
		require.NoError(t, err)
		require.Equal(t, alone, shared)
	}
	require.Len(t, s.shaken.all, 1)
	for _, r := range s.shaken.all {
		require.Len(t, r.value.Optimal, 5)
	}
	_, err := s.measure(t.Context(), of("many"))
	require.Error(t, err)
}

func TestPaper004RefusesUnknownMeasures(t *testing.T) {
	_, err := paper004().New(context.Background(), ensemble.New(1), nil)(context.Background(),
		Claim{Cond: map[string]string{"measure": "nothing"}})
	require.Error(t, err)
}
