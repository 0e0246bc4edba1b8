package pdes

import (
	"context"

	"emsim/internal/base/simerr"
	"emsim/pdes/banyan"
	"emsim/pdes/lpgraph"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// Timing are the machine's clock counts. A clock is that of the SR2201, 6.7
// ns; a link carries 300 MB/s, 2 bytes per clock (external: the public data
// of the SR2201).
type Timing struct {
	Cell    int64 // clocks for which a cell holds a port, 1 or more (chosen: 64, 128 bytes; swept in the study)
	Null    int64 // a null message (chosen: Cell/4)
	Credit  int64 // a credit (chosen: 16)
	Control int64 // a control packet of the migration (chosen: 16); states are longer by their bytes
	Hop     int64 // clocks from start at a port to the next port, 1 or more (chosen: 10)

	Send    int64 // processor clocks to send a packet (chosen: 100)
	Receive int64 // to receive one (chosen: 100)
	Step    int64 // to run one slot of an LP, 1 or more (chosen: 200)

	Decide    int64 // per evaluation of the minimiser (chosen: 20)
	Serialise int64 // per byte of state, packing and unpacking each (chosen: 2)
	Entry     int64 // per entry of the map, to update it (chosen: 10)
}

// bytesPerClock is the bandwidth of a link (external, see Timing).
const bytesPerClock = 2

// DefaultTiming are the chosen clock counts for a cell length.
func DefaultTiming(cell int64) Timing {
	return Timing{
		Cell: cell, Null: max(1, cell/4), Credit: 16, Control: 16, Hop: 10,
		Send: 100, Receive: 100, Step: 200,
		Decide: 20, Serialise: 2, Entry: 10,
	}
}

// A Migration is the order to optimise the map during the run [004 §3].
type Migration struct {
	At        int64 // clock from which PP 0 begins
	Every     int64 // clocks from the end of one migration to the next; 0: one migration only
	Weights   mapping.Weights
	Neighbour mapping.Neighbour
	Objective mapping.Objective
	// Minimiser is a policy of one's own; nil is the paper's greedy one, with the
	// three fields above.
	Minimiser Minimiser
}

// A Minimiser finds a map for the traffic and the work that the LP kernels have
// counted, from the present map, which it must not change. It must depend on its
// arguments only. Its Evaluations cost PP 0 Timing.Decide clocks each. An error
// ends the run.
type Minimiser func(ctx context.Context, p *mapping.Problem, now mapping.Map) (mapping.Search, error)

// minimiser is the policy of a migration.
func (m *Migration) minimiser() Minimiser {
	if m.Minimiser != nil {
		return m.Minimiser
	}
	return func(ctx context.Context, p *mapping.Problem, now mapping.Map) (mapping.Search, error) {
		return p.Greedy(ctx, now, m.Neighbour, m.Objective)
	}
}

// A Config is everything that determines a run.
type Config struct {
	Net    *network.Net
	Banyan banyan.Model
	Graph  *lpgraph.Graph // a program of one's own instead of the banyan, whose Seed it takes
	Map    mapping.Map    // LP to PP; nil is the conventional map
	Slots  int64          // slots of every LP, 1 or more; 20,000 stand for the paper's 2.0e7 of virtual time (chosen)
	Window int64          // messages under way on a channel, 1 or more (chosen: 8)
	Timing Timing

	Migrate    *Migration // nil for none
	Background Background
	MaxClocks  int64 // the run fails after this clock; 0 means never
}

// Default is the paper's machine and program on a network: load 0.8, window 8,
// cells of 64 clocks, the conventional map.
func Default(net *network.Net, stages int, slots int64) Config {
	return Config{
		Net: net, Banyan: banyan.Default(stages), Slots: slots, Window: 8,
		Timing: DefaultTiming(64),
	}
}

// Limits that keep a run inside 64-bit clocks and the memory of a PC.
const (
	maxTime   = 1 << 31
	maxWindow = 1 << 12
	maxFlows  = 1 << 16
	maxClocks = 1 << 48 // for all slots of an LP; waiting for others adds to it
)

// limit is the range of a number, and its reason.
type limit struct {
	name            string
	value, min, max int64
	why             string
}

func (c *Config) ranges() []limit {
	const clocks = "clocks are added up in 63 bits"
	t := &c.Timing
	return []limit{
		{"slots", c.Slots, 1, maxTime, clocks},
		{"window", c.Window, 1, maxWindow, "every message under way is held in memory"},
		{"cell length", t.Cell, 1, maxTime, clocks},
		{"null length", t.Null, 1, maxTime, clocks},
		{"credit length", t.Credit, 1, maxTime, clocks},
		{"control length", t.Control, 1, maxTime, clocks},
		{"hop", t.Hop, 1, maxTime, clocks},
		{"send", t.Send, 0, maxTime, clocks},
		{"receive", t.Receive, 0, maxTime, clocks},
		{"step", t.Step, 1, maxTime, clocks},
		{"decide", t.Decide, 0, maxTime, clocks},
		{"serialise", t.Serialise, 0, maxTime, clocks},
		{"entry", t.Entry, 0, maxTime, clocks},
		{"background flows", int64(c.Background.Flows), 0, maxFlows, "every flow is held in memory, and far fewer keep every port busy"},
		{"background length", c.Background.Length, 0, maxTime, clocks},
		{"slow-down", c.Background.SlowPPM, 0, maxTime, "in millionths, of clocks that are added up in 63 bits"},
	}
}

// validateProgram checks what the LPs simulate.
func (c *Config) validateProgram() error {
	if c.Graph != nil {
		return c.Graph.Validate()
	}
	return c.Banyan.Validate()
}

// heaviest is the most that an LP's slot and a packet of it can take.
func (c *Config) heaviest() int64 {
	if c.Graph == nil {
		return c.Timing.Cell + c.Timing.Step
	}
	step, cells := c.Timing.Step, int64(1)
	for i := range c.Graph.LPs {
		for _, x := range c.Graph.LPs[i].Clocks {
			step = max(step, x.Value)
		}
	}
	for i := range c.Graph.Channels {
		for _, x := range c.Graph.Channels[i].Rate {
			cells = max(cells, (x.Value+million-1)/million)
		}
	}
	return step + c.Timing.Cell*cells
}

// Validate returns the first invalid parameter.
func (c *Config) Validate() error {
	if c.Net == nil {
		return simerr.Usagef("a run needs a network")
	}
	if err := c.validateProgram(); err != nil {
		return err
	}
	for _, r := range c.ranges() {
		if r.value < r.min || r.value > r.max {
			return simerr.Usagef("%s: expected %d to %d (%s), got %d", r.name, r.min, r.max, r.why, r.value)
		}
	}
	t := c.Timing
	if slot := c.heaviest() + t.Null + t.Credit + t.Control + t.Hop + t.Send + t.Receive; c.Slots > maxClocks/slot {
		return simerr.Usagef("slots: expected at most %d where an LP's work and messages take %d clocks a slot (the clocks of a run could grow beyond 63 bits), got %d", maxClocks/slot, slot, c.Slots)
	}
	if c.MaxClocks < 0 {
		return simerr.Usagef("max clocks: expected 0 (no limit) or more, got %d", c.MaxClocks)
	}
	if c.Background.Flows > 0 && (c.Net.Nodes() < 2 || c.Background.Length < 1) {
		return simerr.Usagef("background flows need two nodes and a packet length of 1 or more")
	}
	if c.Map != nil {
		if err := c.Map.Check(c.LPs(), c.Net.Nodes()); err != nil {
			return err
		}
	}
	if c.Migrate == nil {
		return nil
	}
	if c.Migrate.At < 0 {
		return simerr.Usagef("migrate at: expected a clock, 0 or later, got %d", c.Migrate.At)
	}
	if every := c.Migrate.Every; every < 0 || every > maxClocks {
		return simerr.Usagef("migrate every: expected 1 to %d clocks, or 0 for one migration, got %d", int64(maxClocks), every)
	}
	return c.Migrate.Weights.Validate()
}
