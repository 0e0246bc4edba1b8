package study

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/rng"
	"emsim/internal/dev/golden"
	"emsim/pdes"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// Small-scale measurements equal the recorded numbers, so that a change is noticed within a second.
func TestRecordedMeasurements(t *testing.T) {
	for _, c := range []struct {
		file  string
		write func(t *testing.T, b *bytes.Buffer)
	}{
		{"costs.txt", writeCosts},
		{"coefficients.txt", writeCoefficients},
		{"runtimes.txt", writeRunTimes},
		{"random.txt", writeRandom},
	} {
		t.Run(c.file, func(t *testing.T) {
			var b bytes.Buffer
			c.write(t, &b)
			golden.Check(t, c.file, b.Bytes())
		})
	}
}

// writeCosts writes the cost table. It contains the best maps of 3 stages only, because their proofs are short.
func writeCosts(t *testing.T, b *bytes.Buffer) {
	for _, c := range Cases() {
		r, _, err := greedyOf(context.Background(), c, mapping.Reference())
		if c.Stages == 3 {
			r, err = CostsOf(context.Background(), c, mapping.Reference())
		}
		require.NoError(t, err)
		fmt.Fprintf(b, "%s %s, %d stages: conventional %.2f (%d of %d edges turn), grid %.2f after %d "+
			"swaps, crossbar %.2f",
			c.Kind, c.Shape, c.Stages, r.Conventional.Cost, r.Turned, r.Edges, r.Grid.Score.Cost, r.Grid.Swaps,
			r.XBar.Score.Cost)
		if r.Exact.Proven {
			fmt.Fprintf(b, ", best %.2f, ratio %.4f", r.Exact.Score.Cost, r.Ratio())
		}
		fmt.Fprintln(b)
	}
}

func writeCoefficients(t *testing.T, b *bytes.Buffer) {
	fmt.Fprintln(b, "network    T0 A A(wire) B(load 0.5) B(permutations that turn)")
	for _, n := range patternNets(t) {
		timing := pdes.DefaultTiming(64)
		t0, a, wire, err := FitZeroLoad(context.Background(), n.Net, timing)
		require.NoError(t, err)
		uniform, err := UniformB(context.Background(), n.Net, timing, a, 0.5, 3)
		require.NoError(t, err)
		saturate, err := SaturateB(context.Background(), n.Net, timing, a, 3)
		require.NoError(t, err)
		fmt.Fprintf(b, "%-10s %.4f %.6f %.6f %.5f %.5f\n", n.Name, t0, a, wire, uniform, saturate)
	}
	for _, c := range []Case{{network.HXB, "3x2", 2, "", nil}, {network.Torus, "4", 2, "", nil}} {
		r, err := Calibrate(context.Background(), c, nil, OwnSlots, nil)
		require.NoError(t, err)
		fmt.Fprintf(b, "%s %s: T0 %.3f A %.5f %.5f, uniform %.4f, saturated %.4f, own %.4f\n", c.Kind, c.Shape, r.T0,
			r.A, r.AWire, r.Uniform, r.Saturate, r.Own)
	}
}

func writeRunTimes(t *testing.T, b *bytes.Buffer) {
	ctx := context.Background()
	small := Case{network.Torus, "4x3", 3, "baseline", nil}
	points, err := RandomMaps(ctx, small, mapping.Reference(), 6, 384, 4, 30, nil)
	require.NoError(t, err)
	for seed, p := range points {
		fmt.Fprintf(b, "random map %d: %s\n", seed, point(p))
	}
	cost, load := Correlations(points)
	fmt.Fprintf(b, "r with cost %.4f, with port load %.4f\n", cost, load)
	runs, err := Objectives(ctx, small, mapping.Reference(), 384, 4, 20)
	require.NoError(t, err)
	for _, r := range runs {
		fmt.Fprintf(b, "%s by %q: %s\n", r.Method, r.Objective, point(r.Point))
	}
	ratio, err := Speedup(ctx, small, mapping.Random(12, 12, 3), 384, 4, 30)
	require.NoError(t, err)
	fmt.Fprintf(b, "random map 3 over the conventional: %.5f\n", ratio)
	d := NStar()
	d.Slots = 20
	s, err := Shake(ctx, small, mapping.Random(12, 12, 3), d, 3, nil)
	require.NoError(t, err)
	fmt.Fprintf(b, "shaken three times: conventional %v, random map 3 %v\n", s.Conventional, s.Optimal)
}

func writeRandom(t *testing.T, b *bytes.Buffer) {
	for seed := range uint64(6) {
		c, err := RandomConfig(seed)
		require.NoError(t, err)
		fmt.Fprintf(b, "%d: %s %s, %+v, %d slots, window %d, map %v\n   %+v\n   %+v, %+v, at most %d clocks\n", seed,
			c.Net.Kind, c.Net.Shape(), c.Banyan, c.Slots, c.Window, c.Map, c.Timing, c.Background, *c.Migrate,
			c.MaxClocks)
	}
	checked, err := CheckRandom(context.Background(), 1000, 30)
	require.NoError(t, err)
	fmt.Fprintf(b, "seeds 1000 to 1029: %+v\n", *checked)
}

func point(p Point) string {
	return fmt.Sprintf("cost %.2f, busiest port %d, squares %.0f: %.3f clocks a slot", p.Score.Cost, p.Score.MaxLoad,
		p.Score.Squares, p.Clocks)
}

func patternNets(t *testing.T) []NamedNet {
	nets, err := PatternNets()
	require.NoError(t, err)
	return nets
}

// The pattern table has these networks: the three kinds with 16 nodes, and HXB with Y before X.
func TestPatternNets(t *testing.T) {
	var told []string
	for _, n := range patternNets(t) {
		require.Equal(t, 16, n.Net.Nodes())
		told = append(told, fmt.Sprint(n.Name, " ", n.Net.Kind, " ", n.Net.YFirst))
	}
	require.Equal(t, []string{"hxb hxb false", "torus torus false", "hcb hcb false", "hxb_yfirst hxb true"}, told)
}

// Table 1 has these disturbances: N*, and its part outside the network.
func TestDisturbances(t *testing.T) {
	require.Equal(t, Disturbance{
		Cell: 300, Slots: 150,
		Background: pdes.Background{Flows: 2, Length: 512, SlowPPM: 15_000},
	}, NStar())
	require.Equal(t, Disturbance{Cell: 300, Slots: 150, Background: pdes.Background{Length: 512, SlowPPM: 15_000}},
		SlowPPs())
}

// Means, deviations, correlation and the permutation test give the results computed by hand.
func TestStatisticsByHand(t *testing.T) {
	x := []float64{2, 4, 4, 4, 5, 5, 7, 9}
	require.InDelta(t, 2, SD(x), 1e-12)
	require.InDelta(t, 1, Correlation([]float64{1, 2, 3}, []float64{10, 20, 30}), 1e-12)
	require.InDelta(t, -1, Correlation([]float64{1, 2, 3}, []float64{3, 2, 1}), 1e-12)
	require.InDelta(t, 0.5, Correlation([]float64{1, 2, 3}, []float64{1, 3, 2}), 1e-12)
	require.Zero(t, Correlation([]float64{1, 2, 3}, []float64{4, 4, 4}))
}

// Shaken runs give the ratios and shares computed by hand.
func TestShakenByHand(t *testing.T) {
	s := &Shaken{Conventional: []float64{10, 14, 10, 14}, Optimal: []float64{9, 11, 9, 11}}
	require.InDelta(t, 1.2, s.MeanRatio(), 1e-12)
	require.InDelta(t, 2, s.SDRatio(), 1e-12)
	c, o := s.CV()
	require.InDelta(t, 2.0/12, c, 1e-12)
	require.InDelta(t, 0.1, o, 1e-12)
	require.InDelta(t, 1, s.AtLeast(0, 50), 1e-12)
	spread := &Shaken{}
	for i := range 30 {
		spread.Conventional = append(spread.Conventional, 100+float64(7*i%30))
		spread.Optimal = append(spread.Optimal, 100+float64(11*i%30)/3)
	}
	require.InDelta(t, 0.50675, spread.AtLeast(3, 4000), 1e-9)
}

// A program without messages costs the same on any map.
func TestNoMessages(t *testing.T) {
	c, err := CostsOf(context.Background(), Case{network.HXB, "2", 1, "", nil}, mapping.Reference())
	require.NoError(t, err)
	require.Equal(t, [2]float64{1, 1}, [2]float64{c.Ratio(), c.RatioTo(c.Grid.Score)})
}

// FitZeroLoad finds the line through collinear points, and fitB the factor of an invented latency.
func TestFits(t *testing.T) {
	net, err := network.Parse(network.HXB, "4x4")
	require.NoError(t, err)
	timing := pdes.DefaultTiming(64)
	// A message at distance d takes 64 + 10 (1 + 2 d) clocks: 74, and 20 per hop.
	t0, a, wire, err := FitZeroLoad(context.Background(), net, timing)
	require.NoError(t, err)
	require.InDelta(t, 274, t0, 1e-9)
	require.InDelta(t, 20.0/274, a, 1e-12)
	require.InDelta(t, 20.0/74, wire, 1e-12)
	var samples []network.Sample
	for from := range 16 {
		for to := range 16 {
			d, c := net.Distance(from, to)
			if d > 0 {
				latency := 1000 * (1 + 0.25*float64(d)) * math.Pow(3, float64(c))
				samples = append(samples,
					network.Sample{From: from, To: to, Packets: 2, Clocks: int64(2 * (latency - 100))})
			}
		}
	}
	require.InDelta(t, 3, fitB(net, samples, 0.25, 100), 1e-9)
	two := []network.Sample{{From: 0, To: 1, Packets: 1, Clocks: 10}, {From: 0, To: 5, Packets: 1, Clocks: 70}}
	require.InDelta(t, 7, fitB(net, two, 0, 0), 1e-9, "a packet of each kind is enough")
	line, err := network.Parse(network.HXB, "4")
	require.NoError(t, err)
	require.InDelta(t, 1, fitB(line, must(network.ZeroLoad(context.Background(), line, 64, 10)), 0.1, 0), 0,
		"one axis: nothing turns")
}

// Permutations send each node to one partner the given number of turns away,
// if they exist.
func TestPermutations(t *testing.T) {
	for _, c := range []struct {
		kind  network.Kind
		shape string
		turns int
		any   bool
	}{{network.HXB, "4x4", 0, true}, {network.HXB, "4x4", 1, true}, {network.HXB, "4x4x2", 2, true}, {
		network.HXB,
		"4x4", 2, false,
	}, {network.HXB, "1x1", 0, false}, {network.HCB, "3", 2, true}} {
		net, err := network.Parse(c.kind, c.shape)
		require.NoError(t, err)
		draw := rng.New(1, 5)
		partner := permutation(net, c.turns, &draw)
		require.Equal(t, c.any, partner != nil, "%+v", c)
		seen := map[int]bool{}
		for from, to := range partner {
			_, turns := net.Distance(from, to)
			require.NotEqual(t, from, to)
			require.Equal(t, c.turns, turns)
			require.False(t, seen[to])
			seen[to] = true
		}
	}
}

// If no pair of nodes has a turn, or only some pairs do, saturated permutations give no B.
func TestNoPermutationTurns(t *testing.T) {
	for shape, want := range map[string]float64{"4x1": 0, "4": 1} {
		net, err := network.Parse(network.HXB, shape)
		require.NoError(t, err)
		require.Equal(t, want, must(SaturateB(context.Background(), net, pdes.DefaultTiming(64), 0.1, 1)), shape)
	}
}

// An invalid case is rejected wherever it is used.
func TestBadCases(t *testing.T) {
	ctx := context.Background()
	bad := Case{network.HXB, "4y4", 3, "", nil}
	many := Case{network.HXB, "4x4", 9, "", nil}
	w := mapping.Reference()
	errs := map[string]error{}
	_, errs["net"] = bad.Network()
	_, errs["problem"] = bad.Problem(w, 1)
	_, errs["stages"] = many.Problem(w, 1)
	_, errs["config"] = bad.Config(10)
	_, errs["costs"] = CostsOf(context.Background(), bad, w)
	_, errs["own"] = MeasuredB(ctx, bad, nil, OwnSlots, 64, 0.1)
	_, errs["calibrate"] = Calibrate(ctx, bad, nil, OwnSlots, nil)
	_, errs["calibrate, too few stages"] = Calibrate(ctx, Case{network.HXB, "4x4", 0, "", nil}, nil, OwnSlots, nil)
	_, errs["shake"] = Shake(ctx, bad, nil, NStar(), 1, nil)
	_, errs["shake, no slots"] = Shake(ctx, Case{network.HXB, "4x4", 3, "", nil}, nil, Disturbance{Cell: 64}, 1, nil)
	_, errs["run"] = RunMap(ctx, bad, nil, 64, 8, 10)
	_, errs["run, no slots"] = RunMap(ctx, Case{network.HXB, "4x4", 3, "", nil}, nil, 64, 8, 0)
	_, errs["speed-up"] = Speedup(ctx, bad, nil, 64, 8, 10)
	_, errs["speed-up, second map"] = Speedup(ctx, Case{network.HXB, "4x4", 3, "", nil}, mapping.Map{1}, 64, 8, 10)
	_, errs["random maps"] = RandomMaps(ctx, bad, w, 1, 64, 8, 10, nil)
	_, errs["random maps, no slots"] = RandomMaps(ctx, Case{network.HXB, "4x4", 3, "", nil}, w, 1, 64, 8, 0, nil)
	_, errs["objectives"] = Objectives(ctx, bad, w, 64, 8, 10)
	for name, err := range errs {
		require.Error(t, err, name)
		require.Equal(t, "usage", err.(interface{ Kind() string }).Kind(), name)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	_, err := CheckRandom(stopped, 1, 3)
	require.ErrorIs(t, err, context.Canceled)
}

// If a result differs from the oracle's, the error shows both.
func TestAgreeTellsBoth(t *testing.T) {
	cfg, err := Case{network.HXB, "4x4", 3, "", nil}.Config(20)
	require.NoError(t, err)
	r, err := pdes.Run(context.Background(), cfg)
	require.NoError(t, err)
	require.NoError(t, Agree(context.Background(), &cfg, r))
	for _, spoil := range []func(r *pdes.Result){
		func(r *pdes.Result) { r.Hash++ },
		func(r *pdes.Result) { r.Injected++ },
		func(r *pdes.Result) { r.Drops++ },
		func(r *pdes.Result) { r.Sunk++ },
		func(r *pdes.Result) { r.Delay++ },
		func(r *pdes.Result) { r.Queued++ },
	} {
		wrong := *r
		spoil(&wrong)
		require.ErrorContains(t, Agree(context.Background(), &cfg, &wrong),
			"the machine and the sequential oracle differ: {Hash:")
	}
}

// must returns v; it is for calls that cannot fail here.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
