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
		ran := shaking{c: case004(mean), seeds: nstarSeeds}
		s.shaken.claim(ran)
		s.shaken.end(ran, &study.Shaken{Optimal: []float64{c.clocks}}, nil)
		v, err := s.measure(t.Context(), mean)
		require.NoError(t, err)
		require.Equal(t, c.ok, Compare(mean, v).OK, c.clocks)
	}
}

func TestPaper004RefusesUnknownMeasures(t *testing.T) {
	_, err := paper004().New(context.Background(), ensemble.New(1), nil)(context.Background(),
		Claim{Cond: map[string]string{"measure": "nothing"}})
	require.Error(t, err)
}
