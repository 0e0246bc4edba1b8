package rhinet

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Every policy that works in groups has these times with seed 1: rank 0's total, compute and balancing time. The
// number of packets is also checked.
func TestGroupedAlgorithms(t *testing.T) {
	for _, c := range []struct {
		net             Network
		policy          Policy
		nodes           int
		total, calc, lb float64
		packets         int64
	}{
		{RHiNET2, GnoLB, 16, 45.059235, 20.994866, 0, 24252},
		{RHiNET2, GLB, 16, 45.059235, 20.962697, 0.000608, 24363},
		{RHiNET2, IGCLB, 16, 41.284860, 21.796950, 0.021266, 24567},
		{RHiNET2, IGDLB, 16, 41.284860, 21.796950, 0.021538, 24651},
		{Ethernet, GnoLB, 16, 47.739016, 24.333049, 0, 31413},
		{Ethernet, GLB, 16, 47.960078, 24.295767, 0.000973, 31477},
		{Ethernet, IGCLB, 16, 45.514650, 25.297079, 0.016485, 31497},
		{Ethernet, IGDLB, 16, 45.514650, 25.297079, 0.016913, 31581},
	} {
		cfg := Default()
		cfg.Network, cfg.Nodes, cfg.Policy, cfg.Load = c.net, c.nodes, c.policy, TwoLoad
		r, err := Run(context.Background(), cfg)
		require.NoError(t, err)
		require.InDelta(t, c.total, r.Total(), 1e-6, "%v, %v", c.net, c.policy)
		require.InDelta(t, c.calc, r.Calc(), 1e-6, "%v, %v", c.net, c.policy)
		require.InDelta(t, c.lb, r.LB(), 1e-6, "%v, %v", c.net, c.policy)
		require.Equal(t, c.packets, r.Packets, "%v, %v", c.net, c.policy)
	}
}

// In an exchange a mate sends its rows, a representative sends its group's rows, and all rows come back.
func TestExchangeBytes(t *testing.T) {
	c := Default()
	c.Nodes, c.Policy, c.Group = 8, GnoLB, 4
	s, err := newSim(c)
	require.NoError(t, err)
	type sent struct{ to, bytes int }
	got := make([][]sent, c.Nodes)
	for i := range s.ranks {
		r := &s.ranks[i]
		r.ops = nil
		r.exchange(&c)
		for _, o := range r.ops {
			if o.kind == opSend {
				require.Equal(t, aBlock, o.what)
				got[i] = append(got[i], sent{int(o.peer), o.bytes})
			}
		}
	}
	const own, all = 8 * 8192 / 8, 8 * 8192
	require.Equal(t, [][]sent{
		{{4, all}, {1, all}, {2, all}, {3, all}},
		{{0, own}},
		{{0, own}},
		{{0, own}},
		{{0, 4 * own}, {5, all}, {6, all}, {7, all}},
		{{4, own}},
		{{4, own}},
		{{4, own}},
	}, got)
}

// Each application has its own cost per row; the other application's cost has no effect.
func TestRowCostIsTheApplications(t *testing.T) {
	c := Default()
	c.Nodes, c.Host.Spread = 8, 0
	c.Host.RowCost, c.Heat.RowCost = 100*time.Microsecond, 30*time.Microsecond
	for app, want := range map[Application]int64{SOR: 100_000_000, Heat: 30_000_000} {
		c.Application = app
		host := newCPU(&c, 3)
		require.Equal(t, want, host.picosPerRow, app)
		require.Equal(t, want*8192/1000/TickNs, host.ticksFor(8192), app)
	}
	c.Network, c.Host.EthernetCost = Ethernet, 1.5
	c.Application = SOR
	require.EqualValues(t, 150_000_000, newCPU(&c, 3).picosPerRow)

	// The same holds for whole runs.
	c = Default()
	c.Nodes, c.Policy = 8, NoLB
	sor, err := Run(context.Background(), c)
	require.NoError(t, err)
	c.Heat.RowCost *= 2
	again, err := Run(context.Background(), c)
	require.NoError(t, err)
	require.Equal(t, sor.Total(), again.Total())
	c.Host.RowCost *= 2
	slow, err := Run(context.Background(), c)
	require.NoError(t, err)
	require.InEpsilon(t, 2*sor.Calc(), slow.Calc(), 1e-6)
}
