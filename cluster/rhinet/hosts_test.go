package rhinet

import (
	"errors"
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/srcerr"
)

const traces = `# a comment
load  7    0s   end
speed 0-3  1.25
stop  5    2s   2.07s
stop  5    0s   10ms
load  6-7  0s   0s # never reached below
`

func TestParseHosts(t *testing.T) {
	hosts, err := ParseHosts("h", []byte("load 7 1s end\nspeed 0-1 1.25\nstop 5 2s 2.07s\nload 5-6 0s 10ms"), 8)
	require.NoError(t, err)
	early := Busy{0, 10 * time.Millisecond, false}
	require.Equal(t, []HostTrace{
		{Speed: 1.25},
		{Speed: 1.25},
		{},
		{},
		{},
		{Busy: []Busy{early, {2 * time.Second, 2070 * time.Millisecond, true}}},
		{Busy: []Busy{early}},
		{Busy: []Busy{{From: time.Second}}},
	}, hosts)
	text, err := os.ReadFile("../../docs/examples/rhinet-hosts.txt")
	require.NoError(t, err)
	hosts, err = ParseHosts("h", text, 8)
	require.NoError(t, err)
	c := Default()
	c.Nodes, c.Own = 8, &Own{Hosts: hosts}
	require.NoError(t, c.Validate())
}

// Every mistake is reported with its place and a caret.
func TestBadHosts(t *testing.T) {
	for text, want := range map[string]string{
		"":            `h: no hosts; expected lines such as "speed 0-3 1.2"`,
		"speed 1":     "h:1:7: the line ends here; expected \"speed HOSTS FACTOR\"",
		"speed 1 2 3": "h:1:11: expected the end of the line",
		"fast 1 2": "h:1:1: \"fast\" does not begin a statement; expected speed, load or stop\n " +
			"   fast 1 2\n    ^~~~",
		"speed 8 1":              `h:1:7: "8" is not a host or a range of them from 0 to 7`,
		"speed 3-2 1":            `h:1:7: "3-2" is not a host`,
		"speed -1 1":             `h:1:7: "-1" is not a host`,
		"speed 1 0":              `h:1:9: "0" is not a speed from 0.001 to 1000`,
		"speed 1-2 1\nspeed 2 3": "h:2:7: host 2 already has the speed 1",
		"load 1 0s":              `h:1:8: the line ends here; expected "load HOSTS FROM UNTIL"`,
		"load 1 -1s 1s":          `h:1:8: "-1s" is not a time from 0s to 1000h0m0s`,
		"load 1 0s 1001h":        `h:1:11: "1001h" is not a time`,
		"load 1 1s 1s":           "h:1:11: this is not a time after 1s, the beginning",
		"stop 1 1s end":          `h:1:11: "end" is not a time`,
		"load 1 3s 5s\nstop 1 4s 6s": "h:2:8: host 1 is still busy then: its busy time from 3s has not " +
			"ended\n    stop 1 4s 6s\n           ^~",
		"load 1 5s 6s\nload 0-1 2s end": "h:1:8: host 1 is still busy then: its busy time from 2s",
	} {
		_, err := ParseHosts("h", []byte(text), 8)
		require.ErrorContains(t, err, want, text)
		require.ErrorAs(t, err, new(*Usage))
		require.True(t, errors.As(err, new(srcerr.Errors)))
	}
}

func TestBadHostsOfAConfig(t *testing.T) {
	for want, hosts := range map[string][]HostTrace{
		"1 hosts have traces, 2 nodes run":    make([]HostTrace, 1),
		"host 0 has the speed -1":             {{Speed: -1}, {}},
		"host 1 has the speed NaN":            {{}, {Speed: math.NaN()}},
		"host 0 is busy from -1s":             {{Busy: []Busy{{From: -time.Second}}}, {}},
		"expected a later end":                {{Busy: []Busy{{From: time.Second, Until: time.Second}}}, {}},
		"from 0s to 0s: expected a later":     {{Busy: []Busy{{Stop: true}}}, {}},
		"from 1s on, before 2s, the end":      {{Busy: []Busy{{Until: 2 * time.Second}, {From: time.Second}}}, {}},
		"from 1s to 0s: expected a later end": {{Busy: []Busy{{From: time.Second}, {From: 2 * time.Second}}}, {}},
	} {
		c := Default()
		c.Nodes, c.Own = 2, &Own{Hosts: hosts}
		require.ErrorContains(t, c.Validate(), want)
	}
}

// A stopped host does nothing, a loaded one has its slices, and a free one has all the time. The test counts the
// ticks of a trace one by one.
func TestTraceOfACPU(t *testing.T) {
	c := Default()
	c.Nodes = 1
	c.Host.SliceOn, c.Host.SliceOff, c.Host.SliceJitter = 400*TickNs, 200*TickNs, 0
	c.Own = &Own{Hosts: []HostTrace{{Speed: 2, Busy: []Busy{
		{From: 1000 * TickNs, Until: 1500 * TickNs, Stop: true},
		{From: 3000 * TickNs, Until: 9000 * TickNs},
		{From: 9000 * TickNs, Until: 9100 * TickNs, Stop: true},
	}}}}
	p := newCPU(&c, 0)
	require.EqualValues(t, 88_500_000, p.picosPerRow, "177 us at speed 1")
	require.EqualValues(t, 1000, p.advance(0, 1000))
	require.EqualValues(t, 1501, p.advance(1000, 1))
	require.EqualValues(t, 3000, p.advance(1501, 1499))
	took := p.advance(3000, 4000) - 3000
	require.InDelta(t, 6000, took, 200, "two thirds of the CPU")
	require.GreaterOrEqual(t, took, int64(5800))
	later := newCPU(&c, 0)
	require.EqualValues(t, 20_100, later.advance(9000, 11_000), "it was stopped for 100 ticks")
}

// Speeds decide the split: equation (1) gives a host of twice the speed twice the rows. An empty trace is a host
// without load and with a drawn speed.
func TestHostsDecideTheSplit(t *testing.T) {
	c := Default()
	c.Nodes, c.SOR.Rows, c.Policy, c.Every = 4, 2000, CLB, 5
	c.Own = &Own{Hosts: []HostTrace{{Speed: 1}, {Speed: 2}, {Speed: 1}, {Speed: 4}}}
	r, err := Run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, []int{250, 500, 250, 1000}, r.Epochs[len(r.Epochs)-1].Rows)
	plain := Default()
	plain.Nodes, plain.SOR.Rows, plain.Policy = 4, 2000, NoLB
	want, err := Run(t.Context(), plain)
	require.NoError(t, err)
	plain.Own = &Own{Hosts: make([]HostTrace, 4)}
	got, err := Run(t.Context(), plain)
	require.NoError(t, err)
	require.Equal(t, want, got)
	plain.Own.Hosts[2].Busy = []Busy{{From: 10 * time.Millisecond, Until: 500 * time.Millisecond, Stop: true}}
	stopped, err := Run(t.Context(), plain)
	require.NoError(t, err)
	require.InDelta(t, want.Finish()+0.49, stopped.Finish(), 0.05, "all wait for one")
}

// In a torus of another shape all messages arrive, and more hosts can run.
func TestOtherTori(t *testing.T) {
	for _, side := range [][2]int{{1, 1}, {2, 1}, {1, 3}, {5, 3}, {16, 16}} {
		p := Default().Torus
		p.Width, p.Height = side[0], side[1]
		switches := side[0] * side[1]
		for from := 0; from < switches; from += 1 + switches/17 {
			for dst := range hostsPerSwitch * switches {
				at, hops := from, 0
				for out := p.route(at, dst); out >= hostsPerSwitch; out = p.route(at, dst) {
					at = p.neighbour(at, out)
					hops++
					require.LessOrEqual(t, hops, side[0]/2+side[1]/2)
				}
				require.Equal(t, dst/hostsPerSwitch, at)
			}
		}
	}
	c := Default()
	c.Torus.Width, c.Nodes, c.SOR.MaxLoops = 6, 96, 5000
	c.Application, c.Heat.Rows, c.Heat.Columns, c.Heat.Steps = Heat, 960, 16, 20
	r, err := Run(t.Context(), c)
	require.NoError(t, err)
	require.Len(t, r.Ranks, 96)
}

// A watch gets samples at its times and the end of every operation, and changes nothing.
func TestWatch(t *testing.T) {
	c := Default()
	c.Nodes, c.SOR.Rows, c.Load, c.Host.LoadedPosition = 4, 800, OneLoad, 2
	want, err := Run(t.Context(), c)
	require.NoError(t, err)
	var at []int64
	var last []SampleOfRank
	var rows, received, moved int
	var computed [4]int64
	got, err := RunWatched(t.Context(), c, Watch{
		Every: ticksOf(50 * time.Millisecond),
		Sample: func(tick int64, ranks []SampleOfRank) {
			at = append(at, tick)
			sum := 0
			for i, r := range ranks {
				sum += r.Rows
				if last != nil {
					require.GreaterOrEqual(t, r.Calc, last[i].Calc)
					require.GreaterOrEqual(t, r.Wait, last[i].Wait)
				}
				require.LessOrEqual(t, r.Calc+r.Wait, tick)
			}
			rows, last = sum, ranks
		},
		Record: &Record{Tell: func(e Entry) {
			switch e.Event {
			case "compute":
				computed[e.Worker] += e.At - e.Since
			case "receive":
				received++
				require.NotEqual(t, e.From, e.To)
			case "gives":
				var first, last int
				if n, _ := fmt.Sscanf(e.What, "row %d-%d", &first, &last); n == 1 {
					last = first
				}
				moved += last - first + 1
			}
		}},
	})
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Equal(t, 800, rows)
	for i := range at[:len(at)-1] {
		require.EqualValues(t, int64(i)*ticksOf(50*time.Millisecond), at[i])
	}
	require.Equal(t, want.Finish(), Seconds(at[len(at)-1]))
	for i, r := range want.Ranks {
		require.Equal(t, r.Calc, computed[i])
		require.Equal(t, r.Calc, last[i].Calc)
		require.Equal(t, "done", last[i].Doing)
	}
	require.EqualValues(t, want.Messages, received)
	require.EqualValues(t, want.Moved(), moved)
	require.Positive(t, moved)
	_, err = RunWatched(t.Context(), c, Watch{Sample: func(int64, []SampleOfRank) {}})
	require.ErrorContains(t, err, "every 0 ticks")
}

// No text makes the parser panic, and every text that it accepts is valid.
func FuzzParseHosts(f *testing.F) {
	f.Add(traces)
	f.Fuzz(func(t *testing.T, text string) {
		if hosts, err := ParseHosts("fuzz", []byte(text), 8); err == nil {
			c := Default()
			c.Nodes, c.Own = 8, &Own{Hosts: hosts}
			require.NoError(t, c.Validate())
		}
	})
}

// A busy time may begin where the previous one ends, in a file and in a Config.
func TestTimesMayTouch(t *testing.T) {
	hosts, err := ParseHosts("h", []byte("stop 0 2s 3s\nload 0 3s 4s\nload 0 1s 2s\n"), 1)
	require.NoError(t, err)
	c := Default()
	c.Nodes, c.Own = 1, &Own{Hosts: hosts}
	require.NoError(t, c.checkHosts())
	hosts[0].Busy[1].Until++
	require.ErrorContains(t, c.checkHosts(), "before 3.000000001s, the end of its previous busy time")
	_, err = ParseHosts("h", []byte("stop 0 2s 3.1s\nload 0 3s 4s\n"), 1)
	require.ErrorContains(t, err, "h:2:8: host 0 is still busy then")
}
