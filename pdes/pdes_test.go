package pdes

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/pdes/banyan"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
	"emsim/pdes/oracle"
)

func config(t require.TestingT, kind network.Kind, shape string, stages int, slots int64) Config {
	net, err := network.Parse(kind, shape)
	require.NoError(t, err)
	return Default(net, stages, slots)
}

func run(t require.TestingT, cfg Config) *Result {
	r, err := Run(context.Background(), cfg)
	require.NoError(t, err)
	return r
}

func agree(t *testing.T, cfg Config, r *Result) {
	t.Helper()
	b := cfg.Banyan
	want, err := oracle.Run(t.Context(), b.Stages, string(b.Wiring), b.Load, b.Queue, b.Seed, cfg.Slots)
	require.NoError(t, err)
	require.Zero(t, want.WrongSinks)
	require.Equal(t, want.Hash, r.Hash)
	require.Equal(t, banyan.Counts{Injected: want.Injected, Drops: want.Drops, Sunk: want.Sunk, Delay: want.Delay},
		r.Counts)
	require.Equal(t, r.Injected, r.Sunk+r.Drops+r.Queued, "cells are conserved")
}

// Runs have the recorded fingerprints, and the recorded clocks of the undisturbed machine.
func TestGolden(t *testing.T) {
	cfg := config(t, network.HXB, "4x4", 3, 300)
	r := run(t, cfg)
	require.EqualValues(t, uint64(0xd0d53defedd96ab9), r.Hash)
	require.EqualValues(t, 6, r.Drops)
	require.EqualValues(t, 1894, r.Sunk)
	require.EqualValues(t, 211_020, r.Clocks)
	agree(t, cfg, r)

	cfg.Banyan.Wiring = banyan.Butterfly
	require.EqualValues(t, uint64(0xf9b5b59adb3fa096), run(t, cfg).Hash)
	cfg.Slots = 20_000
	cfg.Banyan.Wiring = banyan.Omega
	r = run(t, cfg)
	require.EqualValues(t, uint64(0x8b1a1b2a00054dc2), r.Hash)
	require.EqualValues(t, 386, r.Drops)
	require.EqualValues(t, 127_447, r.Sunk)
	require.EqualValues(t, 14_001_068, r.Clocks)
}

// The same configuration gives the same result, field by field.
func TestRunsRepeat(t *testing.T) {
	cfg := config(t, network.Torus, "4x4", 3, 100)
	cfg.Background = Background{Flows: 3, Length: 512, SlowPPM: 20_000, Seed: 7}
	cfg.Migrate = &Migration{
		At: 20_000, Weights: mapping.Reference(), Neighbour: mapping.Grid,
		Objective: mapping.ByCost,
	}
	require.Equal(t, run(t, cfg), run(t, cfg))
}

// A middle LP's slot takes 2 receptions, the slot, 2 sends, and half a credit each way: 700 clocks. Nothing else
// limits the undisturbed machine.
func TestQuietMachineRunsAt700ClocksASlot(t *testing.T) {
	for _, kind := range []network.Kind{network.HXB, network.Torus, network.HCB} {
		r := run(t, config(t, kind, "4x4", 3, 1000))
		require.InDelta(t, 700, float64(r.Clocks)/1000, 2, "%s", kind)
	}
}

// A single PP needs no packets, only steps.
func TestOnePP(t *testing.T) {
	cfg := config(t, network.HXB, "1", 3, 50)
	cfg.Migrate = &Migration{At: 1000, Weights: mapping.Reference(), Neighbour: mapping.Grid, Objective: mapping.ByCost}
	r := run(t, cfg)
	agree(t, cfg, r)
	require.Zero(t, r.Packets)
	require.Zero(t, r.Migrations[0].Moves)
	// There is no pair of PPs to rate, but the map's 12 entries are updated.
	require.EqualValues(t, 50*12*200+12*10, r.Clocks)
}

// The nine steps send the expected number of control messages (seed §3).
func TestControlMessages(t *testing.T) {
	cfg := config(t, network.HXB, "4x4", 3, 300)
	cfg.Migrate = &Migration{
		At: 50_000, Weights: mapping.Reference(), Neighbour: mapping.Grid,
		Objective: mapping.ByCost,
	}
	r := run(t, cfg)
	agree(t, cfg, r)
	m, n := r.Migrations[0], int64(16)
	for _, k := range []Kind{Stop, Ack, Ready, Start, Traffic, Resume} {
		require.Equal(t, n-1, r.Sent[k], k)
	}
	require.Equal(t, (n-1)*(n-2), r.Sent[Flush])
	require.EqualValues(t, m.Moves, r.Sent[State])
	require.Equal(t, r.Sent[Notify], r.Sent[Moved])
	require.Less(t, m.After, m.Before)
	for i, p := range m.PPs {
		require.Less(t, p.Stopped, p.Ready, "PP %d", i)
		require.Less(t, p.Ready, p.Resumed, "PP %d", i)
		require.LessOrEqual(t, p.Ready, m.Quiet)
		require.LessOrEqual(t, p.Resumed, m.Ended)
	}
	require.InDelta(t, 25, float64(m.Clocks())/700, 3, "slots of pause")
	require.NotEqual(t, mapping.Conventional(12, 16), r.Map)
}

// The runnable LP with the lowest (slot, id) of a PP runs first.
func TestLowestSlotRunsFirst(t *testing.T) {
	cfg := config(t, network.HXB, "1", 3, 50)
	m, err := New(cfg)
	require.NoError(t, err)
	p := &m.pps[0]
	require.EqualValues(t, 0, p.nextLP(m).id)
	p.procs[0].Take(nil, make([]banyan.Slot, 2))
	require.EqualValues(t, 1, p.nextLP(m).id)
}

// A disturbed run takes the recorded clocks.
func TestDisturbedRun(t *testing.T) {
	cfg := config(t, network.HXB, "4x4", 3, 150)
	cfg.Timing = DefaultTiming(300)
	cfg.Background = Background{Flows: 12, Length: 512, SlowPPM: 15_000, Seed: 4}
	r := run(t, cfg)
	agree(t, cfg, r)
	require.EqualValues(t, 155820, r.Clocks)
}

// The state of an LP in transit is as long as what it holds.
func TestBytesOfAProcess(t *testing.T) {
	m := banyan.Default(3)
	p := newProcess(banyanProgram(&m), 5, 8)
	require.EqualValues(t, 64, p.bytes())
	for i := range 5 {
		p.in[i%2].Push(banyan.Slot{Cell: banyan.Cell{Dst: 1, Src: uint16(i), Born: 9}, Full: i%2 == 0})
	}
	require.EqualValues(t, 64+5*16, p.bytes(), "empty messages, too")
	p.Take([]banyan.Slot{p.in[0].PopOldest(), p.in[1].PopOldest()}, make([]banyan.Slot, 2))
	require.EqualValues(t, 64+3*16+16*p.Queued(), p.bytes())
}

// The machine checks its invariants, and each check can fail.
func TestInvariantsCanFail(t *testing.T) {
	breakAt := func(kind string, at func(m *Machine)) {
		t.Helper()
		m, err := New(config(t, network.HXB, "4x4", 3, 100))
		require.NoError(t, err)
		at(m)
		_, err = m.Run(context.Background())
		require.Error(t, err)
		require.Equal(t, kind, err.(interface{ Kind() string }).Kind())
		require.Contains(t, err.(interface{ Details() map[string]any }).Details(), "clock")
	}
	breakAt("sequence", func(m *Machine) { m.pps[4].procs[4].in[0].expect++ })
	breakAt("misplaced_event", func(m *Machine) { m.pps[0].places[4] = 9 })
	breakAt("credit", func(m *Machine) { m.pps[0].procs[0].out[0].credit++ })
	breakAt("late_event", func(m *Machine) { m.pps[4].mover.ready = true })
	breakAt("deadlock", func(m *Machine) { m.pps[4].mover.stopped = true })
	var dead *Deadlock
	m, err := New(config(t, network.HXB, "4x4", 3, 100))
	require.NoError(t, err)
	m.pps[4].mover.stopped = true
	_, err = m.Run(context.Background())
	require.ErrorAs(t, err, &dead)
	require.Positive(t, dead.Clock)
	require.Len(t, dead.Waits, 1)
	require.Contains(t, err.Error(), dead.Waits[0].Who+" waits for "+dead.Waits[0].For)
	require.Equal(t, dead.Clock, dead.Details()["clock"])
	for every := range int64(2) { // other traffic does not hide the deadlock
		c := config(t, network.HXB, "4x4", 3, 100)
		c.Background = Background{Flows: 3, Length: 512, Seed: 1}
		c.Migrate = &Migration{
			At: 1 << 40, Every: every * 1000, Weights: mapping.Reference(), Neighbour: mapping.Grid,
			Objective: mapping.ByCost,
		}
		m, err := New(c)
		require.NoError(t, err)
		m.pps[4].mover.stopped = true
		_, err = m.Run(context.Background())
		require.ErrorAs(t, err, &dead)
		require.ErrorContains(t, err, "nothing can happen any more, only packets of the 3 background flows move")
	}
	breakAt("in_flight", func(m *Machine) {
		m.flying = 1
		m.queue.Push(5000, network.Wake, 0, trigger)
		m.cfg.Migrate = &Migration{Weights: mapping.Reference(), Neighbour: mapping.Grid, Objective: mapping.ByCost}
		m.cfg.Migrate.At = 1 << 40
	})
}

func TestConfigRefuses(t *testing.T) {
	for want, change := range map[string]func(c *Config){
		"needs a network": func(c *Config) { c.Net = nil },
		"slots":           func(c *Config) { c.Slots = 0 },
		"window":          func(c *Config) { c.Window = -3 },
		"hop":             func(c *Config) { c.Timing.Hop = 0 },
		"slot_clocks":     func(c *Config) { c.Timing.Step = 0 },
		"cell is":         func(c *Config) { c.Timing.Cell = 1 << 40 },
		"stages":          func(c *Config) { c.Banyan.Stages = 12 },
		"places 1 LPs":    func(c *Config) { c.Map = mapping.Map{0} },
		"migrate at": func(c *Config) {
			c.Migrate = &Migration{
				At:      -1,
				Weights: mapping.Reference(),
			}
		},
		"b is 0, it must be 10^-6..10^6": func(c *Config) { c.Migrate = &Migration{} },
		"a is -1": func(c *Config) {
			c.Migrate = &Migration{Weights: mapping.Weights{
				A: -1,
				B: 1,
			}}
		},
		"c is NaN": func(c *Config) {
			c.Migrate = &Migration{Weights: mapping.Weights{
				B: 1,
				C: math.NaN(),
			}}
		},
		"interval is -1": func(c *Config) {
			c.Migrate = &Migration{
				Every:   -1,
				Weights: mapping.Reference(),
			}
		},
		"load is NaN":         func(c *Config) { c.Banyan.Load = math.NaN() },
		"queue is -1":         func(c *Config) { c.Banyan.Queue = -1 },
		"wiring is \"delta\"": func(c *Config) { c.Banyan.Wiring = "delta" },
		"background flows":    func(c *Config) { c.Background.Flows = 2 },
		"background is 65537, it must be 0..65536 flows": func(c *Config) {
			c.Background = Background{
				Flows:  65537,
				Length: 1,
			}
		},
		"window is 4097, it must be 1..4096 messages": func(c *Config) { c.Window = 4097 },
		"slots: expected at most 131071 where an LP's work and messages take 2147": func(c *Config) {
			c.Slots,
				c.Timing.Cell = 131072, 1<<31
		},
		"max_clocks": func(c *Config) { c.MaxClocks = -1 },
	} {
		cfg := config(t, network.HXB, "4x4", 3, 10)
		change(&cfg)
		_, err := Run(context.Background(), cfg)
		require.ErrorContains(t, err, want)
		require.ErrorAs(t, err, new(*Usage), want)
	}
}

func TestLimitsAreIncluded(t *testing.T) {
	cfg := config(t, network.HXB, "4x4", 3, 1)
	cfg.Window, cfg.Background = maxWindow, Background{Flows: maxFlows, Length: 1}
	require.NoError(t, cfg.Validate())
	cfg.Slots, cfg.Timing.Cell = 131071, 1<<31
	require.NoError(t, cfg.Validate())
}

func TestRunsThatDoNotEndWell(t *testing.T) {
	cfg := config(t, network.HXB, "4x4", 3, 10)
	cfg.Migrate = &Migration{
		At: 1 << 40, Weights: mapping.Reference(), Neighbour: mapping.Grid,
		Objective: mapping.ByCost,
	}
	_, err := Run(context.Background(), cfg)
	require.ErrorContains(t, err, "choose an earlier clock")
	cfg.Migrate = nil
	cfg.MaxClocks = 1000
	_, err = Run(context.Background(), cfg)
	require.ErrorContains(t, err, "not over after 1,000 clocks")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	cfg.MaxClocks = 0
	_, err = Run(ctx, cfg)
	require.ErrorIs(t, err, context.Canceled)
}

// checked is a context that ends at its n-th check.
type checked struct {
	context.Context
	n int
}

func (l *checked) Err() error {
	if l.n--; l.n < 0 {
		return context.Canceled
	}
	return nil
}

// A run whose context ends returns its results so far, even in the middle of a
// migration.
func TestRunEndsWithItsContext(t *testing.T) {
	cfg := config(t, network.HXB, "4x4", 3, 400)
	cfg.Migrate = &Migration{
		At: 20_000, Weights: mapping.Reference(), Neighbour: mapping.Grid,
		Objective: mapping.ByCost,
	}
	count := &checked{t.Context(), 1 << 40}
	whole, err := Run(count, cfg)
	require.NoError(t, err)
	require.EqualValues(t, 400, whole.Slots)
	used := 1<<40 - count.n
	last := int64(0)
	for n := range used {
		r, err := Run(&checked{t.Context(), n}, cfg)
		require.ErrorIs(t, err, context.Canceled, n)
		require.GreaterOrEqual(t, r.Clocks, last)
		require.Less(t, r.Slots, int64(400))
		last = r.Clocks
	}
	require.Positive(t, last)
}

func BenchmarkRun(b *testing.B) {
	for _, c := range []struct {
		name, shape string
		stages      int
	}{{"3stages4x4", "4x4", 3}, {"4stages4x4x2", "4x4x2", 4}} {
		b.Run(c.name, func(b *testing.B) {
			cfg := config(b, network.HXB, c.shape, c.stages, 2000)
			packets := int64(0)
			for b.Loop() {
				packets += run(b, cfg).Packets
			}
			b.ReportMetric(float64(packets)/b.Elapsed().Seconds(), "packets/s")
			b.ReportMetric(float64(2000*b.N)/b.Elapsed().Seconds(), "slots/s")
		})
	}
}
