package pdes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/knob"
	"emsim/internal/dev/golden"
	"emsim/pdes/mapping"
)

// The parameters have the recorded keys, bounds, words and defaults.
func TestKnobTable(t *testing.T) {
	var b strings.Builder
	s := DefaultSetup()
	for _, r := range knob.Bind(Knobs(), &s) {
		fmt.Fprintf(&b, "%s = %s %s", r.Key, r.Text(), r.Unit)
		if r.Min != 0 || r.Max != 0 {
			fmt.Fprintf(&b, " from %d to %d", r.Min, r.Max)
		}
		if r.Real != (knob.Interval{}) {
			fmt.Fprintf(&b, " within %+v", r.Real)
		}
		if r.Values != nil {
			fmt.Fprintf(&b, " of %s", strings.Join(r.Values, ", "))
		}
		b.WriteString("\n")
	}
	golden.Check(t, "knobs.txt", []byte(b.String()))
}

// A run uses the map that its minimiser finds.
func TestPlace(t *testing.T) {
	maps := map[string]mapping.Map{}
	for _, placing := range Placings() {
		s := DefaultSetup()
		s.Banyan.Stages, s.Shape, s.Placing = 2, "2x2", placing
		c, err := s.Build()
		require.NoError(t, err)
		require.NoError(t, s.FindMap(t.Context(), &c))
		require.Len(t, c.Map, c.Problem(s.Weights).Graph.LPs, placing)
		maps[placing] = c.Map
	}
	s := DefaultSetup()
	s.Banyan.Stages, s.Shape = 2, "2x2"
	c, err := s.Build()
	require.NoError(t, err)
	p, start := c.Problem(s.Weights), maps["conventional"]
	require.Equal(t, mapping.Conventional(p.Graph.LPs, 4), start)
	greedy, err := p.Greedy(t.Context(), start, s.Neighbour, s.Objective)
	require.NoError(t, err)
	exact, err := p.Exact(t.Context(), s.Objective)
	require.NoError(t, err)
	anneal, err := p.Anneal(t.Context(), start, s.Objective, mapping.AnnealSteps, c.Banyan.Seed)
	require.NoError(t, err)
	require.Equal(t, map[string]mapping.Map{
		"conventional": start, "greedy": greedy.Map, "exact": exact.Map,
		"anneal": anneal.Map, "round-robin": mapping.RoundRobin(p.Graph.LPs, 4),
	}, maps)
	require.Less(t, exact.Score.Cost, p.Cost(start), "there is something to find")
}
