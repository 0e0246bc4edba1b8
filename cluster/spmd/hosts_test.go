package spmd

import (
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/srcerr"
)

func base() Config {
	c := Paper(Proposed)
	c.Topology, c.Loaded, c.Tasks = Tree(3), []int{2}, 10
	return c
}

func TestParseHosts(t *testing.T) {
	c := base()
	hosts, err := ParseHosts("h", []byte("speed 2 0.5 20s\nsize 0 2.5 0-1 # two\ntasks 0-1 4\nspeed 2 0 "+
		"10s\nspeed 1 2\n"), &c)
	require.NoError(t, err)
	require.Equal(t, []Host{
		{Tasks: 4, Sizes: []int64{2_500_000, 2_500_000}},
		{Tasks: 4, Speed: []Speed{{0, 2_000_000}}},
		{Tasks: 10, Speed: []Speed{{0, 303_691}, {10_000_000, 0}, {20_000_000, 500_000}}},
	}, hosts)
	c.Hosts = hosts
	require.NoError(t, c.Validate())
	early, err := ParseHosts("h", []byte("speed 1 2 1us"), &c)
	require.NoError(t, err)
	require.Equal(t, []Speed{{0, million}, {1, 2_000_000}}, early[1].Speed, "as usual up to the first of its own")
	text, err := os.ReadFile("../../docs/examples/spmd-hosts.txt")
	require.NoError(t, err)
	paper := Paper(Proposed)
	paper.Hosts, err = ParseHosts("h", text, &paper)
	require.NoError(t, err)
	r := run(t, paper)
	all := 0
	for _, n := range r.Tasks {
		all += n
	}
	require.Equal(t, 250+6*100, all)
}

// Every mistake is reported with its place and a caret.
func TestBadHosts(t *testing.T) {
	for text, want := range map[string]string{
		"": `h: no lines; expected such as "speed 3 0.3 20s"`,
		"spede 1 1": "h:1:1: \"spede\" does not begin a statement; expected speed, tasks or size\n  " +
			"  spede 1 1\n    ^~~~~",
		"speed 1":                    "h:1:7: the line ends here; expected \"speed PROCESSORS FACTOR\"",
		"speed 3 1":                  `h:1:7: "3" is not a processor or a range of them from 0 to 2`,
		"speed 1 1001":               `h:1:9: "1001" is not a speed from 0 to 1000`,
		"speed 1 0.0001":             `h:1:9: "0.0001" is not a speed from 0.001 to 1000, or 0`,
		"speed 1 1 2":                `h:1:11: "2" is not a time from 0s`,
		"speed 1 1 1ns":              `h:1:11: "1ns" is not a whole number of 1µs`,
		"speed 1 0":                  "h:1:9: processor 1 stands still from here on for ever",
		"speed 1 1 2s\nspeed 1 2 2s": "h:2:9: processor 1 has two speeds from the same time on",
		"tasks 0":                    `h:1:7: the line ends here; expected "tasks PROCESSORS NUMBER"`,
		"tasks 0 -1":                 `h:1:9: "-1" is not a number of tasks from 0`,
		"tasks 0 3\ntasks 0-1 2":     "h:2:7: processor 0 already starts with 3 tasks",
		"size 0 1":                   `h:1:8: the line ends here; expected "size PROCESSORS FACTOR TASKS"`,
		"size 0 1 10":                `h:1:10: "10" is not a task of processor 0 or a range of them from 0 to 9`,
		"size 0 0 1":                 `h:1:8: "0" is not a size`,
		"size 0 2 3\nsize 1-2 2 3\nsize 0-1 0.5 2-4": "h:3:14: task 3 of processor 0 already has the size 2\n    " +
			"size 0-1 0.5 2-4\n                 ^~~",
	} {
		c := base()
		_, err := ParseHosts("h", []byte(text), &c)
		require.ErrorContains(t, err, want, text)
		require.ErrorAs(t, err, new(*Usage))
		require.True(t, errors.As(err, new(srcerr.Errors)))
	}
}

func TestBadHostsOfAConfig(t *testing.T) {
	for want, spoil := range map[string]func(c *Config){
		"1 processors have lines":     func(c *Config) { c.Hosts = c.Hosts[:1] },
		"processor 1 starts with -1":  func(c *Config) { c.Hosts[1].Tasks = -1 },
		"of which 2 have sizes":       func(c *Config) { c.Hosts[0] = Host{Tasks: 1, Sizes: []int64{1, 1}} },
		"task 0 of processor 0 has 0": func(c *Config) { c.Hosts[0].Sizes = []int64{0} },
		"from 1 us on; expected 0 or": func(c *Config) { c.Hosts[2].Speed = []Speed{{1, million}} },
		"has 999 millionths":          func(c *Config) { c.Hosts[2].Speed = []Speed{{0, 999}} },
		"for ever; expected a speed":  func(c *Config) { c.Hosts[2].Speed = []Speed{{0, 0}} },
		"1000001 tasks in all": func(c *Config) {
			c.Hosts[0].Tasks, c.Hosts[1].Tasks,
				c.Hosts[2].Tasks = 1_000_000, 1, 0
		},
		"more than 11 days of work":     func(c *Config) { c.FreeUS, c.LoadedUS = maxTimeUS/5, 1 },
		"means more than 50000000 inte": func(c *Config) { c.IntervalUS = 1 },
	} {
		c := base()
		c.Hosts = []Host{{Tasks: 10}, {Tasks: 10}, {Tasks: 10}}
		require.NoError(t, c.Validate())
		spoil(&c)
		require.ErrorContains(t, c.Validate(), want)
	}
}

// A task takes its size at the speeds of the times that it runs through.
func TestSpeedsAndSizes(t *testing.T) {
	c := base()
	c.Topology, c.Loaded, c.Tasks, c.JitterPPM, c.FreeUS = Tree(1), nil, 2, 0, 1000
	c.Hosts = []Host{{
		Tasks: 2, Sizes: []int64{2 * million},
		Speed: []Speed{{0, million}, {500, 0}, {700, million / 2}, {1700, 2 * million}},
	}}
	r := run(t, c)
	// 500 until it stands still, 500 from 700 to 1700, the other 1000 in 500; then 1000 in 500.
	require.Equal(t, []int64{2700}, r.EndUS)
	require.Equal(t, []int64{2700}, r.BusyUS)
	c.Hosts[0].Speed = nil
	require.Equal(t, []int64{3000}, run(t, c).EndUS)
}

// An idle processor asks again until none of the processors whose Powers it reads has tasks to give. With the paper's
// rule it ends.
func TestAskAgain(t *testing.T) {
	c := Paper(Static)
	c.Topology = Topology{{1}, {}}
	c.Loaded, c.Tasks = []int{0}, 40
	paper := run(t, c)
	c.RequestAgain = true
	again := run(t, c)
	require.Less(t, again.FinishUS(), paper.FinishUS())
	require.Greater(t, again.Requests, paper.Requests)
	// Both processors end within the time of the longest task of each other.
	require.InDelta(t, again.EndUS[0], again.EndUS[1], 1_600_000)
	c.Policy = None
	require.Zero(t, run(t, c).Requests)
}

// No text makes the parser panic, and every text that it accepts is valid, except for its size.
func FuzzParseHosts(f *testing.F) {
	f.Add("speed 2 0.5 20s\nsize 0 2.5 0-1\ntasks 0-1 4\n")
	f.Fuzz(func(t *testing.T, text string) {
		c := base()
		hosts, err := ParseHosts("fuzz", []byte(text), &c)
		if err != nil {
			return
		}
		c.Hosts = hosts
		if err := c.Validate(); err != nil {
			require.ErrorAs(t, err, new(*Usage))
		}
	})
}
