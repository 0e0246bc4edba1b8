package spmd

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/base/knob"
)

// little returns limits of the knobs that determine how long a run takes; times are in nanoseconds. Random tests draw
// all other knobs from their whole range.
func little(leastLatency int64) map[string][2]int64 {
	return map[string][2]int64{
		"processors": {1, 9}, "tasks": {0, 25},
		"task_free": {1000, 20_000}, "task_loaded": {1000, 60_000}, "interval": {1000, 80_000},
		"latency": {1000 * leastLatency, 100_000},
	}
}

// drawConfig draws a value for every knob of a small machine and, half of the time, a topology.
func drawConfig(t *rapid.T, leastLatency int64) Config {
	s := drawSetup(t, leastLatency)
	c, err := s.Build()
	require.NoError(t, err)
	if rapid.Bool().Draw(t, "named") {
		return c
	}
	n := rapid.IntRange(1, 7).Draw(t, "processors")
	c.Topology, c.Loaded = make(Topology, n), nil
	for i := range n {
		if rapid.Bool().Draw(t, "is loaded") {
			c.Loaded = append(c.Loaded, i)
		}
		for _, r := range rapid.Permutation(others(i, n)).Draw(t, "readers") {
			if rapid.Bool().Draw(t, "arrow") {
				c.Topology[i] = append(c.Topology[i], r)
			}
		}
	}
	return c
}

func drawSetup(t *rapid.T, leastLatency int64) Setup {
	s := DefaultSetup()
	for _, r := range knob.Bind(Knobs(), &s) {
		if b, ok := little(leastLatency)[r.Key]; ok {
			r.Min, r.Max = b[0], b[1]
		}
		r.Draw(func(n uint64) uint64 { return rapid.Uint64Range(0, n-1).Draw(t, r.Key) })
	}
	s.Loaded = nil
	n := 7
	if s.Name == "plane" {
		s.Processors = rapid.SampledFrom([]int{7, 13}).Draw(t, "points")
	}
	if slices.Contains(Names()[2:], s.Name) {
		n = s.Processors
	}
	for i := range n {
		if rapid.Bool().Draw(t, "is loaded") {
			s.Loaded = append(s.Loaded, i)
		}
	}
	return s
}

// Random machines vary every knob.
func TestKnobsVary(t *testing.T) {
	drawn := map[string]map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		s := drawSetup(t, 0)
		for _, r := range knob.Bind(Knobs(), &s) {
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

// The bounds of every knob are exactly those that Validate accepts.
func TestKnobLimits(t *testing.T) {
	for _, k := range Knobs() {
		s := DefaultSetup()
		r := k.Bind(&s)
		step := int64(1)
		put := func(v int64) error { return r.Put(v) }
		switch r.Get().(type) {
		case int64:
		case time.Duration:
			step, put = 1000, func(v int64) error { return r.Put(time.Duration(v)) }
		default:
			continue
		}
		for _, v := range []int64{k.Min - step, k.Min, k.Max, k.Max + step} {
			s = DefaultSetup()
			s.Name, s.Processors, s.Loaded, s.Tasks = "tree", 1, nil, 1
			if k.Key == "interval" {
				s.FreeUS, s.LoadedUS = 1, 1
			} else {
				s.IntervalUS = maxTimeUS
			}
			require.NoError(t, put(v))
			_, err := s.Build()
			require.Equal(t, v >= k.Min && v <= k.Max, err == nil, "%s is %d: %v", k.Key, v, err)
			require.Equal(t, err == nil, r.Check() == nil)
		}
	}
}

func TestLoadedAsText(t *testing.T) {
	s := DefaultSetup()
	require.NoError(t, knob.Set(Knobs(), &s, "loaded", "6, 1,3"))
	require.Equal(t, []int{1, 3, 6}, s.Loaded)
	require.NoError(t, knob.Set(Knobs(), &s, "loaded", "none"))
	require.Empty(t, s.Loaded)
	require.EqualError(t, knob.Set(Knobs(), &s, "loaded", "1,x"),
		`loaded: "x" is not a number: expected a list such as 1,3,6, or none, one or two`)
	s.Name = "torus"
	_, err := s.Build()
	require.EqualError(t, err, `topology: "torus" is not one of [t-star fano tree ring line star grid cube plane all]`)
	require.Equal(t, "none", loadedText(s.Loaded))
	require.NoError(t, knob.Set(Knobs(), &s, "loaded", "two"))
	require.Equal(t, []int{1, 3}, s.Loaded)
	require.Equal(t, "1,3", loadedText(s.Loaded))
}
