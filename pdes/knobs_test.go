package pdes

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/base/knob"
	"emsim/internal/dev/inorder"
	"emsim/pdes/banyan"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
	"emsim/pdes/oracle"
)

// little limits the knobs that determine how long a run takes. Random tests draw all other knobs from their whole
// range.
var little = map[string][2]int64{
	"stages": {1, 4}, "slots": {1, 40}, "background": {0, 6}, "migrate_at": {Never, 4000},
	"interval": {3000, 60_000}, "max_clocks": {0, 0}, // a run that gives up has no result
	"cell": {1, 600}, "null": {0, 600}, "credit": {1, 100}, "control": {1, 100}, "hop": {1, 100}, "send": {0, 500},
	"receive": {0, 500}, "slot_clocks": {1, 500},
	"decide": {0, 100}, "serialise": {0, 10}, "entry": {0, 50}, "background_length": {1, 1000},
}

// randomSetup draws a value for every knob.
func randomSetup(t *rapid.T) Setup {
	s := DefaultSetup()
	pick := func(n uint64) uint64 { return rapid.Uint64Range(0, n-1).Draw(t, "pick") }
	for _, r := range knob.Bind(Knobs(), &s) {
		if b, ok := little[r.Key]; ok {
			r.Min, r.Max = b[0], b[1]
		}
		if r.Key == "a" || r.Key == "b" { // far beyond these, rounding can keep the greedy from ending
			r.Real = knob.Interval{Low: 0.25, High: 4}
		}
		r.Draw(pick)
	}
	s.Shape = rapid.SampledFrom(map[network.Kind][]string{
		network.HXB:   {"", "4x4x2", "8x4"},
		network.Torus: {"", "4x4x2", "8x4"}, network.HCB: {"", "5", "6"},
	}[s.Network]).Draw(t, "shape")
	if s.Network != network.HXB {
		s.Neighbour = mapping.Grid
	}
	if s.Placing == "exact" && s.Banyan.Stages > 1 || s.Placing == "anneal" &&
		rapid.IntRange(0, 4).Draw(t, "anneal") > 0 {
		s.Placing = "greedy" // exact and anneal would take too long
	}
	return s
}

// Random machines compute the same as the sequential oracle, whatever their knobs. No cell is lost, and a second run
// is the same as the first.
func TestRandomMachines(t *testing.T) {
	migrated := 0
	rapid.Check(t, func(t *rapid.T) {
		s := randomSetup(t)
		c, err := s.Build()
		require.NoError(t, err)
		require.NoError(t, s.FindMap(t.Context(), &c))
		r, err := Run(t.Context(), c)
		if s.MigrateAt != Never && err != nil {
			require.ErrorContains(t, err, "migrat", "%+v", s) // the run is over before the migration
			return
		}
		require.NoError(t, err)
		if r.Migrations != nil {
			migrated++
		}
		b := c.Banyan
		want, err := oracle.Run(t.Context(), b.Stages, string(b.Wiring), b.Load, b.Queue, b.Seed, c.Slots)
		require.NoError(t, err)
		require.Equal(t, want.Hash, r.Hash)
		require.Equal(t, banyan.Counts{Injected: want.Injected, Drops: want.Drops, Sunk: want.Sunk, Delay: want.Delay},
			r.Counts)
		require.Equal(t, r.Injected, r.Sunk+r.Drops+r.Queued, "cells are conserved")
		rec := &Record{}
		again, err := RunWatched(t.Context(), c, Watch{Record: rec})
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(r, again))
		require.NoError(t, inorder.Check(rec, r.Clocks, true), "%+v", s)
	})
	require.NotZero(t, migrated)
}

// Random machines vary every knob.
func TestKnobsVary(t *testing.T) {
	drawn := map[string]map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		s := randomSetup(t)
		for _, r := range knob.Bind(Knobs(), &s) {
			if drawn[r.Key] == nil {
				drawn[r.Key] = map[string]bool{}
			}
			drawn[r.Key][r.Text()] = true
		}
	})
	for key, values := range drawn {
		if key != "max_clocks" { // TestRunsThatDoNotEndWell varies it
			require.Greater(t, len(values), 1, key)
		}
	}
}

// The bounds of every knob are exactly those that Validate accepts.
func TestKnobLimits(t *testing.T) {
	for _, k := range Knobs() {
		for v, fine := range map[int64]bool{k.Min - 1: false, k.Min: true, k.Max: true, k.Max + 1: false} {
			s := DefaultSetup()
			s.Slots, s.Shape = 1, "16x16"
			r := k.Bind(&s)
			if _, ok := r.Get().(int64); !ok || fine != (v >= k.Min && v <= k.Max) || k.Key == "migrate_at" &&
				v > k.Max {
				continue // the value overflowed, or is a clock that is never reached
			}
			require.NoError(t, r.Put(v))
			_, err := s.Build()
			require.Equal(t, fine, err == nil, "%s is %d: %v", k.Key, v, err)
			require.Equal(t, fine, r.Check() == nil, k.Key)
		}
	}
}

// Networks have the right default shapes, and wrong words are rejected.
func TestSetup(t *testing.T) {
	for _, c := range []struct {
		kind   network.Kind
		stages int
		want   string
	}{{network.HXB, 3, "4x4"}, {network.Torus, 4, "4x4x2"}, {network.HCB, 1, "4"}, {network.HCB, 4, "5"}} {
		s := DefaultSetup()
		s.Network, s.Banyan.Stages = c.kind, c.stages
		shape, err := s.NodeShape()
		require.NoError(t, err)
		require.Equal(t, c.want, shape)
		built, err := s.Build()
		require.NoError(t, err)
		require.EqualValues(t, 16, built.Timing.Null)
		require.Nil(t, built.Migrate)
	}
	for _, c := range []struct {
		change func(s *Setup)
		want   string
	}{
		{func(s *Setup) { s.Banyan.Stages = 5 }, "stages: 5 has no default shape"},
		{func(s *Setup) { s.Network = "mesh" }, `network is "mesh", it must be one of hcb, torus, hxb`},
		{func(s *Setup) { s.Placing = "best" }, `map is "best", it must be one of conventional, greedy, exact, anneal`},
		{func(s *Setup) { s.Network, s.Neighbour = network.Torus, mapping.XBar }, "only the network hxb has"},
		{func(s *Setup) { s.Shape = "4y4" }, `shape "4y4": "4y4" is not a number`},
	} {
		s := DefaultSetup()
		c.change(&s)
		_, err := s.Build()
		require.ErrorContains(t, err, c.want)
	}
}
