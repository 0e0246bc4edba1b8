package mnc

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// wholeState returns everything that a later clock can depend on, and all statistics.
func wholeState(m *Machine) any {
	return struct {
		PEs    []pe
		QPRs   []QPR
		Host   host
		Clock  int64
		Events []Event
		Err    string
		Stats  Stats
	}{m.pes, m.qprs, m.host, m.clock, m.events, fmt.Sprint(m.err), m.Stats()}
}

func requireSame(t require.TestingT, want, got *Machine, what string) {
	if reflect.DeepEqual(wholeState(want), wholeState(got)) {
		return // cmp takes a hundred times as long to compare the boards' words
	}
	if diff := cmp.Diff(wholeState(want), wholeState(got), exportAll); diff != "" {
		require.Fail(t, what+" (-want +got):\n"+diff)
	}
}

// TestStepEqualsRun checks that plain stepping, skipping, skipping in pieces, planning in reverse order and a second
// run end in the same state, events included.
func TestStepEqualsRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := randomConfig(t)
		c.Items = min(c.Items, 150)
		last := c.Wiring.PEs - 1
		for range rapid.IntRange(0, 3).Draw(t, "events") {
			at := int64(rapid.IntRange(0, 60_000).Draw(t, "at"))
			pe := rapid.IntRange(0, last).Draw(t, "pe")
			if rapid.Bool().Draw(t, "dies") {
				c.Events = append(c.Events, DeadAt(at, pe))
			} else {
				c.Events = append(c.Events, SlowAt(at, pe, int64(rapid.IntRange(1, 900).Draw(t, "to"))))
			}
		}
		// The limit is short, but more than 100 times f(): both ways must stall in the same way.
		c.Stall = 100*c.workTime(c.slowest()) + 1
		if c.Stall > 100_000 {
			c.Loops, c.Stall = 10, 100*400*9+1
		}
		stepped := build(t, c)
		for !stepped.Done() && stepped.err == nil {
			_ = stepped.Step() // the error is part of the state
		}
		ctx := context.Background()
		skipped := build(t, c)
		_ = skipped.Run(ctx)
		requireSame(t, stepped, skipped, "Run differs from Step")

		pieces := build(t, c)
		for !pieces.Done() && pieces.err == nil {
			for range rapid.IntRange(0, 3).Draw(t, "steps") {
				_ = pieces.Step()
			}
			_ = pieces.RunTo(ctx, pieces.Clock()+int64(rapid.IntRange(0, 50_000).Draw(t, "more")))
			require.NoError(t, pieces.Check())
		}
		requireSame(t, stepped, pieces, "RunTo in pieces differs from Step")

		backwards := build(t, c)
		backwards.planBackwards = true
		_ = backwards.Run(ctx)
		requireSame(t, stepped, backwards, "the order of planning matters")
		require.NoError(t, stepped.Check())
		checkStats(t, c, stepped.Stats())
	})
}

// TestRunToEqualsStep compares every clock of one run, statistics included.
func TestRunToEqualsStep(t *testing.T) {
	c := Default(Net16())
	c.Items = 150
	c.Events = []Event{SlowAt(1500, 3, 700), DeadAt(2500, 5), SlowAt(1500, 3, 300)}
	a, b := build(t, c), build(t, c)
	for clock := int64(0); clock < 3000; clock++ {
		require.NoError(t, a.Step())
		require.NoError(t, b.RunTo(context.Background(), clock))
		if sa, sb := a.Stats(), b.Stats(); clock%97 == 0 || !reflect.DeepEqual(sa, sb) {
			requireSame(t, a, b, fmt.Sprintf("clock %d", clock))
		}
	}
}

// checkStats checks relations that hold for the statistics of every run.
func checkStats(t require.TestingT, c Config, s Stats) {
	n := int64(c.Wiring.PEs)
	require.Equal(t, n*s.Clocks, s.Proc+s.Transfer+s.Overhead+s.Idle, "clocks of all PEs")
	var out, processed int64
	for i, p := range s.PE {
		require.Equal(t, s.Clocks, p.Proc+p.Transfer+p.Overhead+p.Idle, "clocks of PE %d", i)
		require.GreaterOrEqual(t, min(p.Proc, p.Transfer, p.Overhead, p.Idle), int64(0), "PE %d", i)
		out += p.ToHost
		processed += p.Processed
	}
	require.EqualValues(t, s.Delivered, out)
	if s.Delivered == c.Items {
		require.EqualValues(t, c.Items, processed)
		least := c.Items // each datum is put to the host, and is taken from the source if it comes from there
		for _, w := range c.allWork() {
			if w.PE == Source {
				least += w.Count
			}
		}
		require.GreaterOrEqual(t, s.Transfers, int64(least))
	}
	for q, b := range s.QPR {
		require.Zero(t, b.WriteConflicts, "QPR %d", q)
	}
}

// TestEverySize runs many sizes with both loads and all policies; all stores are empty at the end.
func TestEverySize(t *testing.T) {
	for _, n := range sizes() {
		for _, loops := range []int{100, 1000} {
			for _, policy := range []Policy{Auto, Naive, None} {
				c := Default(wiring(t, "mnc", n))
				c.Items, c.Loops, c.Policy = 1000, loops, policy
				m, s := run(t, c)
				require.Empty(t, m.Undelivered(), "N=%d %d %s", n, loops, policy)
				require.NoError(t, m.Check())
				checkStats(t, c, s)
				if n == 1 {
					require.EqualValues(t, 2000, s.Transfers)
				}
			}
		}
	}
}

// TestTinyBuffers checks that the smallest buffers lead to no deadlock.
func TestTinyBuffers(t *testing.T) {
	for _, room := range [][3]int{{1, 1, 1}, {1, 2, 2}, {2, 1, 3}, {4, 4, 4}} {
		for _, loops := range []int{0, 100, 1000} {
			for _, n := range sizes() {
				c := Default(wiring(t, "mnc", n))
				c.Items, c.Loops = 200, loops
				c.Slots, c.XCap, c.YCap = room[0], room[1], room[2]
				m, s := run(t, c)
				require.NoError(t, m.Check(), "N=%d room %v loops %d", n, room, loops)
				checkStats(t, c, s)
			}
		}
	}
}

// TestNoItems checks that a run without data is over before it begins.
func TestNoItems(t *testing.T) {
	c := Default(wiring(t, "mnc", 16))
	c.Items = 0
	m, s := run(t, c)
	require.True(t, m.Done())
	require.NoError(t, m.Step())
	require.Zero(t, m.Clock())
	require.Zero(t, s.Clocks)
	require.Zero(t, s.Efficiency)
	require.Zero(t, s.Speedup)
	require.Zero(t, s.UsedPEs)
}

// TestSinglePE checks one PE's time, computed by hand: 8 full fetches, then 500 times a PROC and a YPUT of four data
// each, with a fetch of four for all but the first 256 data.
func TestSinglePE(t *testing.T) {
	c := Default(wiring(t, "mnc", 1))
	c.Items = 2000
	_, s := run(t, c)
	const b = 4*2 + 8 + 2 + 2 // publish, fixed part, source and sink index
	fetch := func(n int64) int64 { return b + 12*n + 4 }
	want := 8*fetch(32) + 436*fetch(4) + 500*(b+4*400) + 500*fetch(4)
	require.Equal(t, want, s.Clocks)
	require.InDelta(t, 800_000/float64(want), s.Efficiency, 1e-12)
	require.InDelta(t, s.Efficiency, s.Speedup, 1e-12)
	require.InDelta(t, 1, s.UsedPEs, 1e-12)
}

// TestCancel checks that a cancelled run stops and can be continued.
func TestCancel(t *testing.T) {
	c := Default(wiring(t, "mnc", 16))
	c.Items = 2000
	m := build(t, c)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, m.Run(ctx), context.Canceled)
	require.NoError(t, m.Run(context.Background()))
	require.EqualValues(t, 84_901, m.Stats().Clocks)
}

// TestConfigErrors checks that every wrong value gives an error that names it; nothing panics or is adjusted
// silently.
func TestConfigErrors(t *testing.T) {
	for _, c := range []struct {
		spoil func(c *Config)
		err   string
	}{
		{func(c *Config) { c.Items = -1 }, "items is -1"},
		{func(c *Config) { c.Items = math.MaxInt }, "items is 9223372036854775807"},
		{func(c *Config) { c.Loops = -1 }, "loops is -1"},
		{func(c *Config) { c.Slots = 0 }, "slots is 0, it must be 1..36"},
		{func(c *Config) { c.Slots = 37 }, "slots is 37, it must be 1..36"},
		{func(c *Config) { c.XCap = 0 }, "xcap is 0, it must be 1..65535"},
		{func(c *Config) { c.XCap = 65536 }, "xcap is 65536, it must be 1..65535"},
		{func(c *Config) { c.YCap = 0 }, "ycap is 0"},
		{func(c *Config) { c.YCap = 65536 }, "ycap is 65536"},
		{func(c *Config) { c.Batch = 0 }, "batch is 0"},
		{func(c *Config) { c.Slice = 0 }, "slice is 0"},
		{func(c *Config) { c.KeepClk = -1 }, "keep_clk is -1"},
		{func(c *Config) { c.Cost.Loop = -1 }, "cost_loop is -1"},
		{func(c *Config) { c.Cost.QPRWord = 0 }, "cost_qpr_word is 0, it must be 1..1048576 clocks"},
		{func(c *Config) { c.Cost.LocalWord = -1 }, "cost_local_word is -1"},
		{func(c *Config) { c.Cost.Datum = -1 }, "cost_datum is -1"},
		{func(c *Config) { c.Cost.Ring = -1 }, "cost_ring is -1"},
		{func(c *Config) { c.Cost.Iteration = -1 }, "cost_iteration is -1"},
		{func(c *Config) { c.Cost.Neighbour = -1 }, "cost_neighbour is -1"},
		{func(c *Config) { c.Cost.AbilityEntry = -1 }, "cost_pa is -1"},
		{func(c *Config) { c.Cost.Idle = -1 }, "idle is -1"},
		{func(c *Config) { c.Cost.IdleMax = 63 }, "idle_max is 63, less than idle, 64"},
		{func(c *Config) { c.AbilityInterval = 0 }, "t_pa is 0"},
		{func(c *Config) { c.AbilityGain = -1 }, "g_pa is -1.52587890625e-05"},
		{func(c *Config) { c.AbilityMin = 0 }, "pa_min is 0"},
		{func(c *Config) { c.AbilityMin = 17 * One }, "pa_min is 17, above pa_max, 16"},
		{func(c *Config) { c.Policy = "greedy" }, `policy is "greedy", it must be one of auto, naive, none`},
		{func(c *Config) { c.Form = "X" }, `form is "X", it must be one of L, S, W, N`},
		{func(c *Config) { c.Slow = []int64{100} }, "1 speeds for 16 PEs"},
		{func(c *Config) { c.Slow = make([]int64, 16) }, "PE 0 takes 0 %"},
		{func(c *Config) { c.Events = []Event{SlowAt(1, 16, 200)} }, "event 0 is at PE 16: expected 0 to 15"},
		{func(c *Config) { c.Events = []Event{DeadAt(1, -1)} }, "event 0 is at PE -1"},
		{func(c *Config) { c.Events = []Event{SlowAt(1, 1, 0)} }, "event 0 sets 0 %"},
		{func(c *Config) { c.Events = []Event{SlowAt(-1, 1, 50)} }, "event 0 is at clock -1"},
		{func(c *Config) { c.Stall = -1 }, "stall is -1"},
		{func(c *Config) { c.Stall = 40_000 }, "Stall is 40000 clocks: expected more than 100 times f(), 40000"},
		{func(c *Config) { c.Loops = maxLoops; c.Slow = slow(16, maxPercent) }, "one datum takes"},
		{func(c *Config) { c.Items = maxItems; c.Loops = maxLoops }, "could exceed the clock"},
		{func(c *Config) { c.Wiring = Incidence{} }, "the wiring has 0 PEs"},
		{func(c *Config) { c.Wiring.Boards = nil }, "the source is QPR number 0"},
		{func(c *Config) { c.Wiring.Sink = 99 }, "the sink is QPR number 99"},
		{func(c *Config) { c.Wiring.PENames = []string{"x"} }, "the wiring names 1 PEs but has 16"},
		{func(c *Config) { c.Wiring.Boards[2].Ports[1] = 16 }, "QPR 2, port 1: PE 16 does not exist"},
		{func(c *Config) { c.Wiring.Boards = make([]Board, 9999) }, "the wiring has 9999 QPRs"},
	} {
		cfg := Default(wiring(t, "mnc", 16))
		c.spoil(&cfg)
		m, err := New(cfg)
		require.ErrorContains(t, err, c.err)
		require.IsType(t, &Usage{}, err)
		require.Nil(t, m)
	}
}

func slow(n int, percent int64) []int64 {
	var list []int64
	for range n {
		list = append(list, percent)
	}
	return list
}

// TestExtremes checks that the largest allowed values do not overflow.
func TestExtremes(t *testing.T) {
	c := Default(wiring(t, "mnc", 20))
	c.Items, c.Loops = 12, maxLoops
	c.Cost.Loop, c.Cost.Idle, c.Cost.IdleMax = 1, maxCost, maxCost
	c.XCap, c.YCap, c.Batch, c.Slots = maxStore, maxStore, maxBatch, MaxSlots
	c.AbilityGain, c.AbilityMax, c.AbilityMin = maxAbility, maxAbility, 1
	c.KeepClk, c.AbilityInterval = maxSpan, 1
	for _, form := range []Form{FormL, FormS, FormW, FormN} {
		c.Form = form
		m, s := run(t, c)
		require.NoError(t, m.Check())
		checkStats(t, c, s)
	}
	c.Wiring = wiring(t, "mnc", 1)
	c.Items, c.Cost.Loop = 50, 512 // 2^40 clocks per datum
	m, s := run(t, c)
	require.NoError(t, m.Check())
	require.EqualValues(t, 50*512*maxLoops, s.Proc)
}

// exportAll lets cmp look into unexported fields.
var exportAll = cmp.Exporter(func(reflect.Type) bool { return true })
