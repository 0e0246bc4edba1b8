//go:build slow

package study

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/study/spread"
	"emsim/pdes"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

func TestManyInvariants(t *testing.T) {
	c, err := CheckRandom(context.Background(), 10_000, 5000)
	require.NoError(t, err)
	require.NoError(t, c.First)
	t.Logf("%+v", *c)
}

func TestFourStagesLong(t *testing.T) {
	cfg, err := Case{network.HXB, "4x4x2", 4, "", nil}.Config(20_000)
	require.NoError(t, err)
	r, err := pdes.Run(context.Background(), cfg)
	require.NoError(t, err)
	require.EqualValues(t, uint64(0xa900f970bb69e9af), r.Hash)
	require.NoError(t, Agree(context.Background(), &cfg, r))
}

func TestScatterWhole(t *testing.T) {
	for _, c := range []struct {
		Case
		flows int
		cell  int64
		seeds int
	}{
		{Case{network.HXB, "4x4", 3, "", nil}, 2, 300, 300},
		{Case{network.HXB, "4x4", 3, "", nil}, 2, 300, 1500},
		{Case{network.HXB, "4x3", 3, "", nil}, 2, 300, 300},
		{Case{network.HXB, "4x3", 3, "", nil}, 2, 300, 1500},
		{Case{network.Torus, "4x4", 3, "", nil}, 2, 300, 300},
		{Case{network.HXB, "4x4", 3, "", nil}, 4, 256, 300},
		{Case{network.HXB, "4x4", 3, "", nil}, 0, 300, 300},
	} {
		costs, err := CostsOf(context.Background(), c.Case, mapping.Reference())
		require.NoError(t, err)
		d := NStar()
		d.Background.Flows, d.Cell = c.flows, c.cell
		s, err := Shake(context.Background(), c.Case, costs.Exact.Map, d, c.seeds, nil)
		require.NoError(t, err)
		low, high := spread.SDRatio(s.Conventional, s.Optimal)
		conventional, optimal := s.CV()
		t.Logf("%v, %d flows, cell %d, %d seeds: mean ratio %.3f, cv %.1f / %.1f %%, sd ratio %.2f [%.2f-%.2f], "+
			"P(>= paper) %.2f",
			c.Case, c.flows, c.cell, c.seeds, s.MeanRatio(), 100*conventional, 100*optimal, s.SDRatio(), low, high,
			s.AtLeast(PaperSDRatio, 10_000))
	}
}

// The run-time table has the recorded values, and a migration pays where the table says.
func TestRunTimesWhole(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		Case
		cell, window int64
	}{
		{Case{network.HXB, "4x4", 3, "", nil}, 64, 8},
		{Case{network.HXB, "4x4", 3, "", nil}, 384, 8},
		{Case{network.Torus, "4x4", 3, "", nil}, 384, 8},
		{Case{network.HCB, "4", 3, "", nil}, 384, 8},
		{Case{network.HXB, "4x4", 3, "", nil}, 384, 2},
		{Case{network.HXB, "4x3", 3, "", nil}, 384, 2},
		{Case{network.Torus, "4x4", 3, "", nil}, 384, 2},
		{Case{network.HCB, "4", 3, "", nil}, 384, 2},
		{Case{network.HXB, "8x4", 4, "", nil}, 300, 8},
		{Case{network.HXB, "4x4x2", 4, "", nil}, 300, 8},
		{Case{network.Torus, "8x4", 4, "", nil}, 300, 8},
		{Case{network.Torus, "4x4x2", 4, "", nil}, 300, 8},
		{Case{network.HCB, "5", 4, "", nil}, 300, 8},
	} {
		costs, err := CostsOf(context.Background(), c.Case, mapping.Reference())
		require.NoError(t, err)
		ratio, err := Speedup(ctx, c.Case, costs.Exact.Map, c.cell, c.window, 2000)
		require.NoError(t, err)
		t.Logf("%v, cell %d, window %d: %.3f", c.Case, c.cell, c.window, ratio)
	}
	for _, c := range []Case{
		{network.HXB, "4x4", 3, "", nil},
		{network.HXB, "8x4", 4, "", nil},
		{network.HXB, "4x4x2", 4, "", nil},
		{network.Torus, "8x4", 4, "", nil},
		{network.Torus, "4x4x2", 4, "", nil},
	} {
		cfg, err := c.Config(1000)
		require.NoError(t, err)
		cfg.Timing = pdes.DefaultTiming(300)
		before, err := RunMap(ctx, c, nil, 300, 8, 1000)
		require.NoError(t, err)
		cfg.Migrate = &pdes.Migration{
			At: 100_000, Weights: mapping.Reference(), Neighbour: mapping.Grid,
			Objective: mapping.ByCost,
		}
		for _, o := range mapping.Objectives() {
			cfg.Migrate.Objective = o
			r, err := pdes.Run(ctx, cfg)
			require.NoError(t, err)
			after, err := RunMap(ctx, c, r.Map, 300, 8, 1000)
			require.NoError(t, err)
			pause := float64(r.Migrations[0].Clocks())
			t.Logf("%v by %s: pause %.0f clocks, %.1f slots; %.1f -> %.1f clocks a slot; pays after %.0f slots", c, o,
				pause, pause/before, before, after, pause/(before-after))
		}
	}
}

func TestPredictorsWhole(t *testing.T) {
	for _, c := range []Case{
		{network.HXB, "4x4", 3, "", nil},
		{network.HXB, "4x3", 3, "", nil},
		{network.Torus, "4x4", 3, "", nil},
		{network.HXB, "8x4", 4, "", nil},
		{network.Torus, "8x4", 4, "", nil},
	} {
		points, err := RandomMaps(context.Background(), c, mapping.Reference(), 150, 512, 8, 150, nil)
		require.NoError(t, err)
		cost, load := Correlations(points)
		t.Logf("%v: r(run, cost) %.2f, r(run, port load) %.2f", c, cost, load)
		runs, err := Objectives(context.Background(), c, mapping.Reference(), 384, 8, 300)
		require.NoError(t, err)
		for _, r := range runs {
			t.Logf("  %-12s %-4s cost %.1f load %d: %.1f clocks a slot", r.Method, r.Objective, r.Score.Cost,
				r.Score.MaxLoad, r.Clocks)
		}
	}
}
