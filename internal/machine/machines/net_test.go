package machines

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"emsim/internal/base/answer"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/omega"
)

func network(pes int, p omega.Pattern, load float64) NetSetup {
	s := DefaultNet()
	s.PEs, s.Pattern, s.Load, s.Warm, s.Clocks = pes, p, load, 500, 4000
	return s
}

// measured returns the result of a network.
func measured(t *testing.T, s NetSetup) *Net {
	t.Helper()
	tr, err := s.Build()
	require.NoError(t, err)
	x, err := (&Traffic{Traffic: tr}).Measure(t.Context(), &s, false)
	require.NoError(t, err)
	return x
}

// The answer counts only what happens after the warm-up.
func TestWarmUp(t *testing.T) {
	s := network(12, omega.Uniform, 0.1)
	x := measured(t, s)
	tr, err := s.Build()
	require.NoError(t, err)
	tr.Steps(500, true)
	offered, arrived, latency, hops := tr.Offered, tr.Arrived, tr.Latency, tr.Net.FlitHops()
	tr.Steps(4000, true)
	require.Equal(t, tr.Offered-offered, x.Offered)
	require.Equal(t, tr.Arrived-arrived, x.Arrived)
	require.InDelta(t, float64(tr.Latency-latency)/float64(x.Arrived), *x.LatencyMean, 1e-9)
	require.Equal(t, tr.Net.FlitHops()-hops, x.FlitHops)
	require.Equal(t, uint64(4000), x.Tally.Clocks)
	require.LessOrEqual(t, x.LatencyMax, tr.Slowest)
	require.InDelta(t, 2*float64(x.Arrived)/4000/12, x.Throughput, 1e-12)

	s.Load = 0
	x = measured(t, s)
	require.Nil(t, x.LatencyMean)
	require.Zero(t, x.Arrived)
}

// The longest latency is counted only over the counted clocks: after a full network has emptied, earlier latencies are
// forgotten.
func TestSlowestIsForgotten(t *testing.T) {
	s := network(12, omega.Hotspot, 1)
	tr, err := s.Build()
	require.NoError(t, err)
	tr.Steps(500, true)
	for tr.InFlight()+tr.Queued() > 0 {
		tr.Steps(1, false)
	}
	before := tr.Slowest
	tr.CountAnew()
	tr.Steps(1, true)
	for tr.InFlight()+tr.Queued() > 0 {
		tr.Steps(1, false)
	}
	require.Positive(t, tr.Slowest)
	require.Less(t, tr.Slowest, before)
}

func TestDeadlockOfNetwork(t *testing.T) {
	s := network(80, omega.Uniform, 1)
	s.Switch.Banks = 1
	_, err := netModel.Run(t.Context(), &s, &Watch{})
	require.ErrorContains(t, err, "deadlock")
	var stuck *em4.Stuck
	require.ErrorAs(t, err, &stuck)
	require.Len(t, stuck.Waits, 20)
	require.Positive(t, stuck.More)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	c, err := RunCurve(ctx, s, 1)
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, c.Points)
}

// A curve begins with packets that are nearly alone and ends with a full network. Its saturation point lies between two
// loads that are close together.
func TestCurve(t *testing.T) {
	for _, p := range omega.Patterns() {
		c, err := RunCurve(t.Context(), network(12, p, 0.5), 1)
		require.NoError(t, err)
		require.InDelta(t, Least, c.Points[0].Load, 0)
		require.InDelta(t, 1, c.Points[len(c.Points)-1].Load, 0)
		require.InDelta(t, c.Full, c.Points[len(c.Points)-1].Throughput, 0)
		require.Greater(t, len(c.Points), 12)
		require.True(t, slices.IsSortedFunc(c.Points,
			func(a, b CurvePoint) int { return int(1e6 * (a.Load - b.Load)) }))
		require.NotNil(t, c.Saturation, p)
		for _, x := range c.Points {
			broken := x.Throughput < 0.95*x.Offered || x.LatencyMean > 3*c.Alone
			require.Equal(t, broken && x.Load > Least, x.Saturated)
			require.GreaterOrEqual(t, x.LatencyMean, 0.9*c.Alone)
		}
		i := slices.IndexFunc(c.Points, func(x CurvePoint) bool { return x.Load == *c.Saturation })
		require.False(t, c.Points[i].Saturated)
		require.True(t, c.Points[i+1].Saturated)
		require.Less(t, c.Points[i+1].Load/c.Points[i].Load, 1.02)
	}
}

// A single run says, as a curve does, whether the network is saturated. If so, it shows no latency; after a few clocks
// it cannot tell. JSON keeps its keys.
func TestSaturatedRun(t *testing.T) {
	for _, p := range omega.Patterns() {
		s := network(12, p, 0.5)
		c, err := RunCurve(t.Context(), s, 1)
		require.NoError(t, err)
		for load, want := range map[float64]any{*c.Saturation / 2: false, min(1, *c.Saturation*2): true, 0: false} {
			s.Load = load
			for clocks, want := range map[int64]any{s.Clocks: want, 10: map[bool]any{true: false}[load == 0]} {
				s := s
				s.Clocks = clocks
				x, err := netModel.Run(t.Context(), &s, &Watch{})
				require.NoError(t, err)
				text, err := x.MarshalJSON()
				require.NoError(t, err)
				var keys map[string]any
				require.NoError(t, json.Unmarshal(text, &keys))
				require.Equal(t, want, keys["saturated"], "%s at %v, %d clocks", p, load, clocks)
				require.Contains(t, keys, "latency_mean")
				for _, x := range []*answer.Answer{x, answer.MeanOf([]*answer.Answer{x, x})} {
					require.Equal(t, map[any]string{true: "saturated", nil: "too few clocks"}[want],
						x.Field("latency_mean").Instead)
				}
			}
		}
	}
}

// A full network delivers the words that docs/TIMING.md states. Package omega measures them in another way.
func TestFullNetworkIsPublished(t *testing.T) {
	page, err := os.ReadFile("../../../docs/TIMING.md")
	require.NoError(t, err)
	for _, p := range omega.Patterns() {
		s := network(80, p, 1)
		s.Warm, s.Clocks = 2000, 20_000
		x := measured(t, s)
		require.True(t, strings.Contains(string(page), fmt.Sprintf("\n%-10s %10.3f ", p, x.Throughput)),
			"%s: %.3f", p, x.Throughput)
	}
}

// After the counts are reset, the network is not taken for stuck, even if the sum of the new counts happens to equal
// the old one.
func TestCountingAnewIsNoDeadlock(t *testing.T) {
	s := network(32, omega.Uniform, 0.1)
	tr, err := s.Build()
	require.NoError(t, err)
	x := Traffic{Traffic: tr}
	require.NoError(t, x.StepTo(t.Context(), 100))
	x.CountAnew()
	arrived := tr.Arrived
	require.NoError(t, x.StepTo(t.Context(), 127))
	moved := tr.Arrived + tr.Net.FlitHops() + tr.Offered - tr.Queued()
	require.Greater(t, tr.Arrived, arrived)
	require.Greater(t, x.moves, moved+1000, "no sum of counts")
}

// The curves equal the ones in docs/TIMING.md. For 80 PEs only one is measured again.
func TestCurvesArePublished(t *testing.T) {
	page, err := os.ReadFile("../../../docs/TIMING.md")
	require.NoError(t, err)
	for _, x := range []NetSetup{
		network(12, omega.Uniform, 1), network(12, omega.Neighbour, 1),
		network(12, omega.Hotspot, 1), network(12, omega.Reverse, 1), network(80, omega.Hotspot, 1),
	} {
		x.Warm, x.Clocks = 2000, 20_000
		c, err := RunCurve(t.Context(), x, 1)
		require.NoError(t, err)
		i := slices.IndexFunc(c.Points, func(p CurvePoint) bool { return p.Load == *c.Saturation })
		line := fmt.Sprintf("\n%4d  %-9s  %11.2f  %10.4f  %13.2f  %10.3f\n", c.PEs, c.Pattern, c.Alone, *c.Saturation,
			c.Points[i].LatencyMean, c.Full)
		require.True(t, strings.Contains(string(page), line), "docs/TIMING.md does not have%s", line)
	}
}
