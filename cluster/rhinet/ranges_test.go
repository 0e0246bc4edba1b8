package rhinet

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Every parameter is accepted at the ends of its range. Beyond, it is rejected with its value and the range.
func TestRanges(t *testing.T) {
	const none = math.MinInt64
	for _, c := range []struct {
		name     string
		set      func(c *Config, v int64)
		min, max int64
		below    string // message at min-1, empty if there is none
		above    string // at max+1
	}{
		{"nodes", func(c *Config, v int64) { c.Nodes = int(v) }, 1, 64, "nodes is 0, it must be 1..1024 hosts", "65 nodes: the cluster has 1 to 64"},
		{"group", func(c *Config, v int64) { c.Group = int(v) }, 1, none, "group is 0, it must be at least 1 ranks", ""},
		{"interval", func(c *Config, v int64) { c.Every = int(v) }, 1, none, "interval is 0, it must be at least 1 loops", ""},
		{"rows", func(c *Config, v int64) { c.SOR.Rows = int(v) }, 64, 1 << 20, "64 nodes for 63 rows: every rank needs a row", "rows is 1048577, it must be 1..1048576 rows"},
		{"rows of heat", func(c *Config, v int64) { c.Application, c.Heat.Rows, c.Heat.Columns = Heat, int(v), 1 }, 64, 1 << 20, "64 nodes for 63 rows: every rank needs a row", "1048577 rows: expected 1 to 1048576"},
		{"row cost", func(c *Config, v int64) { c.Host.RowCost = time.Duration(v) }, 8, 1e8, "row_cost is 7ns, it must be 8ns..100ms", "row_cost is 100.000001ms, it"},
		{"message", func(c *Config, v int64) { c.Host.RHiNETMessage = time.Duration(v) }, 8, 1e9, "rhinet_message is 7ns, it must be 8ns..1s", "rhinet_message is 1.000000001s, it"},
		{"message", func(c *Config, v int64) { c.Host.EthernetMessage = time.Duration(v) }, 8, 1e9, "ethernet_message is 7ns, it must be 8ns..1s", "ethernet_message is 1.000000001s, it"},
		{"decide", func(c *Config, v int64) { c.Host.Decide = time.Duration(v) }, 0, 1e9, "decide is -1ns, it must be 0s..1s", "decide is 1.000000001s, it"},
		{"gap", func(c *Config, v int64) { c.Host.Gap = time.Duration(v) }, 0, 1e9, "gap is -1ns, it must be 0s..1s", "gap is 1.000000001s, it"},
		{"gap from", func(c *Config, v int64) { c.Host.GapFrom = int(v) }, 1, none, "gap_from is 0, it must be at least 1 ranks", ""},
		{"position", func(c *Config, v int64) { c.Host.LoadedPosition = int(v) }, 0, 7, "loaded_host is -1, it must be 0..7", "loaded_host is 8, it"},
		{"off", func(c *Config, v int64) { c.Host.SliceOff = time.Duration(v) }, 0, 103e9, "slice_off is -1ns, it must be 0s..1h0m0s", "slice of the competing process 1m43.000000001s: at most 1000 times the program's shortest slice, 103ms"},
		{"jitter", func(c *Config, v int64) { c.Host.SliceJitter = time.Duration(v) }, 0, 62_999_999, "slice_jitter is -1ns, it", ""},
		{"on", func(c *Config, v int64) { c.Host.SliceOn = time.Duration(v) }, 30_070_000, 3600e9, "slice of the competing process 70ms: at most 1000 times the program's shortest slice, 69.999µs", "slice_on is 1h0m0.000000001s, it must be 1µs..1h0m0s"},
		{"move", func(c *Config, v int64) { c.Load, c.Host.MoveEvery = OneLoad, time.Duration(v) }, 1e6, 3600e9, "load moves every 999.999µs: expected 0 (it stays) or 1ms to 1h0m0s", "move_every is 1h0m0.000000001s, it must be 0s..1h0m0s"},
		{"probe", func(c *Config, v int64) { c.WLB.Probe = int(v) }, 1, 1 << 20, "wlb_probe is 0, it must be 1..1048576 rows", "wlb_probe is 1048577, it"},
		{"columns", func(c *Config, v int64) { c.Application, c.Heat.Columns = Heat, int(v) }, 1, 32767, "columns is 0, it must be 1..", "grid of 8192 × 32768: 8 bytes a point have to fit a message of 2 GiB"},
		{"steps", func(c *Config, v int64) { c.Heat.Steps = int(v) }, 1, 1_000_000, "steps is 0, it must be 1..1000000 loops", "steps is 1000001, it"},
		{"heat cost", func(c *Config, v int64) { c.Heat.RowCost = time.Duration(v) }, 8, 1e8, "heat_row_cost is 7ns, it must be 8ns..100ms", "heat_row_cost is 100.000001ms, it"},
		{"exchange", func(c *Config, v int64) { c.SOR.Exchange = int(v) }, 1, none, "exchange is 0, it must be at least 1 loops", ""},
		{"loops", func(c *Config, v int64) { c.SOR.MaxLoops = int(v) }, 1, 1_000_000, "max_loops is 0, it must be 1..1000000 loops", "max_loops is 1000001, it"},
		{"switch_ticks", func(c *Config, v int64) { c.Torus.SwitchTicks = v }, 1, 1_000_000, "switch_ticks is 0, it must be 1..1000000", "switch_ticks is 1000001, it"},
		{"link_ticks", func(c *Config, v int64) { c.Torus.LinkTicks = v }, 1, 1_000_000, "link_ticks is 0, it must be 1..1000000", "link_ticks is 1000001, it"},
		{"head_flits", func(c *Config, v int64) { c.Torus.HeadFlits = v }, 0, 1_000_000, "head_flits is -1, it must be 0..1000000", "head_flits is 1000001, it"},
		{"mtu", func(c *Config, v int64) { c.Torus.MTU = int(v) }, 8, 1_000_000, "mtu is 7, it must be 8..1000000", "mtu is 1000001, it"},
		{"dma_bytes", func(c *Config, v int64) { c.Torus.DMABytes = v }, 1, 1_000_000, "dma_bytes is 0, it must be 1..1000000", "dma_bytes is 1000001, it"},
		{"dma_header", func(c *Config, v int64) { c.Torus.DMAHeader = v }, 0, 1_000_000, "dma_header is -1, it must be 0..1000000", "dma_header is 1000001, it"},
		{"frame_payload", func(c *Config, v int64) { c.Hub.Payload = int(v) }, 1, 1_000_000, "frame_payload is 0, it must be 1..1000000", "frame_payload is 1000001, it"},
		{"frame_header", func(c *Config, v int64) { c.Hub.Header = v }, 0, 1_000_000, "frame_header is -1, it must be 0..1000000", "frame_header is 1000001, it"},
		{"min_frame", func(c *Config, v int64) { c.Hub.MinFrame = v }, 0, 1_000_000, "min_frame is -1, it must be 0..1000000", "min_frame is 1000001, it"},
		{"frame_bytes", func(c *Config, v int64) { c.Hub.FrameBytes = v }, 0, 1_000_000, "frame_bytes is -1, it must be 0..1000000", "frame_bytes is 1000001, it"},
		{"ticks_per_byte", func(c *Config, v int64) { c.Hub.TicksPerByte = v }, 1, 1_000_000, "ticks_per_byte is 0, it must be 1..1000000", "ticks_per_byte is 1000001, it"},
		{"hub_ticks", func(c *Config, v int64) { c.Hub.HubTicks = v }, 1, 1_000_000, "hub_ticks is 0, it must be 1..1000000", "hub_ticks is 1000001, it"},
	} {
		try := func(v int64) error {
			d := Default()
			c.set(&d, v)
			return d.Validate()
		}
		require.NoError(t, try(c.min), c.name)
		require.ErrorContains(t, try(c.min-1), "rhinet: "+c.below, c.name)
		if c.max != none {
			require.NoError(t, try(c.max), c.name)
		}
		if c.above != "" {
			require.ErrorContains(t, try(c.max+1), "rhinet: "+c.above, c.name)
		}
	}
}

// A word must be one of those that its knob lists.
func TestWordRanges(t *testing.T) {
	for says, change := range map[string]func(c *Config){
		`network is "RHiNET2", it must be one of rhinet2, ethernet`:                     func(c *Config) { c.Network = "RHiNET2" },
		`policy is "", it must be one of nolb, gnolb, clb, dlb, glb, igclb, igdlb, wlb`: func(c *Config) { c.Policy = "" },
		`loaded: expected none, one, two or a list such as 1,3,6, not "x"`:              func(c *Config) { c.Load = "x" },
		`application is "x", it must be one of sor, heat`:                               func(c *Config) { c.Application = "x" },
	} {
		c := Default()
		change(&c)
		require.EqualError(t, c.Validate(), "rhinet: "+says)
	}
}

// Floating-point parameters have exact ranges too, and reject NaN and infinity.
func TestRealRanges(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		set  func(c *Config, v float64)
		good []float64
		bad  []float64
		says string
	}{
		{func(c *Config, v float64) { c.Host.EthernetCost = v }, []float64{0.001, 1, 8}, []float64{0, -1, 8.001, inf, nan}, "ethernet_cost is "},
		{func(c *Config, v float64) { c.Host.Spread = v }, []float64{0, 0.999}, []float64{-0.001, 1, inf, nan}, "spread is "},
		{func(c *Config, v float64) { c.WLB.Slow = v }, []float64{0.001, 1}, []float64{0, 1.001, nan}, "wlb_slow is "},
		{func(c *Config, v float64) { c.WLB.Jerky = v }, []float64{1, 1e9}, []float64{0.999, inf, nan}, "wlb_jerky is "},
		{func(c *Config, v float64) { c.SOR.Omega = v }, []float64{0.001, 1.999}, []float64{0, 2, nan}, "omega is "},
		{func(c *Config, v float64) { c.SOR.Rho = v }, []float64{0.001, 0.9999}, []float64{0, 1, nan}, "rho is "},
		{func(c *Config, v float64) { c.SOR.Dominance = v }, []float64{1.0001, 1e9}, []float64{1, 0, inf, nan}, "dominance is "},
		{func(c *Config, v float64) { c.SOR.Tolerance = v }, []float64{1e-300, 1e9}, []float64{0, -1, inf, nan}, "tolerance is "},
		{func(c *Config, v float64) { c.Application, c.Heat.Courant = Heat, v }, []float64{0.001, 0.25}, []float64{0, 0.2501, nan}, "courant is "},
	} {
		for _, v := range c.good {
			d := Default()
			c.set(&d, v)
			require.NoError(t, d.Validate(), "%g, %s", v, c.says)
		}
		for _, v := range c.bad {
			d := Default()
			c.set(&d, v)
			require.ErrorContains(t, d.Validate(), c.says, "%g", v)
		}
	}
}

// Some parameters are valid alone but not together.
func TestBadTogether(t *testing.T) {
	for _, c := range []struct {
		change func(c *Config)
		says   string // empty: valid
	}{
		{
			func(c *Config) { c.Policy, c.Group = GLB, 3 },
			"group 3 does not divide 64 nodes; under glb every group has the same size",
		},
		{func(c *Config) { c.Policy, c.Group = CLB, 3 }, ""},
		{func(c *Config) { c.Policy, c.Group = GLB, 64 }, ""},
		{func(c *Config) { c.Application, c.Heat.Rows = Heat, 63 }, "64 nodes for 63 rows: every rank needs a row"},
		{func(c *Config) { c.Application, c.Heat.Rows = Heat, 64 }, ""},
		{
			func(c *Config) { c.Host.MoveEvery = time.Second },
			"load moves every 1s, but no host is loaded; choose loaded one or two",
		},
		{
			func(c *Config) { c.Nodes, c.Load = 7, OneLoad },
			"loaded one loads host 7 of every eight, and 7 nodes have no such host; take more nodes",
		},
		{func(c *Config) { c.Nodes, c.Load = 8, OneLoad }, ""},
		{func(c *Config) { c.Nodes, c.Load = 8, "0,7" }, ""},
		{func(c *Config) { c.Nodes, c.Load = 8, "0,8" }, "loaded: there is no host 8; the cluster has 0 to 7"},
		{func(c *Config) { c.Nodes, c.Load = 8, "-1" }, "loaded: there is no host -1; the cluster has 0 to 7"},
		{func(c *Config) { c.Nodes, c.Load = 8, "3,3" }, "loaded: host 3 is listed twice"},
		{
			func(c *Config) { c.Nodes, c.Load, c.Host.MoveEvery = 8, "3", time.Second },
			"move_every is 1s, but the hosts in the list of loaded stay",
		},
		{func(c *Config) { c.Nodes, c.Load = 7, TwoLoad }, ""},
		{
			func(c *Config) { c.Nodes, c.Load = 6, TwoLoad },
			"loaded two loads host 7 of every eight, and 6 nodes have no such host",
		},
		{func(c *Config) { c.Nodes, c.Load, c.Host.MoveEvery = 4, OneLoad, time.Second }, ""},
		{func(c *Config) { c.Host.SliceOn, c.Host.SliceOff = 30*time.Millisecond+999, 0 }, "the shortest slice has to be 1µs to 1h0m0s"},
		{func(c *Config) { c.Host.SliceOn, c.Host.SliceOff = 30*time.Millisecond+1000, 0 }, ""},
		{func(c *Config) { c.Host.SliceOff, c.Host.SliceOn = time.Hour+1, time.Hour }, "slice_off is 1h0m0.000000001s, it must be 0s..1h0m0s"},
	} {
		d := Default()
		c.change(&d)
		if c.says == "" {
			require.NoError(t, d.Validate())
		} else {
			require.ErrorContains(t, d.Validate(), c.says)
		}
	}
}
