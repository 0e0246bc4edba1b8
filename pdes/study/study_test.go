package study

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/portable"
	"emsim/internal/study/spread"
	"emsim/pdes"
	"emsim/pdes/banyan"
	"emsim/pdes/lpgraph"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// With random machines, programs, maps, clock counts, disturbances and migrations, no invariant breaks, and every
// result equals the oracle's. Every special case of the protocol occurs.
func TestInvariants(t *testing.T) {
	c, err := CheckRandom(context.Background(), 1000, 250)
	require.NoError(t, err)
	require.NoError(t, c.First)
	require.Zero(t, c.Violations)
	require.Equal(t, 250, c.Runs)
	require.Greater(t, c.Migrated, 150)
	require.Positive(t, c.Moves)
	require.Positive(t, c.EarlyFlushes)
	require.Positive(t, c.EarlyStates)
	require.Positive(t, c.HeldEvents)
}

// Cells leave the LPs on the right lines. If lines between the stages are crossed, they do not.
func TestExits(t *testing.T) {
	m := banyan.Default(3)
	e := ExitsOf(&m, 300)
	require.Equal(t, Exits{Sunk: 1894, Hash: 0xd0d53defedd96ab9}, e, "the golden run of the machine")
	for _, w := range banyan.Wirings() {
		m := banyan.Default(4)
		m.Wiring = w
		e := ExitsOf(&m, 500)
		require.Positive(t, e.Sunk)
		require.Zero(t, e.Astray, w)
	}
	crossed := func(lp, k int) (next, input int) { return m.Next(lp, 1-k) }
	require.Positive(t, exits(&m, 300, crossed).Astray)
}

// Map, network, window, cell length, disturbance and migration change the clocks, but never the results of the
// simulation.
func TestResultsDoNotDependOnTheMachine(t *testing.T) {
	ctx := context.Background()
	hashes := map[uint64]bool{}
	clocks := map[int64]bool{}
	for _, c := range []Case{
		{network.HXB, "4x3", 3, "", nil},
		{network.Torus, "4x4", 3, "", nil},
		{network.HCB, "4", 3, "", nil},
		{network.HXB, "3", 3, "", nil},
	} {
		for _, change := range []func(*pdes.Config){
			func(*pdes.Config) {},
			func(c *pdes.Config) { c.Window = 1 },
			func(c *pdes.Config) { c.Timing = pdes.DefaultTiming(512) },
			func(c *pdes.Config) { c.Map = mapping.Random(12, c.Net.Nodes(), 5) },
			func(c *pdes.Config) { c.Background = NStar().Background },
			func(c *pdes.Config) {
				c.Migrate = &pdes.Migration{
					At: 9000, Weights: mapping.Reference(), Neighbour: mapping.Grid,
					Objective: mapping.ByCost,
				}
			},
		} {
			cfg, err := c.Config(60)
			require.NoError(t, err)
			change(&cfg)
			r, err := pdes.Run(ctx, cfg)
			require.NoError(t, err)
			hashes[r.Hash] = true
			clocks[r.Clocks] = true
		}
	}
	require.Len(t, hashes, 1)
	require.Greater(t, len(clocks), 12)
}

// The reference hypothesis gives a fourth and a third [004 §5].
func TestReference(t *testing.T) {
	three, four, err := Reference(context.Background(), mapping.Reference())
	require.NoError(t, err)
	require.InDelta(t, 3.93, three, 0.01)
	require.InDelta(t, 3.06, four, 0.01)
	three, four, err = Reference(context.Background(), mapping.Weights{A: 0, B: 5})
	require.NoError(t, err)
	require.InDelta(t, 4.00, three, 0.01)
	require.InDelta(t, 3.11, four, 0.01)
}

func TestCalibration(t *testing.T) {
	c, err := Calibrate(context.Background(), Case{network.HXB, "4x4", 3, "", nil}, nil, OwnSlots, nil)
	require.NoError(t, err)
	require.InDelta(t, 274, c.T0, 1e-9)
	require.InDelta(t, 20.0/274, c.A, 1e-9)
	require.InDelta(t, 20.0/74, c.AWire, 1e-9)
	require.InDelta(t, 1.03, c.Uniform[2].B, 0.02)
	require.Less(t, c.Own[2].B, 1.25, "far below the B = 4.5 of the reference hypothesis")
	require.InDelta(t, 1.4, c.Saturate, 0.1)

	ring, err := Calibrate(context.Background(), Case{network.Torus, "12", 3, "", nil}, nil, OwnSlots, nil)
	require.NoError(t, err)
	require.InDelta(t, 1, ring.Saturate, 1e-9, "on one axis nothing turns")
	_, err = Calibrate(context.Background(), Case{network.Torus, "1", 3, "", nil}, nil, OwnSlots, nil)
	require.EqualError(t, err, "calibration measures messages between PPs: the shape 1 has only one PP; "+
		"expected 2 or more")
}

// Cost does not predict run time, but the busiest port does.
func TestPredictors(t *testing.T) {
	points, err := RandomMaps(context.Background(), Case{network.Torus, "8x4", 4, "", nil}, mapping.Reference(), 40,
		512, 8, 100, nil)
	require.NoError(t, err)
	cost, load := Correlations(points)
	require.Greater(t, load, 0.95)
	require.Less(t, cost, 0.5)
}

// of returns a machine with a graph.
func of(shape string, g *lpgraph.Graph) *pdes.Setup {
	s := pdes.DefaultSetup()
	s.Shape, s.Graph = shape, g
	return &s
}

// A user's own machine gives a study its parameters, but not its map, migration and background. The default machine
// gives the same parameters as no machine.
func TestOwnMachine(t *testing.T) {
	s := pdes.DefaultSetup()
	s.Network, s.Shape, s.Placing, s.MigrateAt, s.Background.Flows = network.Torus, "4x4", "greedy", 5, 3
	plain, own := Case{network.Torus, "4x4", 3, "", nil}, Case{network.Torus, "4x4", 3, "", &s}
	w := mapping.Reference()
	want, err := Objectives(t.Context(), plain, w, 300, 4, 20)
	require.NoError(t, err)
	got, err := Objectives(t.Context(), own, w, 300, 4, 20)
	require.NoError(t, err)
	require.Equal(t, want, got)
	c, err := Calibrate(t.Context(), own, nil, OwnSlots, nil)
	require.NoError(t, err)
	require.InDelta(t, 274, c.T0, 1e-9)
	costs, err := CostsOf(t.Context(), own, w)
	require.NoError(t, err)
	require.InDelta(t, 4.03, costs.Ratio(), 0.01)

	s.Timing.Send, s.Timing.Hop, s.Timing.Null, s.Banyan.Load = 500, 40, 7, 0.1
	c, err = Calibrate(t.Context(), own, nil, OwnSlots, nil)
	require.NoError(t, err)
	require.Greater(t, c.T0, 274+400.)
	cfg, err := own.Config(9)
	require.NoError(t, err)
	require.Equal(t, []any{int64(500), int64(7), 0.1, int64(9)},
		[]any{cfg.Timing.Send, cfg.Timing.Null, cfg.Banyan.Load, cfg.Slots})
	require.Equal(t, pdes.Background{}, cfg.Background)
	require.Nil(t, cfg.Migrate)
	slower, err := RunMap(t.Context(), own, nil, 300, 4, 20)
	require.NoError(t, err)
	require.Greater(t, slower, 1.5*want[0].Clocks)
}

// The problem of a graph equals the problem of its run, whatever the number of stages.
func TestGraphCase(t *testing.T) {
	g, err := lpgraph.Parse("g", []byte("lp a 100\nlp b 100\nchannel a b 0.5\n"))
	require.NoError(t, err)
	c := Case{network.HXB, "2", 99, "", of("2", g)}
	r, err := CostsOf(context.Background(), c, mapping.Weights{A: 0.2, B: 4})
	require.NoError(t, err)
	require.Equal(t, []int{2, 1, 0}, []int{r.PPs, r.Edges, r.Turned})
	require.InDelta(t, 0.5e6*1.2, r.Conventional.Cost, 1e-6)
	p, err := c.Problem(mapping.Weights{A: 0.2, B: 4}, 1)
	require.NoError(t, err)
	require.InDelta(t, 0.5e6, float64(p.Graph.Edges[0].Traffic), 0)
	cfg, err := c.Config(7)
	require.NoError(t, err)
	require.Same(t, g, cfg.Graph)
	require.EqualValues(t, 7, cfg.Slots)
}

// Functions that compare runs of a changing graph rate its maps by the mean over these runs.
func TestChangingGraph(t *testing.T) {
	g, err := lpgraph.Parse("g", []byte("lp a\nlp b\nchannel a b 1\nfrom 10\nchannel a b 3"))
	require.NoError(t, err)
	c, w := Case{network.HXB, "2", 0, "", of("2", g)}, mapping.Weights{A: 0, B: 1}
	points, err := RandomMaps(t.Context(), c, w, 1, 64, 8, 40, nil)
	require.NoError(t, err)
	require.InDelta(t, 2.5e6, points[0].Score.Cost, 1e-6)
	runs, err := Objectives(t.Context(), c, w, 64, 8, 20)
	require.NoError(t, err)
	require.InDelta(t, 2e6, runs[0].Score.Cost, 1e-6)
}

// The program's own messages are the graph's messages, under the given map.
func TestOwnB(t *testing.T) {
	g, err := lpgraph.Parse("g", []byte("lp a\nlp b\nlp c\nchannel a b 2\nchannel a c 2"))
	require.NoError(t, err)
	c := Case{network.HXB, "2x2", 0, "", of("2x2", g)}
	for _, x := range []struct {
		m         mapping.Map
		low, high float64
	}{
		{mapping.Map{0, 1, 1}, 1, 1},     // no message turns
		{mapping.Map{0, 3, 1}, 0.5, 0.9}, // the message that turns is sent first
		{mapping.Map{0, 1, 3}, 1.1, 2},   // the message that turns is sent second
		{nil, 0.9, 1.1},                  // mixed maps
	} {
		b, err := MeasuredB(t.Context(), c, x.m, 50, 64, 0.1)
		require.NoError(t, err)
		require.GreaterOrEqual(t, b, x.low, "%v", x.m)
		require.LessOrEqual(t, b, x.high, "%v", x.m)
	}
	b, err := MeasuredB(t.Context(), c, mapping.Map{2, 2, 2}, 50, 64, 0.1)
	require.NoError(t, err)
	require.True(t, math.IsNaN(b), "no message leaves its PP")
}

func TestObjectives(t *testing.T) {
	runs, err := Objectives(context.Background(), Case{network.Torus, "8x4", 4, "", nil}, mapping.Reference(), 384, 8,
		100)
	require.NoError(t, err)
	require.Len(t, runs, 5)
	byCost, byLoad := runs[1], runs[3]
	require.Less(t, byCost.Score.Cost, byLoad.Score.Cost)
	require.Less(t, byLoad.Score.MaxLoad, byCost.Score.MaxLoad)
	require.Less(t, byLoad.Clocks, 0.9*byCost.Clocks)
}

// A short run with N* shows the direction, not the figure (300 seeds: emsim verify).
func TestScatter(t *testing.T) {
	c := Case{network.HXB, "4x4", 3, "", nil}
	costs, err := CostsOf(context.Background(), c, mapping.Reference())
	require.NoError(t, err)
	s, err := Shake(context.Background(), c, costs.Exact.Map, NStar(), 60, nil)
	require.NoError(t, err)
	require.Greater(t, s.SDRatio(), 1.5)
	require.Greater(t, s.MeanRatio(), 1.02)
	low, high := spread.SDRatio(s.Conventional, s.Optimal)
	require.Less(t, low, s.SDRatio())
	require.Greater(t, high, s.SDRatio())
	require.InDelta(t, 0.5, s.AtLeast(s.SDRatio(), 2000), 0.35)
}

// The paper's ten figures alone support these statistics [004 table 1].
func TestTable1Statistics(t *testing.T) {
	conventional := []float64{150, 138, 158, 139, 166}
	optimal := []float64{143, 142, 146, 144, 150}
	require.InDelta(t, 150.2, portable.Mean(conventional), 0.01)
	require.InDelta(t, 145.0, portable.Mean(optimal), 0.01)
	require.InDelta(t, 10.8, SD(conventional), 0.05)
	require.InDelta(t, 2.828, SD(optimal), 0.001)
	require.InDelta(t, PaperSDRatio, SD(conventional)/SD(optimal), 0.01)
	require.InDelta(t, 0.41, permutationP(conventional, optimal), 0.005)
}

// If LPs share PPs, or if the exact search does not end, the other columns still have values.
func TestCostsWithoutAnExactMap(t *testing.T) {
	r, err := CostsOf(t.Context(), Case{network.HXB, "3x3", 3, "", nil}, mapping.Reference())
	require.NoError(t, err)
	require.Nil(t, r.Exact.Map)
	require.Equal(t, 9, r.PPs)
	require.Less(t, r.Grid.Score.Cost, r.Conventional.Cost)

	r, err = CostsOf(&ends{t.Context(), 500}, Case{network.Torus, "4x3", 3, "", nil}, mapping.Reference())
	require.ErrorIs(t, err, context.Canceled)
	require.Nil(t, r.Exact.Map)
	require.Len(t, r.Grid.Map, 12)
}

// ends is a context that ends at its n-th check.
type ends struct {
	context.Context
	looks int
}

func (e *ends) Err() error {
	if e.looks--; e.looks < 0 {
		return context.Canceled
	}
	return nil
}

// permutationP returns the exact two-sided permutation test of a difference in means. It is the share of all
// divisions of the values into two groups of these sizes whose means differ at least as much. It is meant for samples
// of a few values.
func permutationP(x, y []float64) float64 {
	all := append(append([]float64(nil), x...), y...)
	total := 0.0
	for _, v := range all {
		total += v
	}
	nx, ny := float64(len(x)), float64(len(y))
	seen := math.Abs(portable.Mean(x)-portable.Mean(y)) - 1e-9
	reached, ways := 0, 0
	var deal func(next, taken int, sum float64)
	deal = func(next, taken int, sum float64) {
		if taken == len(x) {
			ways++
			if math.Abs(sum/nx-(total-sum)/ny) >= seen {
				reached++
			}
			return
		}
		for i := next; i <= len(all)-(len(x)-taken); i++ {
			deal(i+1, taken+1, sum+all[i])
		}
	}
	deal(0, 0, 0)
	return float64(reached) / float64(ways)
}
