package spmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/base/srcerr"
)

// Every invalid parameter is rejected with its name before anything runs.
func TestBadParameters(t *testing.T) {
	for name, c := range map[string]struct {
		spoil     func(*Config)
		parameter string
		says      string
	}{
		"policy": {
			func(c *Config) { c.Policy = "best" }, "",
			`policy is "best", it must be one of none, static, proposed`,
		},
		"send":          {func(c *Config) { c.Send = "" }, "", `send is "", it must be one of in-turn, broadcast`},
		"no processors": {func(c *Config) { c.Topology = nil }, "topology", "0 processors; expected 1 to 1000"},
		"too many":      {func(c *Config) { c.Topology = make(Topology, 1001) }, "topology", "1001 processors"},
		"reader": {
			func(c *Config) { c.Topology[0] = []int{7} }, "topology",
			"processor 0 has the reader 7; the topology has the processors 0 to 6",
		},
		"negative reader": {
			func(c *Config) { c.Topology[3] = []int{-1} }, "topology",
			"processor 3 has the reader -1",
		},
		"self": {
			func(c *Config) { c.Topology[2] = []int{2} }, "topology",
			"processor 2 cannot read its own Power",
		},
		"twice": {
			func(c *Config) { c.Topology[1] = []int{0, 4, 0} }, "topology",
			"processor 1 lists the reader 0 twice",
		},
		"negative tasks": {func(c *Config) { c.Tasks = -1 }, "", "tasks is -1, it must be 0..1000000 tasks"},
		"too many tasks": {func(c *Config) { c.Tasks = 142_858 }, "tasks", "expected 0 to 142857"},
		"loaded":         {func(c *Config) { c.Loaded = []int{1, 7} }, "loaded", "no processor 7"},
		"loaded twice":   {func(c *Config) { c.Loaded = []int{1, 1} }, "loaded", "processor 1 is listed twice"},
		"free":           {func(c *Config) { c.FreeUS = 0 }, "", "task_free is 0s, it must be 1µs..277h46m40s"},
		"loaded time":    {func(c *Config) { c.LoadedUS = -3 }, "", "task_loaded is -3µs"},
		"interval":       {func(c *Config) { c.IntervalUS = 0 }, "", "interval is 0s, it must be 1µs"},
		"latency":        {func(c *Config) { c.LatencyUS = -1 }, "", "latency is -1µs, it must be 0s"},
		"far too long": {
			func(c *Config) { c.LatencyUS = 1 << 62 }, "",
			"latency is 2562047h47m16.854775s, it must be 0s..277h46m40s",
		},
		"jitter":          {func(c *Config) { c.JitterPPM = 1_000_000 }, "", "jitter is 1, it must be"},
		"negative jitter": {func(c *Config) { c.JitterPPM = -1 }, "", "jitter is -1e-06, it must be"},
		"endless interval": {
			func(c *Config) { c.IntervalUS = 1; c.FreeUS = 1e12 }, "interval",
			"lengthen the interval",
		},
	} {
		t.Run(name, func(t *testing.T) {
			config := Paper(Proposed)
			c.spoil(&config)
			_, err := Run(context.Background(), config)
			var p *Usage
			require.ErrorAs(t, err, &p)
			require.Equal(t, c.parameter, p.Parameter)
			require.Equal(t, "usage", p.Kind())
			require.ErrorContains(t, err, c.says)
			if c.parameter != "" { // not in the table
				require.Equal(t, map[string]any{"parameter": c.parameter}, p.Details())
				require.True(t, strings.HasPrefix(err.Error(), c.parameter+": "))
			}
		})
	}
}

// The largest valid machine keeps all times inside an int64.
func TestLargestTimes(t *testing.T) {
	c := Paper(Proposed)
	c.FreeUS, c.LoadedUS, c.IntervalUS, c.LatencyUS, c.JitterPPM = maxTimeUS, maxTimeUS, maxTimeUS, maxTimeUS, million-1
	r := run(t, c)
	for i, end := range r.EndUS {
		require.Positive(t, end, "processor %d", i)
	}
}

func TestPresets(t *testing.T) {
	for name, top := range map[string]Topology{
		"t-star": TStar(), "fano": Fano(), "tree": Tree(7), "one": Tree(1),
		"thousand": Tree(1000),
	} {
		require.NoError(t, top.Validate(), name)
	}
	require.Equal(t, "0 > 2\n1 > 0 4 5\n2 >\n3 > 6\n4 > 2\n5 > 2\n6 > 0 1 3\n", TStar().String())
	require.Equal(t, "0 > 1 2\n1 > 0 3 4\n2 > 0 5 6\n3 > 1\n4 > 1\n5 > 2\n6 > 2\n", Tree(7).String())
	// In a plane, any two lines share exactly one point, and every point is on as many lines as a line has points.
	for n := range planes {
		lines, err := FindTopology("plane", n)
		require.NoError(t, err)
		points := make([]int, n)
		for i := range lines {
			lines[i] = append(lines[i], i)
			for _, p := range lines[i] {
				points[p]++
			}
			for _, b := range lines[:i] {
				shared := slices.DeleteFunc(slices.Clone(b), func(p int) bool { return !slices.Contains(lines[i], p) })
				require.Len(t, shared, 1, "lines %v and %v", lines[i], b)
			}
		}
		require.Equal(t, slices.Repeat([]int{len(lines[0])}, n), points)
	}
}

// The families have these topologies for five processors and for one.
func TestFamilies(t *testing.T) {
	for name, want := range map[string]string{
		"tree": "0 > 1 2\n1 > 0 3 4\n2 > 0\n3 > 1\n4 > 1\n",
		"ring": "0 > 1\n1 > 2\n2 > 3\n3 > 4\n4 > 0\n",
		"line": "0 > 1\n1 > 0 2\n2 > 1 3\n3 > 2 4\n4 > 3\n",
		"star": "0 > 1 2 3 4\n1 > 0\n2 > 0\n3 > 0\n4 > 0\n",
		"grid": "0 > 1 3\n1 > 0 2 4\n2 > 1\n3 > 0 4\n4 > 1 3\n",
		"cube": "0 > 1 2 4\n1 > 0 3\n2 > 0 3\n3 > 1 2\n4 > 0\n",
		"all":  "0 > 1 2 3 4\n1 > 0 2 3 4\n2 > 0 1 3 4\n3 > 0 1 2 4\n4 > 0 1 2 3\n",
	} {
		s := DefaultSetup()
		s.Name, s.Processors, s.Loaded = name, 5, nil
		c, err := s.Build()
		require.NoError(t, err)
		require.Equal(t, want, c.Topology.String(), name)
		one, err := FindTopology(name, 1)
		require.NoError(t, err)
		require.Equal(t, Topology{{}}, one, name)
	}
	_, err := FindTopology("plane", 8)
	require.ErrorContains(t, err, "processors: 8; a plane has one of [7 13 21 31 57 73]")
}

// The load gives the time of a task on a loaded processor; the paper's load is about 65 %.
func TestLoad(t *testing.T) {
	s := DefaultSetup()
	s.LoadPPM = 650_000
	c, err := s.Build()
	require.NoError(t, err)
	require.EqualValues(t, 1_292_857, c.LoadedUS)
	require.EqualValues(t, 452_500, c.taskUS(0))
	require.EqualValues(t, 1_292_857, c.taskUS(1))
	s.LoadPPM = 0
	c, err = s.Build()
	require.NoError(t, err)
	require.EqualValues(t, 1_490_000, c.LoadedUS)
}

func TestTopologyRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := drawConfig(t, 0).Topology
		for i := range top {
			if top[i] == nil {
				top[i] = []int{}
			}
		}
		got, err := ParseTopology("drawn", []byte(top.String()))
		require.NoError(t, err)
		require.Equal(t, top, got)
	})
}

func TestTopologyFiles(t *testing.T) {
	got, err := ParseTopology("x", []byte("# a ring\n2 > 0   # back to the start\n\n 0>1\n1 > 2\n"))
	require.NoError(t, err)
	require.Equal(t, Topology{{1}, {2}, {0}}, got)

	for text, want := range map[string]string{
		"":                 `ring: no processors; expected lines such as "0 > 2"`,
		"# nothing\n":      `ring: no processors`,
		"0 1\n":            "ring:1:1: expected a processor, '>' and its readers, as in \"1 > 0 4 5\"\n    0 1\n    ^",
		"0\n":              "ring:1:1: expected a processor, '>' and its readers",
		"0 > 1\n\nx > 0\n": "ring:3:1: \"x\" is not a processor's number from 0 to 999",
		"0 > -1\n":         `ring:1:5: "-1" is not a processor's number`,
		"0 >1000\n":        `ring:1:4: "1000" is not a processor's number`,
		"0>1>2\n":          `ring:1:4: ">" is not a processor's number`,
		"> 1\n":            "ring:1:1: expected a processor, '>' and its readers",
		"0 > 1\n2 > 0\n":   `ring: processor 1 has no line; write "1 >" if no processor reads its Power`,
		"0 >\n0 >\n":       `ring:2:1: a second line for processor 0`,
		"0 > 1 1\n1 >\n":   `ring:1:7: processor 0 lists the reader 1 twice`,
		"1 >\n0 > 0\n":     `ring:2:5: processor 0 cannot read its own Power`,
		"0>1\n1>0 5\n":     `ring:2:5: processor 1 has the reader 5; the topology has the processors 0 to 1`,
		"x > 1\n0 > y\n":   `ring:2:5: "y" is not`,
		"0 > " + strings.Repeat("1 ", 1<<16) + "\n1 >": `ring:1:7: processor 0 lists the reader 1 twice`,
	} {
		_, err := ParseTopology("ring", []byte(text))
		require.ErrorContains(t, err, want)
		require.ErrorAs(t, err, new(*Usage))
		require.True(t, errors.As(err, new(srcerr.Errors)))
	}
}

// No text makes the parser panic, and every accepted text is a valid topology.
func FuzzParseTopology(f *testing.F) {
	f.Add("0 > 1\n1 >\n")
	f.Add(fmt.Sprint(TStar()))
	f.Fuzz(func(t *testing.T, text string) {
		top, err := ParseTopology("fuzz", []byte(text))
		if err == nil {
			require.NoError(t, top.Validate())
		}
	})
}
