package pdes

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/pdes/banyan"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// Whole runs match their records to the clock: packets sent, their destinations, the course of a migration.
func TestRuns(t *testing.T) {
	golden.Script(t, "runs.txt", func(c golden.Case) string {
		cfg := scripted(t, c)
		r, err := Run(context.Background(), cfg)
		if err != nil {
			return err.Error()
		}
		agree(t, cfg, r)
		return tell(&cfg, r)
	})
}

// scripted returns a run described by "run hxb=4x4 key=value ...".
func scripted(t *testing.T, c golden.Case) Config {
	cfg := config(t, network.Kind(c.Args[0].Key), c.Args[0].Value, 3, 30)
	order := Migration{Weights: mapping.Reference(), Neighbour: mapping.Grid, Objective: mapping.ByCost}
	for _, a := range c.Args[1:] {
		n, _ := strconv.ParseInt(a.Value, 10, 64)
		switch a.Key {
		case "stages":
			cfg.Banyan.Stages = int(n)
		case "slots":
			cfg.Slots = n
		case "window":
			cfg.Window = n
		case "queue":
			cfg.Banyan.Queue = int(n)
		case "wiring":
			cfg.Banyan.Wiring = banyan.Wiring(a.Value)
		case "cell":
			cfg.Timing = DefaultTiming(n)
		case "step":
			cfg.Timing.Step = n
		case "receive":
			cfg.Timing.Receive = n
		case "send":
			cfg.Timing.Send = n
		case "entry":
			cfg.Timing.Entry = n
		case "hop":
			cfg.Timing.Hop = n
		case "map":
			cfg.Map = mapping.Random(cfg.Banyan.LPs(), cfg.Net.Nodes(), uint64(n))
		case "flows":
			cfg.Background.Flows = int(n)
		case "length":
			cfg.Background.Length = n
		case "slow":
			cfg.Background.SlowPPM = n
		case "seed":
			cfg.Background.Seed = uint64(n)
		case "max":
			cfg.MaxClocks = n
		case "how":
			order.Neighbour = mapping.Neighbour(a.Value)
		case "by":
			order.Objective = mapping.Objective(a.Value)
		case "migrate":
			order.At = n
			cfg.Migrate = &order
		default:
			t.Fatalf("%s: what is %s?", c.Place, a.Key)
		}
	}
	return cfg
}

func tell(cfg *Config, r *Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d clocks, %d packets, %d messages stayed on their PP; %d sunk, %d dropped, "+
		"fingerprint %016x\nsent:", r.Clocks, r.Packets, r.Local, r.Sunk, r.Drops, r.Hash)
	for k, n := range r.Sent {
		if n > 0 {
			fmt.Fprintf(&b, " %v %d", Kind(k), n)
		}
	}
	var all Latency
	pairs := 0
	first := ""
	for from, row := range r.Latency {
		for to, l := range row {
			all.Messages += l.Messages
			all.Clocks += l.Clocks
			if l.Messages > 0 {
				if pairs++; pairs == 1 {
					first = fmt.Sprintf("; from %d to %d: %d in %d", from, to, l.Messages, l.Clocks)
				}
			}
		}
	}
	fmt.Fprintf(&b, "\nunder way: %d messages between %d pairs of PPs for %d clocks%s\nmap: %s\n", all.Messages, pairs,
		all.Clocks, first, strings.Trim(fmt.Sprint(r.Map), "[]"))
	for _, m := range r.Migrations {
		fmt.Fprintf(&b, "migration: stop %d, quiet %d, decided %d, arrived %d, ended %d: %d clocks\n", m.Triggered,
			m.Quiet, m.Decided, m.Arrived, m.Ended, m.Clocks())
		fmt.Fprintf(&b, "  %d moves by %d swaps of %d rated, cost %.1f to %.1f, %d bytes of state; early: %d "+
			"flushes, %d states, %d events\n",
			m.Moves, m.Swaps, m.Evaluations, m.Before, m.After, m.StateBytes, m.EarlyFlushes, m.EarlyStates,
			m.HeldEvents)
		b.WriteString("  PP: stopped ready resumed")
		for i, p := range m.PPs {
			fmt.Fprintf(&b, "; %d: %d %d %d", i, p.Stopped, p.Ready, p.Resumed)
		}
	}
	return b.String()
}

// Every parameter is accepted at the ends of its range and rejected beyond.
func TestRanges(t *testing.T) {
	const most = 1 << 31
	for _, c := range []struct {
		name string
		set  func(c *Config, v int64)
		min  int64
	}{
		{"slots", func(c *Config, v int64) { c.Slots = v }, 1},
		{"cell", func(c *Config, v int64) { c.Timing.Cell = v }, 1},
		{"null", func(c *Config, v int64) { c.Timing.Null = v }, 1},
		{"credit", func(c *Config, v int64) { c.Timing.Credit = v }, 1},
		{"control", func(c *Config, v int64) { c.Timing.Control = v }, 1},
		{"hop", func(c *Config, v int64) { c.Timing.Hop = v }, 1},
		{"send", func(c *Config, v int64) { c.Timing.Send = v }, 0},
		{"receive", func(c *Config, v int64) { c.Timing.Receive = v }, 0},
		{"slot_clocks", func(c *Config, v int64) { c.Timing.Step = v }, 1},
		{"decide", func(c *Config, v int64) { c.Timing.Decide = v }, 0},
		{"serialise", func(c *Config, v int64) { c.Timing.Serialise = v }, 0},
		{"entry", func(c *Config, v int64) { c.Timing.Entry = v }, 0},
		{"background_length", func(c *Config, v int64) { c.Background.Length = v }, 0},
	} {
		for _, v := range []int64{c.min, most} {
			cfg := config(t, network.HXB, "4x4", 3, 10)
			c.set(&cfg, v)
			require.NoError(t, cfg.Validate(), c.name)
		}
		for _, v := range []int64{c.min - 1, most + 1} {
			cfg := config(t, network.HXB, "4x4", 3, 10)
			c.set(&cfg, v)
			err := cfg.Validate()
			require.ErrorContains(t, err, fmt.Sprintf("%s is %d, it must be ", c.name, v))
		}
	}
	cfg := config(t, network.HXB, "4x4", 3, 10)
	for _, window := range []int64{0, 4097} {
		cfg.Window = window
		require.ErrorContains(t, cfg.Validate(), "it must be 1..4096 messages")
	}
	for _, window := range []int64{1, 4096} {
		cfg.Window = window
		require.NoError(t, cfg.Validate())
	}
	cfg.Background.SlowPPM = 10_000_000
	require.NoError(t, cfg.Validate())
	cfg.Background.SlowPPM++
	require.EqualError(t, cfg.Validate(), "noise_slow is 1000.0001, it must be 0..1000 %")
	cfg.Background = Background{Flows: -1}
	require.ErrorContains(t, cfg.Validate(), "background is -1, it must be 0..65536 flows")
	cfg.Background = Background{Flows: 1, Length: 1}
	require.NoError(t, cfg.Validate())
	cfg.Background.Length = 0
	require.EqualError(t, cfg.Validate(), "background flows need two nodes and a packet length of 1 or more")
	cfg = config(t, network.HXB, "2", 3, 10)
	cfg.Background = Background{Flows: 1, Length: 1}
	require.NoError(t, cfg.Validate(), "two nodes are enough")
	one := config(t, network.HXB, "1", 3, 10)
	one.Background = cfg.Background
	require.EqualError(t, one.Validate(), "background flows need two nodes and a packet length of 1 or more")
	cfg.MaxClocks = 1
	cfg.Migrate = &Migration{At: 0, Weights: mapping.Reference()}
	require.NoError(t, cfg.Validate())
	cfg.MaxClocks = -1
	require.EqualError(t, cfg.Validate(), "max_clocks is -1, it must be at least 0 clocks")
	cfg.MaxClocks, cfg.Migrate.At = 0, -1
	require.EqualError(t, cfg.Validate(), "migrate at: expected a clock, 0 or later, got -1")
	cfg.Net = nil
	require.EqualError(t, cfg.Validate(), "a run needs a network")
}

// DefaultTiming returns the default clock counts for a short cell and a long cell.
func TestDefaultTiming(t *testing.T) {
	require.Equal(t, Timing{
		Cell: 64, Null: 16, Credit: 16, Control: 16, Hop: 10, Send: 100, Receive: 100, Step: 200, Decide: 20,
		Serialise: 2, Entry: 10,
	}, DefaultTiming(64))
	require.EqualValues(t, 1, DefaultTiming(3).Null, "a null message holds a port at least a clock")
	require.EqualValues(t, 75, DefaultTiming(300).Null)
}

// Each packet holds a port for the right time. A state takes one clock for two bytes, but never less than a control
// packet.
func TestKindsAndTheirLengths(t *testing.T) {
	tm := Timing{Cell: 64, Null: 7, Credit: 5, Control: 16}
	for _, c := range []struct {
		m    message
		want int64
	}{
		{message{kind: Cell}, 64},
		{message{kind: Null}, 7},
		{message{kind: Credit}, 5},
		{message{kind: Stop}, 16},
		{message{kind: State, bytes: 31}, 16},
		{message{kind: State, bytes: 32}, 16},
		{message{kind: State, bytes: 33}, 17},
		{message{kind: State, bytes: 200}, 100},
	} {
		require.Equal(t, c.want, tm.length(&c.m), "%+v", c.m)
	}
	var names []string
	for k := range kinds {
		names = append(names, k.String())
		require.Equal(t, k == Cell || k == Null || k == Credit, k.external(), "%v", k)
	}
	require.Equal(t, "cell null credit stop ack flush ready start traffic notify state moved resume foreign",
		strings.Join(names, " "))
}

// A PP slowed by a fraction takes that fraction longer. Fractions of a clock carry over: after a million clocks of
// work no clock is lost.
func TestSlowPPs(t *testing.T) {
	p := processor{slow: 15_001}
	total := int64(0)
	for range 10_000 {
		p.work = 100
		took := p.stretch()
		require.True(t, took == 101 || took == 102, "%d", took)
		total += took
	}
	require.EqualValues(t, 1_015_001, total)
	p.work = 2_000_000
	require.EqualValues(t, 2_030_002, p.stretch(), "a long operation at once")
	exact := processor{work: 77}
	require.EqualValues(t, 77, exact.stretch())
}

// An LP can run when both inputs hold a message and both outputs have room. The first stage needs no input and the
// last stage no room. No LP runs after its end.
func TestRunnable(t *testing.T) {
	m := banyan.Default(3)
	lp := func(id, in0, in1 int, credit0, credit1 int64) *process {
		p := newProcess(banyanProgram(&m), id, 8)
		for range in0 {
			p.in[0].Push(banyan.Slot{})
		}
		for range in1 {
			p.in[1].Push(banyan.Slot{})
		}
		for k := range p.out {
			p.out[k].credit = []int64{credit0, credit1}[k]
		}
		return p
	}
	for _, c := range []struct {
		p    *process
		want bool
	}{
		{lp(0, 0, 0, 1, 1), true},
		{lp(0, 0, 0, 0, 1), false},
		{lp(0, 0, 0, 1, 0), false},
		{lp(4, 1, 1, 1, 1), true},
		{lp(4, 1, 0, 1, 1), false},
		{lp(4, 0, 1, 1, 1), false},
		{lp(4, 1, 1, 1, 0), false},
		{lp(8, 1, 1, 0, 0), true},
		{lp(8, 1, 0, 9, 9), false},
	} {
		require.Equal(t, c.want, c.p.runnable(1), "%+v", c.p)
		require.False(t, c.p.runnable(0))
	}
	require.Equal(t, []output{{credit: 8}, {credit: 8}}, newProcess(banyanProgram(&m), 0, 8).out)
	require.EqualValues(t, 64+16*3, lp(4, 1, 2, 1, 1).bytes())
}

// The error of a broken invariant says which one, where, and what was expected.
func TestInvariantsInWords(t *testing.T) {
	for _, c := range []struct {
		spoil func(m *Machine)
		pp    int
		want  string
	}{
		{
			func(m *Machine) { m.pps[4].procs[4].in[0].expect++ }, 4,
			"pdes: input 0 of LP 4 got message 0, expected 1",
		},
		{
			func(m *Machine) { m.pps[0].procs[0].out[1].credit++ }, 0,
			"pdes: output 1 of LP 0 holds 9 credits, its window is 8",
		},
		{func(m *Machine) { m.pps[0].places[4] = 9 }, 9, "pdes: a cell for LP 4 reached PP 9, where the LP is not"},
		{
			func(m *Machine) { m.pps[4].mover.ready = true }, 4,
			"pdes: a cell for LP 4 reached PP 4 after it had reported ready",
		},
		{
			func(m *Machine) { m.pps[4].mover.stopped, m.pps[0].procs[0].out[0].credit = true, 99 }, 4,
			"pdes: input 0 of LP 4 holds 9 messages, its window is 8",
		},
		{
			func(m *Machine) { m.pps[4].mover.stopped = true }, 0,
			"nothing can happen any more: LP 0 on PP 0 waits for slot 8 with no messages and 0 and 8 credits",
		},
	} {
		m, err := New(config(t, network.HXB, "4x4", 3, 100))
		require.NoError(t, err)
		c.spoil(m)
		_, err = m.Run(context.Background())
		require.ErrorContains(t, err, c.want)
		require.Equal(t, c.pp, err.(interface{ Details() map[string]any }).Details()["pp"])
	}
}

// A flow's think time gives its packets their share of the time, from almost nothing to 0.95. More than a fifth of
// the flows are at that limit.
func TestThinkTimes(t *testing.T) {
	net, err := network.Parse(network.HXB, "4x4")
	require.NoError(t, err)
	bg := newBackground(Background{Flows: 2000, Length: 1_000_000_000, Seed: 1}, net)
	const least = 52_631_578 // 1e9 · 0.05 / 0.95
	atBound, below := 0, 0
	for _, f := range bg.flows {
		require.GreaterOrEqual(t, f.think, int64(least))
		require.NotEmpty(t, f.route, "from one node to another")
		if f.think == least {
			atBound++
		}
		if f.think > 1_000_000_000 {
			below++
		}
	}
	require.InDelta(t, 2000*0.25/1.2, atBound, 60)
	require.InDelta(t, 2000*0.5/1.2, below, 80, "shares below a half think longer than they send")
	// Each PP has its own slow-down.
	bg = newBackground(Background{SlowPPM: 10_000, Seed: 1}, net)
	require.Len(t, bg.slow, 16)
	sum := int64(0)
	for _, s := range bg.slow {
		sum += s
	}
	require.InDelta(t, 10_000, float64(sum)/16, 6000)
}

// Packets that the protocol never sends are injected into a migration. Each is reported as the violation that it
// causes.
func TestForgedPackets(t *testing.T) {
	for _, c := range []struct {
		kind string
		at   int64
		msg  message
		want string
	}{
		{
			"late_event", 14_000,
			message{kind: Null, lp: 4, to: 4},
			"pdes: a null for LP 4 reached PP 4 after it had reported ready",
		},
		{
			"misplaced_lp", 14_000,
			message{kind: Notify, to: 4, body: &body{moves: []move{{3, 5}}}},
			"pdes: PP 4 was told to send away LP 3, which is not on it",
		},
	} {
		cfg := config(t, network.HXB, "4x4", 3, 60)
		cfg.Migrate = &Migration{
			At: 9000, Weights: mapping.Reference(), Neighbour: mapping.Grid,
			Objective: mapping.ByCost,
		}
		m, err := New(cfg)
		require.NoError(t, err)
		slot := m.fabric.Send(c.at, m.route(0, int(c.msg.to)), 16)
		m.storeMessage(slot, c.msg)
		m.flying++ // otherwise the machine would find more messages received than sent
		_, err = m.Run(context.Background())
		require.EqualError(t, err, c.want)
		kinded := err.(interface {
			Kind() string
			Details() map[string]any
		})
		require.Equal(t, c.kind, kinded.Kind())
		require.Equal(t, 4, kinded.Details()["pp"])
	}
}
