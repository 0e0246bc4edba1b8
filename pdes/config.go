package pdes

import (
	"emsim/pdes/banyan"
	"emsim/pdes/internal/fault"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// Timing are the machine's clock counts. A clock is that of the SR2201, 6.7
// ns; a link carries 300 MB/s, 2 bytes a clock (external: the public data of
// the SR2201).
type Timing struct {
	Cell    int64 // clocks a cell holds a port, 1 or more (chosen: 64, 128 bytes; swept in the study)
	Null    int64 // a null message (chosen: Cell/4)
	Credit  int64 // a credit (chosen: 16)
	Control int64 // a control packet of the migration (chosen: 16); states are longer by their bytes
	Hop     int64 // from start at a port to the next port, 1 or more (chosen: 10)

	Send    int64 // processor clocks to send a packet (chosen: 100)
	Receive int64 // to receive one (chosen: 100)
	Step    int64 // to run one slot of an LP, 1 or more (chosen: 200)

	Decide    int64 // an evaluation of the minimiser (chosen: 20)
	Serialise int64 // a byte of state, packing and unpacking each (chosen: 2)
	Entry     int64 // an entry of the map, updating it (chosen: 10)
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
	Weights   mapping.Weights
	Neighbour mapping.Neighbour
	Objective mapping.Objective
}

// A Config is everything that a run depends on.
type Config struct {
	Net    *network.Net
	Banyan banyan.Model
	Map    mapping.Map // LP to PP; nil is the conventional map
	Slots  int64       // slots of every LP, 1 or more; 20,000 stand for the seed's 2.0e7 of virtual time (chosen)
	Window int64       // messages under way on a channel, 1 or more (chosen: 8)
	Timing Timing

	Migrate    *Migration // nil for none
	Background Background
	MaxClocks  int64 // give up beyond; 0 is never
}

// Default is the seed's machine and program on a network: load 0.8, window 8,
// cells of 64 clocks, the conventional map.
func Default(net *network.Net, stages int, slots int64) Config {
	return Config{
		Net: net, Banyan: banyan.Default(stages), Slots: slots, Window: 8,
		Timing: DefaultTiming(64),
	}
}

// Validate reports the first parameter that cannot be.
func (c *Config) Validate() error {
	if c.Net == nil {
		return fault.Usage("a run needs a network")
	}
	if err := c.Banyan.Validate(); err != nil {
		return err
	}
	const most = 1 << 31
	for _, r := range []struct {
		name       string
		value, min int64
	}{
		{"slots", c.Slots, 1},
		{"window", c.Window, 1},
		{"cell length", c.Timing.Cell, 1},
		{"null length", c.Timing.Null, 1},
		{"credit length", c.Timing.Credit, 1},
		{"control length", c.Timing.Control, 1},
		{"hop", c.Timing.Hop, 1},
		{"send", c.Timing.Send, 0},
		{"receive", c.Timing.Receive, 0},
		{"step", c.Timing.Step, 1},
		{"decide", c.Timing.Decide, 0},
		{"serialise", c.Timing.Serialise, 0},
		{"entry", c.Timing.Entry, 0},
		{"background flows", int64(c.Background.Flows), 0},
		{"background length", c.Background.Length, 0},
		{"slow-down", c.Background.SlowPPM, 0},
	} {
		if r.value < r.min || r.value > most {
			return fault.Usage("%s: %d to %d are possible, got %d", r.name, r.min, int64(most), r.value)
		}
	}
	if c.MaxClocks < 0 {
		return fault.Usage("max clocks: 0 (no limit) or more, got %d", c.MaxClocks)
	}
	if c.Background.Flows > 0 && (c.Net.Nodes() < 2 || c.Background.Length < 1) {
		return fault.Usage("background flows need two nodes and a packet length of 1 or more")
	}
	if c.Map != nil {
		if err := c.Map.Check(c.Banyan.LPs(), c.Net.Nodes()); err != nil {
			return err
		}
	}
	if c.Migrate == nil {
		return nil
	}
	if c.Migrate.At < 0 {
		return fault.Usage("migrate at: a clock, 0 or later, got %d", c.Migrate.At)
	}
	return c.Migrate.Weights.Validate()
}
