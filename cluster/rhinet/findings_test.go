package rhinet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The statements of docs/RHINET.md beyond the paper hold, each at one machine.
func TestFindings(t *testing.T) {
	total := func(nodes int, load Load, a Policy, change func(c *Config)) (sum float64) {
		c := Default()
		c.Nodes, c.Load, c.Policy = nodes, load, a
		change(&c)
		for c.Seed = range uint64(2) {
			r, err := Run(t.Context(), c)
			require.NoError(t, err)
			sum += r.Total() / 2
		}
		return sum
	}
	for _, net := range Networks() {
		on := func(c *Config) { c.Network = net }
		clb := total(64, OneLoad, CLB, on)
		require.Less(t, total(64, OneLoad, WLB, on), 0.65*clb, "%v: resting beats waiting", net)
		require.InDelta(t, total(64, NoLoad, CLB, on), total(64, NoLoad, WLB, on), 0, "%v: without load wlb is clb",
			net)
		require.Less(t, total(64, OneLoad, NoLB, func(c *Config) { c.Network, c.Application = net, Heat }), 0.6*clb,
			"%v: no collective, little waiting", net)
	}
	pairs := total(8, TwoLoad, GLB, func(*Config) {})
	require.Less(t, total(8, TwoLoad, GLB, func(c *Config) { c.Group = 4 }), 0.9*pairs,
		"a group of 4 holds unloaded ranks")
	moves := func(c *Config) { c.Host.MoveEvery = 5 * time.Second }
	require.Greater(t, total(8, OneLoad, CLB, moves), total(8, OneLoad, NoLB, moves),
		"balancing runs after a load that moves each 5 s")
}
