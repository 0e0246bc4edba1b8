package rhinet

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/base/knob"
)

// little limits the knobs that determine how long a run takes, or that depend on each other. Random tests draw all
// other knobs from their whole range.
var (
	little = map[string][2]int64{
		"rows": {40, 200}, "columns": {1, 60}, "steps": {1, 60}, "exchange": {1, 8}, "interval": {1, 20},
		"max_loops": {200, 5000},
		"group":     {1, 4}, "gap_from": {1, 64}, "mtu": {64, 4096}, "frame_payload": {64, 4096},
		"row_cost":       {int64(10 * time.Microsecond), int64(4 * time.Millisecond)},
		"heat_row_cost":  {TickNs, int64(4 * time.Millisecond)},
		"slice_on":       {int64(time.Millisecond), int64(200 * time.Millisecond)},
		"slice_jitter":   {0, int64(900 * time.Microsecond)},
		"slice_off":      {0, int64(100 * time.Millisecond)},
		"move_every":     {int64(time.Millisecond), int64(3 * time.Second)},
		"rhinet_message": {TickNs, int64(time.Millisecond)}, "ethernet_message": {TickNs, int64(time.Millisecond)},
		"decide": {0, int64(100 * time.Microsecond)}, "gap": {0, int64(time.Millisecond)},
		"switch_ticks": {1, 1000}, "link_ticks": {1, 1000}, "head_flits": {0, 100}, "dma_header": {0, 1000},
		"dma_bytes":    {1, 64},
		"frame_header": {0, 1000}, "min_frame": {0, 1000}, "frame_bytes": {0, 1000}, "torus_x": {2, 6},
		"torus_y": {2, 6}, "ticks_per_byte": {1, 100}, "hub_ticks": {1, 10_000},
	}
	littleReal = map[string][2]float64{
		"ethernet_cost": {0.5, 8}, "omega": {0.5, 1.3}, "dominance": {1.2, 3},
		"tolerance": {1e-10, 1e-8}, "rho": {0.5, 0.9999},
	}
)

// randomConfig draws a value for every knob of a small machine.
func randomConfig(t *rapid.T) Config {
	c := Default()
	for _, r := range knob.Bind(Knobs(), &c) {
		if b, ok := little[r.Key]; ok {
			r.Min, r.Max = b[0], b[1]
		}
		if b, ok := littleReal[r.Key]; ok {
			r.Real = knob.Interval{Low: b[0], High: b[1]}
		}
		r.Draw(func(n uint64) uint64 { return rapid.Uint64Range(0, n-1).Draw(t, r.Key) })
	}
	c.Nodes = c.Group * (1 + c.Nodes%(16/c.Group))
	c.Host.LoadedPosition %= min(c.Nodes, loadUnit)
	if c.Load == NoLoad || rapid.Bool().Draw(t, "stays") {
		c.Host.MoveEvery = 0
	}
	return c
}

// Random machines vary every knob.
func TestKnobsVary(t *testing.T) {
	drawn := map[string]map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		c := randomConfig(t)
		require.NoError(t, c.Validate())
		for _, r := range knob.Bind(Knobs(), &c) {
			if drawn[r.Key] == nil {
				drawn[r.Key] = map[string]bool{}
			}
			drawn[r.Key][r.Text()] = true
		}
	})
	for key, values := range drawn {
		require.Greater(t, len(values), 1, key)
	}
}

// together lists the knobs whose extreme values need other values of other knobs.
var together = []string{"nodes", "rows", "loaded_host", "move_every", "slice_on", "slice_off", "slice_jitter"}

// The bounds of every knob are exactly those that Validate accepts.
func TestKnobLimits(t *testing.T) {
	for _, k := range Knobs() {
		for v, fine := range map[int64]bool{k.Min - 1: false, k.Min: true, k.Max: true, k.Max + 1: false} {
			c := Default()
			c.Nodes, c.Load, c.Host.LoadedPosition = 1, OneLoad, 0
			switch k.Key {
			case "steps", "columns", "heat_row_cost":
				c.Application, c.Heat.Rows = Heat, 1
			case "rows":
				c.Load, c.Nodes = NoLoad, 1
			}
			r := k.Bind(&c)
			switch r.Get().(type) {
			case int64:
				require.NoError(t, r.Put(v))
			case time.Duration:
				require.NoError(t, r.Put(time.Duration(v)))
			default:
				continue
			}
			switch err := c.Validate(); {
			case fine && !slices.Contains(together, k.Key):
				require.NoError(t, err, "%s is %d", k.Key, v)
			case !fine && (v < k.Min || v > k.Max): // no overflow
				require.Error(t, err, "%s is %d", k.Key, v)
			}
			require.Equal(t, v >= k.Min && v <= k.Max, r.Check() == nil, k.Key)
		}
	}
}
