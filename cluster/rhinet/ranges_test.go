package rhinet

import (
	"math"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Every parameter is accepted at the ends of its range and refused beyond,
// with its value and the range.
func TestRanges(t *testing.T) {
	const none = math.MinInt64
	for _, c := range []struct {
		name     string
		set      func(c *Config, v int64)
		min, max int64
		below    string // message at min-1, empty if there is none
		above    string // at max+1
	}{
		{"nodes", func(c *Config, v int64) { c.Nodes = int(v) }, 1, 64, "0 nodes: the cluster has 1 to 64", "65 nodes: the cluster has 1 to 64"},
		{"network", func(c *Config, v int64) { c.Network = Network(v) }, 0, 1, "network unknown(-1): choose rhinet2 or ethernet", "network unknown(2): choose rhinet2 or ethernet"},
		{"algorithm", func(c *Config, v int64) { c.Algorithm = Algorithm(v) }, 0, 7, "algorithm unknown(-1) does not exist", "algorithm unknown(8) does not exist"},
		{"load", func(c *Config, v int64) { c.Load = Load(v) }, 0, 2, "load unknown(-1): choose noload, oneload or twoload", "load unknown(3): choose noload, oneload or twoload"},
		{"application", func(c *Config, v int64) { c.Application = Application(v) }, 0, 1, "application unknown(-1): choose sor or heat", "application unknown(2): choose sor or heat"},
		{"group", func(c *Config, v int64) { c.Group = int(v) }, 1, none, "group 0: a group has at least one rank", ""},
		{"every", func(c *Config, v int64) { c.Every = int(v) }, 1, none, "balancing every 0 loops: expected at least 1", ""},
		{"rows", func(c *Config, v int64) { c.SOR.Rows = int(v) }, 64, 1 << 20, "64 nodes for 63 rows: every rank needs a row", "1048577 rows: expected 1 to 1048576"},
		{"row cost", func(c *Config, v int64) { c.Host.RowCost = time.Duration(v) }, 4, 1e8, "row cost 3ns: expected 8ns to 100ms", "row cost 100.000001ms: expected 8ns to 100ms"},
		{"message", func(c *Config, v int64) { c.Host.RHiNETMessage = time.Duration(v) }, 4, 1e9, "message cost under RHiNET-2 3ns: expected 8ns to 1s", "message cost under RHiNET-2 1.000000001s: expected 8ns to 1s"},
		{"message", func(c *Config, v int64) { c.Host.EthernetMessage = time.Duration(v) }, 4, 1e9, "message cost under Ethernet 3ns: expected 8ns to 1s", "message cost under Ethernet 1.000000001s: expected 8ns to 1s"},
		{"decide", func(c *Config, v int64) { c.Host.Decide = time.Duration(v) }, 0, 1e9, "decision time -1ns: expected 0 to 1s", "decision time 1.000000001s: expected 0 to 1s"},
		{"gap", func(c *Config, v int64) { c.Host.Gap = time.Duration(v) }, 0, 1e9, "gap -1ns: expected 0 to 1s", "gap 1.000000001s: expected 0 to 1s"},
		{"gap from", func(c *Config, v int64) { c.Host.GapFrom = int(v) }, 1, none, "gap from 0 participants on: expected at least 1", ""},
		{"position", func(c *Config, v int64) { c.Host.LoadedPosition = int(v) }, 0, 7, "loaded position -1: one of eight hosts, 0 to 7", "loaded position 8: one of eight hosts, 0 to 7"},
		{"off", func(c *Config, v int64) { c.Host.SliceOff = time.Duration(v) }, 0, 103e9, "slice of the competing process -1ns: expected 0 to 1h0m0s", "slice of the competing process 1m43.000000001s: at most 1000 times the program's shortest slice, 103ms"},
		{"jitter", func(c *Config, v int64) { c.Host.SliceJitter = time.Duration(v) }, 0, 62_999_999, "slice jitter -1ns: expected at least 0", ""},
		{"on", func(c *Config, v int64) { c.Host.SliceOn = time.Duration(v) }, 30_070_000, 3600e9, "slice of the competing process 70ms: at most 1000 times the program's shortest slice, 69.999µs", "program's slice 1h0m0.000000001s less jitter 30ms: the shortest slice has to be 1µs to 1h0m0s"},
		{"move", func(c *Config, v int64) { c.Load, c.Host.MoveEvery = OneLoad, time.Duration(v) }, 1e6, 3600e9, "load moves every 999.999µs: expected 0 (it stays) or 1ms to 1h0m0s", "load moves every 1h0m0.000000001s: expected 0 (it stays) or 1ms to 1h0m0s"},
		{"probe", func(c *Config, v int64) { c.WLB.Probe = int(v) }, 1, 1 << 20, "probe of 0 rows: expected 1 to 1048576", "probe of 1048577 rows: expected 1 to 1048576"},
		{"columns", func(c *Config, v int64) { c.Application, c.Heat.Columns = Heat, int(v) }, 1, 32767, "grid of 8192 × 0: at least 1 column, and 8 bytes a point have to fit a message of 2 GiB", "grid of 8192 × 32768: at least 1 column, and 8 bytes a point have to fit a message of 2 GiB"},
		{"steps", func(c *Config, v int64) { c.Application, c.Heat.Steps = Heat, int(v) }, 1, 1_000_000, "0 steps: expected 1 to 1000000", "1000001 steps: expected 1 to 1000000"},
		{"heat cost", func(c *Config, v int64) { c.Application, c.Heat.RowCost = Heat, time.Duration(v) }, 4, 1e8, "row cost 3ns: expected 8ns to 100ms", "row cost 100.000001ms: expected 8ns to 100ms"},
		{"exchange", func(c *Config, v int64) { c.SOR.Exchange = int(v) }, 1, none, "exchange every 0 loops: expected at least 1", ""},
		{"loops", func(c *Config, v int64) { c.SOR.MaxLoops = int(v) }, 1, 1_000_000, "at most 0 loops: expected 1 to 1000000", "at most 1000001 loops: expected 1 to 1000000"},
		{"switch", func(c *Config, v int64) { c.Torus.SwitchTicks = v }, 1, 1_000_000, "torus switch ticks 0: expected 1 to 1000000", "torus switch ticks 1000001: expected 1 to 1000000"},
		{"link", func(c *Config, v int64) { c.Torus.LinkTicks = v }, 1, 1_000_000, "torus link ticks 0: expected 1 to 1000000", "torus link ticks 1000001: expected 1 to 1000000"},
		{"flits", func(c *Config, v int64) { c.Torus.HeadFlits = v }, 0, 1_000_000, "torus header flits -1: expected 0 to 1000000", "torus header flits 1000001: expected 0 to 1000000"},
		{"MTU", func(c *Config, v int64) { c.Torus.MTU = int(v) }, 8, 1_000_000, "torus MTU 7: expected 8 to 1000000", "torus MTU 1000001: expected 8 to 1000000"},
		{"DMA", func(c *Config, v int64) { c.Torus.DMABytes = v }, 1, 1_000_000, "torus DMA bytes per tick 0: expected 1 to 1000000", "torus DMA bytes per tick 1000001: expected 1 to 1000000"},
		{"DMA header", func(c *Config, v int64) { c.Torus.DMAHeader = v }, 0, 1_000_000, "torus DMA header -1: expected 0 to 1000000", "torus DMA header 1000001: expected 0 to 1000000"},
		{"payload", func(c *Config, v int64) { c.Hub.Payload = int(v) }, 1, 1_000_000, "Ethernet frame payload 0: expected 1 to 1000000", "Ethernet frame payload 1000001: expected 1 to 1000000"},
		{"header", func(c *Config, v int64) { c.Hub.Header = v }, 0, 1_000_000, "Ethernet header bytes -1: expected 0 to 1000000", "Ethernet header bytes 1000001: expected 0 to 1000000"},
		{"shortest", func(c *Config, v int64) { c.Hub.MinFrame = v }, 0, 1_000_000, "Ethernet shortest payload -1: expected 0 to 1000000", "Ethernet shortest payload 1000001: expected 0 to 1000000"},
		{"around", func(c *Config, v int64) { c.Hub.FrameBytes = v }, 0, 1_000_000, "Ethernet bytes around a frame -1: expected 0 to 1000000", "Ethernet bytes around a frame 1000001: expected 0 to 1000000"},
		{"per byte", func(c *Config, v int64) { c.Hub.TicksPerByte = v }, 1, 1_000_000, "Ethernet ticks per byte 0: expected 1 to 1000000", "Ethernet ticks per byte 1000001: expected 1 to 1000000"},
		{"hub", func(c *Config, v int64) { c.Hub.HubTicks = v }, 1, 1_000_000, "hub ticks 0: expected 1 to 1000000", "hub ticks 1000001: expected 1 to 1000000"},
	} {
		try := func(v int64) error {
			d := Default()
			c.set(&d, v)
			return d.Validate()
		}
		require.NoError(t, try(c.min), c.name)
		require.Error(t, try(c.min-1), c.name)
		require.Equal(t, bare("rhinet: "+c.below), bare(try(c.min-1).Error()), c.name)
		if c.max != none {
			require.NoError(t, try(c.max), c.name)
		}
		if c.above != "" {
			require.Error(t, try(c.max+1), c.name)
			require.Equal(t, bare("rhinet: "+c.above), bare(try(c.max+1).Error()), c.name)
		}
	}
}

// The same for floating-point parameters, including NaN and infinity.
func TestRealRanges(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		set  func(c *Config, v float64)
		good []float64
		bad  []float64
		says string
	}{
		{func(c *Config, v float64) { c.Host.EthernetCost = v }, []float64{0.001, 1, 8}, []float64{0, -1, 8.001, inf, nan}, "expected more than 0, at most 8"},
		{func(c *Config, v float64) { c.Host.Spread = v }, []float64{0, 0.999}, []float64{-0.001, 1, inf, nan}, "expected at least 0, below 1"},
		{func(c *Config, v float64) { c.WLB.Slow = v }, []float64{0.001, 1}, []float64{0, 1.001, nan}, "expected more than 0, at most 1"},
		{func(c *Config, v float64) { c.WLB.Jerky = v }, []float64{1, 1e9}, []float64{0.999, inf, nan}, "expected at least 1"},
		{func(c *Config, v float64) { c.SOR.Omega = v }, []float64{0.001, 1.999}, []float64{0, 2, nan}, "over-relaxation converges between 0 and 2 only"},
		{func(c *Config, v float64) { c.SOR.Rho = v }, []float64{0.001, 0.9999}, []float64{0, 1, nan}, "expected between 0 and 1"},
		{func(c *Config, v float64) { c.SOR.Dominance = v }, []float64{1.0001, 1e9}, []float64{1, 0, inf, nan}, "the diagonal has to exceed the sum of its row"},
		{func(c *Config, v float64) { c.SOR.Tolerance = v }, []float64{1e-300, 1e9}, []float64{0, -1, inf, nan}, "expected a positive number"},
		{func(c *Config, v float64) { c.Application, c.Heat.Courant = Heat, v }, []float64{0.001, 0.25}, []float64{0, 0.2501, nan}, "expected more than 0, at most 0.25"},
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

// Parameters that are valid alone but not together.
func TestBadTogether(t *testing.T) {
	for _, c := range []struct {
		change func(c *Config)
		says   string // empty: valid
	}{
		{func(c *Config) { c.Algorithm, c.Group = GLB, 3 }, "group 3 does not divide 64 nodes; under glb every group has the same size"},
		{func(c *Config) { c.Algorithm, c.Group = CLB, 3 }, ""},
		{func(c *Config) { c.Algorithm, c.Group = GLB, 64 }, ""},
		{func(c *Config) { c.Application, c.Heat.Rows = Heat, 63 }, "64 nodes for 63 rows: every rank needs a row"},
		{func(c *Config) { c.Application, c.Heat.Rows = Heat, 64 }, ""},
		{func(c *Config) { c.Host.MoveEvery = time.Second }, "load moves every 1s, but the load pattern is noload; choose oneload or twoload"},
		{func(c *Config) { c.Nodes, c.Load = 7, OneLoad }, "oneload loads host 7 of each eight, and 7 nodes have none; take more nodes or another position"},
		{func(c *Config) { c.Nodes, c.Load = 8, OneLoad }, ""},
		{func(c *Config) { c.Nodes, c.Load = 7, TwoLoad }, ""},
		{func(c *Config) { c.Nodes, c.Load = 6, TwoLoad }, "twoload loads host 7 of each eight, and 6 nodes have none"},
		{func(c *Config) { c.Nodes, c.Load, c.Host.MoveEvery = 4, OneLoad, time.Second }, ""},
		{func(c *Config) { c.Host.SliceOn, c.Host.SliceOff = 30*time.Millisecond+999, 0 }, "the shortest slice has to be 1µs to 1h0m0s"},
		{func(c *Config) { c.Host.SliceOn, c.Host.SliceOff = 30*time.Millisecond+1000, 0 }, ""},
		{func(c *Config) { c.Host.SliceOff, c.Host.SliceOn = time.Hour+1, time.Hour }, "slice of the competing process 1h0m0.000000001s: expected 0 to 1h0m0s"},
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

// reasons are the reasons for limits, which messages give in brackets.
var reasons = regexp.MustCompile(` \([^()]*\)`)

// bare is a message without the reasons.
func bare(message string) string { return reasons.ReplaceAllString(message, "") }
