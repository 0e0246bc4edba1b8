package pdes

import (
	"cmp"
	"context"

	"emsim/internal/base/knob"
	"emsim/internal/base/simerr"
	"emsim/pdes/banyan"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// Setup describes a run by values of flags and files: a Config whose network is given by a shape, and whose map by a
// minimiser.
type Setup struct {
	Config    // Net, Migrate and a nil Map are set from what follows; a Timing.Null of 0 means a quarter of Timing.Cell
	Network   network.Kind
	Shape     string // "4x4x2", or the number of dimensions of a hypercube; "" means 16 nodes, or 32 with 4 stages
	Placing   string // minimiser of the map before the run, see Placings; not used if Map is given
	Weights   mapping.Weights
	Neighbour mapping.Neighbour
	Objective mapping.Objective
	GraphName string // the graph's file, for output
	MigrateAt int64  // clock from which PP 0 begins a migration; Never for no migration
	// MigrateEvery is the number of clocks from the end of one migration to the next; 0 means only one migration.
	MigrateEvery int64
}

// Never is the Setup.MigrateAt of a run without a migration.
const Never = -1

// DefaultSetup returns the paper's machine and program: 20,000 slots of 3 stages on
// a hyper-crossbar.
func DefaultSetup() Setup {
	s := Setup{
		Config: Default(nil, 3, 20_000), Network: network.HXB, Placing: Placings()[0],
		Weights: mapping.Reference(), Neighbour: mapping.Grid, Objective: mapping.ByCost, MigrateAt: Never,
	}
	s.Timing.Null = 0
	s.Background.Length, s.Background.Seed = 512, 1
	return s
}

// Placings returns the values of Setup.Placing: row by row, which uses no minimiser; the minimisers of package
// mapping; and round-robin, which is not from the paper.
func Placings() []string {
	return []string{"conventional", "greedy", "exact", "anneal", "round-robin"}
}

// NodeShape returns the shape of the network: Shape, or the default if that is empty. It returns an error if there is
// no default for the number of stages.
func (s *Setup) NodeShape() (string, error) {
	large := s.Graph == nil && s.Banyan.Stages == 4
	switch {
	case s.Shape != "":
		return s.Shape, nil
	case s.Graph == nil && s.Banyan.Stages > 4:
		return "", knob.Errorf("stages", "%d has no default shape; give the shape, as in 8x8x4", s.Banyan.Stages)
	case s.Network == network.HCB && large:
		return "5", nil
	case s.Network == network.HCB:
		return "4", nil
	case large:
		return "4x4x2", nil
	}
	return "4x4", nil
}

// check returns an error for the first parameter that is out of its range.
func (s Setup) check() error {
	if s.Map != nil {
		s.Placing = Placings()[0] // with a Map, it says where the map is from
	}
	if err := knob.CheckAll(knob.Bind(Knobs(), &s)); err != nil {
		return simerr.Usagef("%w", err)
	}
	return nil
}

// Build checks the setup and returns the run without its map; FindMap finds the map.
func (s *Setup) Build() (Config, error) {
	c := s.Config
	if err := s.check(); err != nil {
		return c, err
	}
	if s.Neighbour == mapping.XBar && s.Network != network.HXB {
		return c, knob.Errorf("neighbour",
			"xbar means nodes on one crossbar, which only the network hxb has; take grid")
	}
	shape, err := s.NodeShape()
	if err != nil {
		return c, err
	}
	if c.Net, err = network.Parse(s.Network, shape); err != nil {
		return c, err
	}
	c.Timing.Null = cmp.Or(c.Timing.Null, max(1, c.Timing.Cell/4))
	if s.MigrateAt != Never {
		c.Migrate = &Migration{
			At: s.MigrateAt, Every: s.MigrateEvery, Weights: s.Weights, Neighbour: s.Neighbour, Objective: s.Objective,
		}
	}
	return c, c.Validate()
}

// FindMap finds the map of a built run, starting from the conventional one. It keeps a map that the run already has. It
// returns the context's error, or why the minimiser has found no map.
func (s *Setup) FindMap(ctx context.Context, c *Config) error {
	if c.Map != nil {
		return nil
	}
	p := c.Problem(s.Weights)
	start := mapping.Conventional(p.Graph.LPs, p.Net.Nodes())
	var found mapping.Search
	var err error
	switch s.Placing {
	case "greedy":
		found, err = p.Greedy(ctx, start, s.Neighbour, s.Objective)
	case "exact":
		found, err = p.Exact(ctx, s.Objective)
	case "anneal":
		found, err = p.Anneal(ctx, start, s.Objective, mapping.AnnealSteps, c.Banyan.Seed)
	case "round-robin":
		found.Map = mapping.RoundRobin(p.Graph.LPs, p.Net.Nodes())
	default:
		found.Map = start
	}
	c.Map = found.Map
	return err
}

// Knob documents one parameter of a Setup.
type Knob = knob.Knob[Setup]

// factors is the range of a factor in the cost.
var factors = knob.Interval{Low: 1. / mapping.MaxWeight, High: mapping.MaxWeight}

// Knobs lists the parameters: machine and program, run, timing, minimiser,
// background.
func Knobs() []Knob {
	return []Knob{
		{
			Key: "network", Flag: "network", Values: knob.Words(network.Kinds()...), Source: "[004 §2]",
			Doc: "what connects the processors: hyper-crossbar, torus or hypercube",
			Ref: func(s *Setup) any { return (*string)(&s.Network) },
		},
		{
			Key: "shape", Flag: "shape", Zero: "16 nodes for up to 3 stages, 32 for 4", Source: "[004 table 1]",
			Doc: "nodes along X, Y and Z, as in 4x4 or 4x4x2; for a hypercube the number of dimensions, as in 4",
			Ref: func(s *Setup) any { return &s.Shape },
		},
		{
			Key: "stages", Flag: "stages", Unit: "stages", Min: 1, Max: banyan.MaxStages, Source: "[004 table 1]",
			Doc: "stages of the banyan: 3 stages are 12 LPs, 4 are 32",
			Ref: func(s *Setup) any { return &s.Banyan.Stages },
		},
		{
			Key: "wiring", Flag: "wiring", Values: knob.Words(banyan.Wirings()...), Source: "chosen",
			Doc: "which lines connect two stages", Ref: func(s *Setup) any { return (*string)(&s.Banyan.Wiring) },
		},
		{
			Key: "map", Flag: "map", Values: Placings(), Source: "[004 §3]",
			Doc: "map at the start of the run: row by row, the result of a minimiser, " +
				"or LP i on PP i mod their number; the flag --map of 'emsim pdes run' also takes a file",
			Ref: func(s *Setup) any { return &s.Placing },
		},
		{
			Key: "slots", Flag: "slots", Unit: "slots", Min: 1, Max: maxTime,
			Source: "chosen: 20,000 stand for 2.0e7 of virtual time",
			Doc:    "number of slots every LP simulates", Ref: func(s *Setup) any { return &s.Slots },
		},
		{
			Key: "migrate_at", Flag: "migrate-at", Unit: "clocks", Min: Never, Max: 1 << 62, Source: "[004 §3]",
			Doc: "begin one migration at this clock; -1 means never", Ref: func(s *Setup) any { return &s.MigrateAt },
		},
		{
			Key: "interval", Flag: "interval", Unit: "clocks", Max: maxClocks, Zero: "one migration only",
			Source: "beyond the paper",
			Doc: "begin a further migration this long after the end of the last one, with the traffic counted since " +
				"then",
			Ref: func(s *Setup) any { return &s.MigrateEvery },
		},
		{
			Key: "seed", Flag: "seed", Source: "chosen",
			Doc: "seed of the traffic", Ref: func(s *Setup) any { return &s.Banyan.Seed },
		},
		{
			Key: "load", Flag: "load", Unit: "cells a slot", Real: knob.Interval{High: 1}, Source: "[004 table 1]",
			Doc: "mean number of cells offered to every entry line", Ref: func(s *Setup) any { return &s.Banyan.Load },
		},
		{
			Key: "queue", Flag: "queue", Unit: "cells", Max: banyan.MaxQueue, Zero: "no bound", Source: "chosen",
			Doc: "number of cells that an output queue can hold", Ref: func(s *Setup) any { return &s.Banyan.Queue },
		},
		{
			Key: "window", Flag: "window", Unit: "messages", Min: 1, Max: maxWindow, Source: "chosen",
			Doc: "most messages in flight on one channel", Ref: func(s *Setup) any { return &s.Window },
		},
		{
			Key: "cell", Flag: "cell", Unit: "clocks", Min: 1, Max: maxTime,
			Source: "chosen: 128 bytes; swept in the study",
			Doc:    "how long a cell holds a port", Ref: func(s *Setup) any { return &s.Timing.Cell },
		},
		{
			Key: "null", Unit: "clocks", Max: maxTime, Zero: "a quarter of cell, at least 1", Source: "chosen",
			Doc: "how long a null message holds a port", Ref: func(s *Setup) any { return &s.Timing.Null },
		},
		{
			Key: "credit", Unit: "clocks", Min: 1, Max: maxTime, Source: "chosen",
			Doc: "how long a credit holds a port", Ref: func(s *Setup) any { return &s.Timing.Credit },
		},
		{
			Key: "control", Unit: "clocks", Min: 1, Max: maxTime, Source: "chosen",
			Doc: "how long a control packet of the migration holds a port; " +
				"a packet with state holds it longer, by its bytes",
			Ref: func(s *Setup) any { return &s.Timing.Control },
		},
		{
			Key: "control_apart", Source: "chosen: together, as cells leave",
			Doc: "whether each of several control packets leaves as soon as it is sent, not with the others at the " +
				"end of the operation",
			Ref: func(s *Setup) any { return &s.Timing.Apart },
		},
		{
			Key: "hop", Flag: "hop", Unit: "clocks", Min: 1, Max: maxTime, Source: "chosen",
			Doc: "time from the start at one port to the next port", Ref: func(s *Setup) any { return &s.Timing.Hop },
		},
		{
			Key: "send", Flag: "send", Unit: "clocks", Max: maxTime, Source: "chosen",
			Doc: "processor time to send a packet", Ref: func(s *Setup) any { return &s.Timing.Send },
		},
		{
			Key: "receive", Flag: "receive", Unit: "clocks", Max: maxTime, Source: "chosen",
			Doc: "processor time to receive a packet", Ref: func(s *Setup) any { return &s.Timing.Receive },
		},
		{
			Key: "slot_clocks", Flag: "slot-clocks", Unit: "clocks", Min: 1, Max: maxTime, Source: "chosen",
			Doc: "processor time of one slot of one LP", Ref: func(s *Setup) any { return &s.Timing.Step },
		},
		{
			Key: "decide", Unit: "clocks", Max: maxTime, Source: "chosen",
			Doc: "processor time of one evaluation by the minimiser",
			Ref: func(s *Setup) any { return &s.Timing.Decide },
		},
		{
			Key: "serialise", Unit: "clocks", Max: maxTime, Source: "chosen",
			Doc: "processor time for each byte of state, to pack it and again to unpack it",
			Ref: func(s *Setup) any { return &s.Timing.Serialise },
		},
		{
			Key: "entry", Unit: "clocks", Max: maxTime, Source: "chosen",
			Doc: "processor time to update one entry of the map", Ref: func(s *Setup) any { return &s.Timing.Entry },
		},
		{
			Key: "a", Flag: "a", Real: knob.Interval{High: mapping.MaxWeight}, Source: "[004 §3]",
			Doc: "weight of distance in the cost", Ref: func(s *Setup) any { return &s.Weights.A },
		},
		{
			Key: "b", Flag: "b", Real: factors, Source: "[004 §3]",
			Doc: "factor of a change of axis in the cost", Ref: func(s *Setup) any { return &s.Weights.B },
		},
		{
			Key: "c", Flag: "c", Real: knob.Interval{High: mapping.MaxWeight}, Zero: "the paper's cost",
			Source: "beyond the paper",
			Doc: "weight of the compute term in the cost, which levels the work of the PPs: " +
				"minimisers then also move single LPs",
			Ref: func(s *Setup) any { return &s.Weights.C },
		},
		{
			Key: "neighbour", Flag: "neighbour", Values: knob.Words(mapping.Neighbours()...),
			Source: "[004 §3]; xbar chosen",
			Doc: "which nodes the greedy minimiser lets exchange LPs: " +
				"grid (index +-1) or xbar (nodes on one crossbar, hxb only)",
			Ref: func(s *Setup) any { return (*string)(&s.Neighbour) },
		},
		{
			Key: "objective", Flag: "objective", Values: knob.Words(mapping.Objectives()...),
			Source: "[004 §3]; load: beyond the paper",
			Doc:    "what minimisers compare first: the cost, or the load of the busiest port",
			Ref:    func(s *Setup) any { return (*string)(&s.Objective) },
		},
		{
			Key: "background", Flag: "background", Unit: "flows", Max: maxFlows, Source: "chosen",
			Doc: "closed-loop flows of other programs through ports between the nodes",
			Ref: func(s *Setup) any { return &s.Background.Flows },
		},
		{
			Key: "background_length", Unit: "clocks", Max: maxTime, Source: "chosen",
			Doc: "how long a background packet holds a port", Ref: func(s *Setup) any { return &s.Background.Length },
		},
		{
			Key: "noise_slow", Flag: "noise-slow", Unit: "%", Real: knob.Interval{High: 1000}, Source: "chosen",
			Doc: "how much slower the PPs are on average",
			Ref: func(s *Setup) any { return knob.Fixed{P: &s.Background.SlowPPM, One: 10_000} },
		},
		{
			Key: "noise_seed", Flag: "noise-seed", Source: "chosen",
			Doc: "seed of background and noise_slow", Ref: func(s *Setup) any { return &s.Background.Seed },
		},
		{
			Key: "max_clocks", Flag: "max-clocks", Unit: "clocks", Max: 1<<63 - 1, Zero: "never", Source: "chosen",
			Doc: "give up after this many clocks", Ref: func(s *Setup) any { return &s.MaxClocks },
		},
	}
}
