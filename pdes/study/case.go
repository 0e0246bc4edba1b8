package study

import (
	"emsim/pdes"
	"emsim/pdes/banyan"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// A Case is a machine with a program.
type Case struct {
	Kind    network.Kind
	Shape   string
	Stages  int
	Wiring  banyan.Wiring // omega when empty
	Machine *pdes.Setup   // a user's own machine and program, with the same Kind and Shape; nil means the default one
}

// Cases returns the ten machines of the cost table, 3 stages first.
func Cases() []Case {
	return []Case{
		{network.HXB, "4x3", 3, "", nil},
		{network.HXB, "4x4", 3, "", nil},
		{network.Torus, "4x3", 3, "", nil},
		{network.Torus, "4x4", 3, "", nil},
		{network.HCB, "4", 3, "", nil},
		{network.HXB, "8x4", 4, "", nil},
		{network.HXB, "4x4x2", 4, "", nil},
		{network.Torus, "8x4", 4, "", nil},
		{network.Torus, "4x4x2", 4, "", nil},
		{network.HCB, "5", 4, "", nil},
	}
}

// Network returns the case's network.
func (c Case) Network() (*network.Net, error) { return network.Parse(c.Kind, c.Shape) }

// setup returns the case's machine with its program.
func (c Case) setup() pdes.Setup {
	if c.Machine != nil {
		return *c.Machine
	}
	s := pdes.DefaultSetup()
	s.Network, s.Shape, s.Banyan.Stages = c.Kind, c.Shape, c.Stages
	if c.Wiring != "" {
		s.Banyan.Wiring = c.Wiring
	}
	return s
}

// Banyan returns the case's program if it is not a graph.
func (c Case) Banyan() banyan.Model { return c.setup().Banyan }

// Problem returns the case's mapping problem, with the mean traffic over the given number of slots.
func (c Case) Problem(w mapping.Weights, slots int64) (*mapping.Problem, error) {
	cfg, err := c.Config(slots)
	if err != nil {
		return nil, err
	}
	return cfg.Problem(w), nil
}

// Config returns the case's run; it has no map, no migration and no background.
func (c Case) Config(slots int64) (pdes.Config, error) {
	s := c.setup()
	s.Slots, s.Map, s.Placing, s.MigrateAt, s.Background = slots, nil, pdes.Placings()[0], pdes.Never, pdes.Background{}
	return s.Build()
}

// under works like Config, with the given map and cell length.
func (c Case) under(m mapping.Map, cell, slots int64) (pdes.Config, error) {
	cfg, err := c.Config(slots)
	cfg.Timing, cfg.Map = c.timing(cell), m
	return cfg, err
}

// timing returns the timing of the case's machine for a cell length.
func (c Case) timing(cell int64) pdes.Timing {
	t := c.setup().Timing
	if t.Cell = cell; t.Null == 0 {
		t.Null = max(1, cell/4)
	}
	return t
}
