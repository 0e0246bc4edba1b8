package mnc

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// scripted returns the machine described by "run pes=4 key=value ...".
func scripted(t *testing.T, g golden.Case) Config {
	c := Default(Net16())
	c.Items = 300
	for _, a := range g.Args {
		n, _ := strconv.Atoi(a.Value)
		switch a.Key {
		case "pes":
			c.Wiring = wiring(t, "mnc", n)
		case "items":
			c.Items = n
		case "loops":
			c.Loops = n
		case "policy":
			c.Policy = Policy(a.Value)
		case "form":
			c.Form = Form(a.Value)
		case "slots":
			c.Slots, c.Batch = n, n
		case "cap":
			c.XCap, c.YCap = n, n
		case "interval":
			c.AbilityInterval = int64(n)
		case "stall":
			c.Stall = int64(n)
		case "slow": // PE:percent, from clock 0 on
			pe, percent, _ := strings.Cut(a.Value, ":")
			c.Slow = slow(c.Wiring.PEs, 100)
			i, _ := strconv.Atoi(pe)
			c.Slow[i], _ = strconv.ParseInt(percent, 10, 64)
		case "dead": // PE@clock
			pe, clock, _ := strings.Cut(a.Value, "@")
			i, _ := strconv.Atoi(pe)
			at, _ := strconv.ParseInt(clock, 10, 64)
			c.Events = append(c.Events, DeadAt(at, i))
		case "until":
		default:
			t.Fatalf("%s: what is %s?", g.Place, a.Key)
		}
	}
	return c
}

// Wirings, machines clock by clock, whole runs and stalls match their recorded texts.
func TestRuns(t *testing.T) {
	golden.Script(t, "runs.txt", func(g golden.Case) string {
		c := scripted(t, g)
		m := build(t, c)
		switch g.Cmd {
		case "wiring":
			lines := strings.Split(c.Wiring.String(), "\n")
			return strings.Join(lines[:min(len(lines), 24)], "\n")
		case "trace":
			until, _ := strconv.ParseInt(g.Args[len(g.Args)-1].Value, 10, 64)
			return trace(t, m, until)
		}
		err := m.Run(context.Background())
		require.NoError(t, m.Check())
		out := summary(m.Stats())
		if err != nil {
			out += err.Error() + "\n"
		}
		return out
	})
}

// trace writes what each PE holds and does whenever that changes.
func trace(t *testing.T, m *Machine, until int64) string {
	var b strings.Builder
	b.WriteString("clock  PE: action X Y\n")
	last := ""
	for m.Clock() <= until && !m.Done() {
		clock := m.Clock()
		require.NoError(t, m.Step())
		line := ""
		for pe := range m.pes {
			h := m.Held(pe)
			line += fmt.Sprintf("  %d: %-4v %2d %2d", pe, h.Action, h.X, h.Y)
		}
		if line != last {
			fmt.Fprintf(&b, "%5d%s\n", clock, line)
			last = line
		}
	}
	return b.String()
}

func summary(s Stats) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d delivered by clock %d, %d transfers, %d busy\n", s.Delivered, s.Items, s.Clocks,
		s.Transfers, s.Busy)
	fmt.Fprintf(&b, "clocks of all PEs: proc %d, transfer %d, overhead %d, idle %d\n", s.Proc, s.Transfer, s.Overhead,
		s.Idle)
	fmt.Fprintf(&b, "efficiency %.5f, speed-up %.4f, %.3f PEs used, ability %.4f to %.4f\n", s.Efficiency, s.Speedup,
		s.UsedPEs, s.AbilityLow, s.AbilityHigh)
	last := len(s.PE) - 1
	for _, i := range slices.Compact([]int{0, last}) {
		p := s.PE[i]
		fmt.Fprintf(&b, "PE %d: proc %d, transfer %d, overhead %d, idle %d; actions %v, moved %v, %d processed, %d "+
			"to the host, %d busy\n",
			i, p.Proc, p.Transfer, p.Overhead, p.Idle, p.Actions, p.Moved, p.Processed, p.ToHost, p.Busy)
	}
	q := s.QPR[0]
	fmt.Fprintf(&b, "QPR 0: %d reads, %d writes, %d busy\n", q.Reads, q.Writes, q.Busy)
	return b.String()
}

// Every limited value is accepted at both ends of its range and rejected beyond. If the width of the clock limits a
// value together with others, the others must be small.
func TestRanges(t *testing.T) {
	for _, v := range []struct {
		name     string
		set      func(c *Config, v int64)
		min, max int64
	}{
		{"items", func(c *Config, v int64) { c.Items = int(v) }, 0, 1<<31 - 1},
		{"loops", func(c *Config, v int64) { c.Loops = int(v) }, 0, 1<<31 - 1},
		{"slots", func(c *Config, v int64) { c.Slots = int(v) }, 1, 36},
		{"batch", func(c *Config, v int64) { c.Batch = int(v) }, 1, 65536},
		{"xcap", func(c *Config, v int64) { c.XCap = int(v) }, 1, 65535},
		{"ycap", func(c *Config, v int64) { c.YCap = int(v) }, 1, 65535},
		{"slice", func(c *Config, v int64) { c.Slice = v }, 1, 1 << 40},
		{"keep_clk", func(c *Config, v int64) { c.KeepClk = v }, 0, 1 << 40},
		{"t_pa", func(c *Config, v int64) { c.AbilityInterval = v }, 1, 1 << 40},
		{"g_pa", func(c *Config, v int64) { c.AbilityGain = v }, 0, 1 << 24},
		{"pa_min", func(c *Config, v int64) { c.AbilityMin, c.AbilityMax = v, max(v, 1) }, 1, 1 << 24},
		{"pa_max", func(c *Config, v int64) { c.AbilityMin, c.AbilityMax = 1, v }, 1, 1 << 24},
		{"stall", func(c *Config, v int64) { c.Stall = v }, 0, 1 << 60},
		{"cost_loop", func(c *Config, v int64) { c.Cost.Loop = v }, 0, 2048},
		{"cost_qpr_word", func(c *Config, v int64) { c.Cost.QPRWord = v }, 1, 1 << 20},
		{"cost_local_word", func(c *Config, v int64) { c.Cost.LocalWord = v }, 0, 1 << 20},
		{"cost_datum", func(c *Config, v int64) { c.Cost.Datum = v }, 0, 1 << 20},
		{"cost_ring", func(c *Config, v int64) { c.Cost.Ring = v }, 0, 1 << 20},
		{"cost_iteration", func(c *Config, v int64) { c.Cost.Iteration = v }, 0, 1 << 20},
		{"cost_neighbour", func(c *Config, v int64) { c.Cost.Neighbour = v }, 0, 1 << 20},
		{"cost_pa", func(c *Config, v int64) { c.Cost.AbilityEntry = v }, 0, 1 << 20},
		{"idle", func(c *Config, v int64) { c.Cost.Idle, c.Cost.IdleMax = v, 1<<20 }, 0, 1 << 20},
		{"idle_max", func(c *Config, v int64) { c.Cost.Idle, c.Cost.IdleMax = 0, v }, 0, 1 << 20},
	} {
		try := func(value int64) error {
			c := Default(wiring(t, "mnc", 16))
			c.Items = 10
			v.set(&c, value)
			return c.Validate()
		}
		for _, good := range []int64{v.min, v.max} {
			require.NoError(t, try(good), "%s %d", v.name, good)
		}
		for _, bad := range []int64{v.min - 1, v.max + 1} {
			require.ErrorContains(t, try(bad), "mnc: "+v.name+" is ")
		}
	}
}

// Some values are invalid only together with others. The last valid combinations are accepted.
func TestBadTogether(t *testing.T) {
	for _, v := range []struct {
		set  func(c *Config)
		says string // empty: valid
	}{
		{func(c *Config) { c.AbilityMin, c.AbilityMax = 7, 7 }, ""},
		{
			func(c *Config) { c.AbilityMin, c.AbilityMax = 8, 7 },
			"mnc: pa_min is 0.0001220703125, above pa_max, 0.0001068115234375",
		},
		{func(c *Config) { c.Cost.Idle, c.Cost.IdleMax = 64, 64 }, ""},
		{func(c *Config) { c.Cost.Idle, c.Cost.IdleMax = 65, 64 }, "mnc: idle_max is 64, less than idle, 65"},
		{func(c *Config) { c.Stall = 40_001 }, ""},
		{func(c *Config) { c.Stall = 40_000 }, "mnc: Stall is 40000 clocks: expected more than 100 times f(), 40000"},
		{
			func(c *Config) { c.Stall, c.Slow = 80_000, slow(16, 200) },
			"mnc: Stall is 80000 clocks: expected more than 100 times f(), 80000",
		},
		{
			func(c *Config) { c.Stall, c.Events = 200_000, []Event{SlowAt(5, 2, 500)} },
			"mnc: Stall is 200000 clocks: expected more than 100 times f(), 200000",
		},
		{func(c *Config) { c.Slow = slow(15, 100) }, "mnc: 15 speeds for 16 PEs: expected one each, or none"},
		{func(c *Config) { c.Slow = slow(16, 1) }, ""},
		{func(c *Config) { c.Slow = slow(16, 1<<20) }, ""},
		{
			func(c *Config) { c.Slow = slow(16, 1<<20+1) },
			"mnc: PE 0 takes 1048577 % of the nominal time: expected 1 to 1048576",
		},
		{
			func(c *Config) { c.Slow = slow(16, 100); c.Slow[3] = 0 },
			"mnc: PE 3 takes 0 % of the nominal time: expected 1 to 1048576",
		},
		{func(c *Config) { c.Events = []Event{SlowAt(0, 15, 1), SlowAt(1, 0, 1<<20), DeadAt(0, 3)} }, ""},
		{
			func(c *Config) { c.Events = []Event{DeadAt(0, 3), SlowAt(-1, 1, 50)} },
			"mnc: event 1 is at clock -1: expected 0 or later",
		},
		{func(c *Config) { c.Events = []Event{SlowAt(1, 16, 50)} }, "mnc: event 0 is at PE 16: expected 0 to 15"},
		{
			func(c *Config) { c.Events = []Event{SlowAt(1, 1, 1<<20+1)} },
			"mnc: event 0 sets 1048577 % of the nominal time: expected 1 to 1048576",
		},
		{func(c *Config) { c.Loops, c.Cost.Loop = 1<<20, 1<<10; c.Slow = slow(16, 100<<10) }, ""},
		{
			func(c *Config) { c.Loops, c.Cost.Loop = 1<<20, 1<<10; c.Slow = slow(16, 100<<10+1) },
			"mnc: one datum takes 1099522365194 clocks (1048576 loops at 102401 %): expected at most 1099511627776",
		},
		{func(c *Config) { c.Items, c.Slice = 1<<11-1, 1<<40 }, ""},
		{
			func(c *Config) { c.Items, c.Slice = 1<<11, 1<<40 },
			"mnc: 2048 items with actions of up to 1099511628060 clocks could exceed the clock's 1152921504606846976",
		},
	} {
		c := Default(wiring(t, "mnc", 16))
		c.Items = 10
		v.set(&c)
		if v.says == "" {
			require.NoError(t, c.Validate())
		} else {
			require.EqualError(t, c.Validate(), v.says)
		}
	}
}

// A stall says where every datum is: it lists ranges of numbers, and places with the fullest first, at most twelve of
// each.
func TestStallInWords(t *testing.T) {
	e := &Stall{Clock: 9000, LastY: 500, Delivered: 3, Items: 40}
	for i := range 30 {
		p := Spot{ID: i + i/2, PE: 5, QPR: -1}
		switch {
		case i%3 == 1:
			p = Spot{ID: i + i/2, PE: 5, QPR: 7, From: i % 5}
		case i%3 == 2:
			p = Spot{ID: i + i/2, PE: i, QPR: 2, From: -1}
		case i%4 == 0:
			p.IsY = true
		}
		e.Held = append(e.Held, p)
	}
	golden.Check(t, "stalled.txt", []byte(e.Error()+"\n"))
	e.Held, e.Unsent, e.Dead = e.Held[:4], 2, []int{1, 4}
	require.EqualError(t,
		e,
		`the machine stalled at clock 9000: no Y has reached the sink since clock 500; 3 of 40 are delivered, 4 are in the machine, 2 are unsent, from datum 38 on
dead PEs: [1 4]
undelivered: 0-1, 3-4
  1 in the Y memory of PE 5
  1 in the X ring from PE 1 to PE 5 in QPR 7
  1 in the X ring from the host to PE 2 in QPR 2
  1 in the X memory of PE 5`)
	require.Equal(t, map[string]any{
		"clock": int64(9000), "last_y": int64(500), "delivered": 3, "items": 40,
		"dead_pes": []int{1, 4}, "lost": 4, "undelivered": []int{0, 1, 3, 4}, "unsent": 2,
		"verdict": Standstill, "moved": int64(0), "processed": int64(0),
	}, e.Details())
	require.Equal(t, []int{}, (&Stall{}).Details()["dead_pes"])
	require.Equal(t, "the Y ring from PE 3 to PE 9 in QPR 1", Spot{PE: 9, QPR: 1, From: 3, IsY: true}.String())
}

// The words on a board hold the control and status of their PEs, byte by byte.
func TestWordsByHand(t *testing.T) {
	require.EqualValues(t, 0x01020304, control{1, 2, 3, 4}.packed())
	require.Equal(t, control{1, 2, 3, 4}, controlOf(0x01020304))
	require.EqualValues(t, 0x00030005, statusWord(3, 5))
	pairs := map[int]bool{}
	for from := range Ports {
		for to := range Ports {
			if from != to {
				pairs[pairOf(from, to)] = true
			}
		}
	}
	require.Len(t, pairs, 12)
	require.Equal(t, []int{0, 2, 3, 4, 11}, []int{pairOf(0, 1), pairOf(0, 3), pairOf(1, 0), pairOf(1, 2), pairOf(3, 2)})
	// Ring 3 begins after the 20 words and three rings of 64 words each.
	require.Equal(t, ring{base: 20 + 3*64, slots: 32}, ringAt(3, 32))
}

// The times of one action follow from DefaultCosts.
func TestCostsByHand(t *testing.T) {
	require.Equal(t, Costs{
		Loop: 4, QPRWord: 2, LocalWord: 2, Datum: 4, Ring: 4, Iteration: 8, Neighbour: 8,
		AbilityEntry: 8, Idle: 64, IdleMax: 1024,
	}, DefaultCosts())
	require.EqualValues(t, 12, DefaultCosts().copyDatum())
	c := Default(wiring(t, "mnc", 16))
	require.Equal(t, Config{
		Wiring: c.Wiring, Items: 1_000_000, Loops: 100, Policy: Auto, Form: FormL,
		Slots: 32, Batch: 32, XCap: 256, YCap: 256, Slice: 1600, KeepClk: 1600, Restraint: ByPolicy,
		AbilityInterval: 20_000, AbilityGain: One, AbilityMin: 4096, AbilityMax: 1 << 20, Cost: DefaultCosts(),
	}, c)
	require.EqualValues(t, 400, c.workTime(100))
	require.EqualValues(t, 1000, c.workTime(250))
	c.Loops = 0
	require.EqualValues(t, 1, c.workTime(100), "even nothing takes a clock")
	require.EqualValues(t, 100, c.slowest())
	c.Slow, c.Events = slow(16, 100), []Event{SlowAt(3, 1, 400)}
	require.EqualValues(t, 400, c.slowest())
	c.Slow[2] = 900
	require.EqualValues(t, 900, c.slowest())
	// Sensing 4 ports and 12 neighbours, and the longest of f(), slice, copy and wait.
	c = Default(wiring(t, "mnc", 16))
	sense := int64(4*2 + 8 + 12*(3*2+8+8) + 2*2)
	require.Equal(t, sense+1600, c.longest())
	c.Slice = 1
	require.Equal(t, sense+1024, c.longest())
	c.Batch = 100
	require.Equal(t, sense+100*12+4*13, c.longest())
	c.Loops = 1000
	require.Equal(t, sense+4000, c.longest())
	require.EqualValues(t, 4_000_000, c.stallLimit())
	c.Loops = 20_000
	require.Equal(t, 100*(sense+80_000), c.stallLimit())
	c.Stall = 9_000_000
	require.EqualValues(t, 9_000_000, c.stallLimit())
}

// A PE's slice and the work it keeps scale with its speed.
func TestSpeeds(t *testing.T) {
	c := Default(wiring(t, "mnc", 16))
	e := &pe{}
	for _, v := range []struct {
		percent     int64
		p           int64
		slice, keep int
	}{{100, 400, 4, 4}, {50, 200, 8, 8}, {401, 1604, 1, 0}, {1, 4, 256, 256}} {
		e.percent = v.percent
		require.Equal(t, []any{v.p, v.slice, v.keep}, []any{e.processTime(&c, 1), e.slice(&c), e.keptX(&c)})
	}
	c.Policy, e.percent = Naive, 100
	require.Zero(t, e.keptX(&c), "equal shares keep no slice back")
	require.Equal(t, 4, e.slice(&c))
}
