package experiments

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/cluster/rhinet"
	"emsim/internal/dev/golden"
)

func find(t *testing.T, name string) Experiment {
	for _, e := range All() {
		if e.Name == name {
			return e
		}
	}
	t.Fatalf("no experiment %q", name)
	return Experiment{}
}

// Every point of every experiment is a machine that can be run, and no two
// are the same.
func TestPoints(t *testing.T) {
	for _, e := range All() {
		require.NotEmpty(t, e.Title)
		seen := map[point]bool{}
		for _, p := range e.points() {
			require.NoError(t, p.cfg.Validate(), "%s: %+v", e.Name, p)
			require.False(t, seen[p], "%s: %+v twice", e.Name, p)
			seen[p] = true
		}
	}
}

// One experiment as a reader sees it; the digits are those of one seed.
func TestTable(t *testing.T) {
	e := find(t, "control")
	list, err := e.Run(context.Background(), Options{Seeds: 1, Network: rhinet.RHiNET2})
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, e.Table(&b, list))
	golden.Check(t, "control.txt", b.Bytes())
}

func TestBadOptions(t *testing.T) {
	_, err := find(t, "control").Run(context.Background(), Options{})
	require.ErrorContains(t, err, "at least 1")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = find(t, "groups").Run(ctx, Options{Seeds: 1, Network: rhinet.RHiNET2})
	require.ErrorIs(t, err, context.Canceled)
}

// What docs/RHINET.md says of the experiments, at two of their points.
func TestFindings(t *testing.T) {
	total := func(c rhinet.Config) float64 {
		o, err := observe(context.Background(), point{cfg: c}, 2)
		require.NoError(t, err)
		return o.TotalS
	}
	for _, net := range rhinet.Networks() {
		at := func(load rhinet.Load, a rhinet.Algorithm) rhinet.Config {
			c := baseConfig(64, load, a)
			c.Network = net
			return c
		}
		clb := total(at(rhinet.OneLoad, rhinet.CLB))
		require.Less(t, total(at(rhinet.OneLoad, rhinet.WLB)), 0.65*clb, "%v: resting beats waiting", net)
		require.Equal(t, total(at(rhinet.NoLoad, rhinet.CLB)), total(at(rhinet.NoLoad, rhinet.WLB)), "%v: without load wlb is clb", net)
		heat := at(rhinet.OneLoad, rhinet.NoLB)
		heat.Application = rhinet.Heat
		require.Less(t, total(heat), 0.6*clb, "%v: no collective, little waiting", net)
	}
	wide := baseConfig(8, rhinet.TwoLoad, rhinet.GLB)
	wide.Group = 4
	require.Less(t, total(wide), 0.9*total(baseConfig(8, rhinet.TwoLoad, rhinet.GLB)), "a group of 4 holds unloaded ranks")
	fast := baseConfig(8, rhinet.OneLoad, rhinet.CLB)
	fast.Host.MoveEvery = 5e9
	still := fast
	still.Algorithm = rhinet.NoLB
	require.Greater(t, total(fast), total(still), "balancing runs after a load that moves each 5 s")
}
