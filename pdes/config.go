package pdes

import (
	"context"

	"emsim/internal/base/simerr"
	"emsim/pdes/banyan"
	"emsim/pdes/lpgraph"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// Timing holds the machine's clock counts. A clock is the SR2201's, 6.7 ns; a link carries 300 MB/s, 2 bytes per clock
// (external: the public data of the SR2201).
type Timing struct {
	Cell    int64 // clocks for which a cell holds a port, 1 or more (chosen: 64, 128 bytes; swept in the study)
	Null    int64 // a null message (chosen: Cell/4)
	Credit  int64 // a credit (chosen: 16)
	Control int64 // a control packet of the migration (chosen: 16); packets with an LP's state are longer
	Hop     int64 // clocks from the start at a port to the next port, 1 or more (chosen: 10)

	Send    int64 // processor clocks to send a packet (chosen: 100)
	Receive int64 // to receive one (chosen: 100)
	Step    int64 // to run one slot of an LP, 1 or more (chosen: 200)

	Decide    int64 // per evaluation of the minimiser (chosen: 20)
	Serialise int64 // per byte of state, for packing and for unpacking (chosen: 2)
	Entry     int64 // per entry of the map, to update it (chosen: 10)

	// Apart makes each of several control packets leave when its own sending ends. Otherwise all leave at the end of
	// the operation (chosen: together, as cells do).
	Apart bool
}

// bytesPerClock is the bandwidth of a link (external, see Timing).
const bytesPerClock = 2

// DefaultTiming returns the chosen clock counts for a cell length.
func DefaultTiming(cell int64) Timing {
	return Timing{
		Cell: cell, Null: max(1, cell/4), Credit: 16, Control: 16, Hop: 10,
		Send: 100, Receive: 100, Step: 200,
		Decide: 20, Serialise: 2, Entry: 10,
	}
}

// A Migration tells the machine to optimise the map during the run [004 §3].
type Migration struct {
	At        int64 // clock from which PP 0 begins
	Every     int64 // clocks from the end of one migration to the next; 0 means only one
	Weights   mapping.Weights
	Neighbour mapping.Neighbour
	Objective mapping.Objective
	// Minimiser is a user's own policy; nil means the paper's greedy one, with the three fields above.
	Minimiser Minimiser
}

// A Minimiser finds a map for the traffic and the work that the LP kernels have counted, starting from the current map,
// now, which it must not modify. Its result must depend only on its arguments. Each of the Evaluations in the result
// costs PP 0 Timing.Decide clocks. An error ends the run.
type Minimiser func(ctx context.Context, p *mapping.Problem, now mapping.Map) (mapping.Search, error)

// minimiser returns the policy of a migration.
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
	Graph  *lpgraph.Graph // a user's own program instead of the banyan; it uses Banyan.Seed
	Map    mapping.Map    // LP to PP; nil is the conventional map
	Slots  int64          // slots of every LP, 1 or more; 20,000 stand for the paper's 2.0e7 of virtual time (chosen)
	Window int64          // messages in flight on a channel, 1 or more (chosen: 8)
	Timing Timing

	Migrate    *Migration // nil for no migration
	Background Background
	MaxClocks  int64 // the run fails after this clock; 0 means never
}

// Default returns the paper's machine and program on the given network: load 0.8, window 8, cells of 64 clocks, the
// conventional map.
func Default(net *network.Net, stages int, slots int64) Config {
	return Config{
		Net: net, Banyan: banyan.Default(stages), Slots: slots, Window: 8,
		Timing: DefaultTiming(64),
	}
}

// Limits of Knobs that keep a run inside 64-bit clocks and the memory of a PC.
const (
	maxTime   = 1 << 31
	maxWindow = 1 << 12
	maxFlows  = 1 << 16
	maxClocks = 1 << 48 // for all slots of an LP, without waiting for others
)

// heaviest returns an upper limit of the clocks that a slot of an LP and a packet take together.
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

// Validate returns an error for the first parameter that is outside its range in Knobs, or that contradicts another
// one.
func (c *Config) Validate() error {
	if c.Net == nil {
		return simerr.Usagef("a run needs a network")
	}
	s := DefaultSetup()
	s.Config = *c
	if o := c.Migrate; o != nil {
		s.MigrateEvery, s.Weights = o.Every, o.Weights
	}
	if err := s.check(); err != nil {
		return err
	}
	if c.Graph != nil {
		if err := c.Graph.Validate(); err != nil {
			return err
		}
	}
	if c.Timing.Null < 1 {
		return simerr.Usagef("null is %d, it must be 1 or more clocks: only a Setup has a default", c.Timing.Null)
	}
	t := c.Timing
	if slot := c.heaviest() + t.Null + t.Credit + t.Control + t.Hop + t.Send + t.Receive; c.Slots > maxClocks/slot {
		return simerr.Usagef("slots: expected at most %d where an LP's work and messages take %d clocks a slot (the "+
			"clocks of a run could grow beyond 63 bits), got %d", maxClocks/slot, slot, c.Slots)
	}
	if c.Background.Flows > 0 && (c.Net.Nodes() < 2 || c.Background.Length < 1) {
		return simerr.Usagef("background flows need two nodes and a packet length of 1 or more")
	}
	if c.Map != nil {
		if err := c.Map.Check(c.LPs(), c.Net.Nodes()); err != nil {
			return err
		}
	}
	if c.Migrate != nil && c.Migrate.At < 0 {
		return simerr.Usagef("migrate at: expected a clock, 0 or later, got %d", c.Migrate.At)
	}
	return nil
}
