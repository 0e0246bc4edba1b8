package spmd

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// Machines at the limits are valid, and one step beyond they are not.
func TestLimits(t *testing.T) {
	for says, c := range map[string]struct{ last, beyond func(*Config) }{
		"interval: 1 us with 1 tasks of up to 25000001 us means more than 50000000 intervals; lengthen the interval": {
			func(c *Config) {
				c.Topology, c.Tasks, c.FreeUS, c.LoadedUS, c.IntervalUS = Tree(1), 1, 1, 25_000_000, 1
			},
			func(c *Config) { c.LoadedUS++ },
		},
		"interval: 3 us with 5 tasks of up to 3750001 us means more than 50000000 intervals; lengthen the interval": {
			func(c *Config) { c.Topology, c.Tasks, c.FreeUS, c.LoadedUS, c.IntervalUS = Tree(4), 5, 3_750_000, 2, 3 },
			func(c *Config) { c.FreeUS++ },
		},
		"jitter is 1, it must be at least 0 and below 1": {
			func(c *Config) { c.JitterPPM = 999_999 }, func(c *Config) { c.JitterPPM++ },
		},
		"jitter is -1e-06, it must be at least 0 and below 1": {
			func(c *Config) { c.JitterPPM = 0 }, func(c *Config) { c.JitterPPM-- },
		},
		"latency is -1µs, it must be 0s..277h46m40s": {
			func(c *Config) { c.LatencyUS = 0 }, func(c *Config) { c.LatencyUS-- },
		},
		"latency is 277h46m40.000001s, it must be 0s..277h46m40s": {
			func(c *Config) { c.LatencyUS = 1e12 }, func(c *Config) { c.LatencyUS++ },
		},
		"task_loaded is 0s, it must be 1µs..277h46m40s": {
			func(c *Config) { c.LoadedUS = 1 }, func(c *Config) { c.LoadedUS-- },
		},
		"interval is 0s, it must be 1µs..277h46m40s": {
			func(c *Config) { c.Tasks, c.IntervalUS = 1, 1 }, func(c *Config) { c.IntervalUS-- },
		},
		"task_free is 0s, it must be 1µs..277h46m40s": {
			func(c *Config) { c.FreeUS = 1 }, func(c *Config) { c.FreeUS-- },
		},
		"loaded: there is no processor 7; the topology has 0 to 6": {
			func(c *Config) { c.Loaded = []int{0, 6} }, func(c *Config) { c.Loaded[1]++ },
		},
		"loaded: there is no processor -1; the topology has 0 to 6": {
			func(c *Config) { c.Loaded = []int{6, 0} }, func(c *Config) { c.Loaded[1]-- },
		},
		"tasks: 142858 tasks for each of 7 processors; expected 0 to 142857 (1000000 in all, as each is held in memory)": {
			func(c *Config) { c.Tasks = 142_857 }, func(c *Config) { c.Tasks++ },
		},
		"topology: 1001 processors; expected 1 to 1000": {
			func(c *Config) { c.Topology = Tree(1000) }, func(c *Config) { c.Topology = Tree(1001) },
		},
	} {
		config := Paper(Proposed)
		config.Loaded = nil
		c.last(&config)
		require.NoError(t, config.Validate(), says)
		c.beyond(&config)
		require.EqualError(t, config.Validate(), says)
	}
}

// RunSeeds runs as many seeds as fit into memory.
func TestSeedLimit(t *testing.T) {
	c := Paper(Proposed)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	const most = (1 << 25) / (7 * 107)
	for n, says := range map[int]string{
		1: "", most: "",
		0: "seeds: 0 runs; expected 1 to 44798 for 7 processors with 700 tasks in all (the results of all " +
			"runs are held in memory)",
		most + 1: "seeds: 44799 runs; expected 1 to 44798 for 7 processors with 700 tasks in all (the results of all " +
			"runs are held in memory)",
	} {
		_, err := RunSeeds(ctx, c, n)
		if says == "" {
			require.ErrorIs(t, err, context.Canceled)
		} else {
			require.EqualError(t, err, says)
		}
	}
	c.Tasks = -1
	_, err := RunSeeds(t.Context(), c, 1)
	require.ErrorContains(t, err, "tasks is -1")
}

// An error in a topology file shows its place. Running the same task twice panics.
func TestErrorTexts(t *testing.T) {
	_, err := ParseTopology("ring", []byte("0 > 1\n1 > 0 0\n"))
	require.EqualError(t, err, "ring:2:7: processor 1 lists the reader 0 twice\n    1 > 0 0\n          ^")
	require.Panics(t, func() {
		r := newResult(1, 1, 1)
		r.noteRan(0, 0)
		r.noteRan(0, 0)
	})
}
