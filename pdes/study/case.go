package study

import (
	"emsim/pdes"
	"emsim/pdes/banyan"
	"emsim/pdes/lpgraph"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// A Case is a machine with the program that runs on it.
type Case struct {
	Kind   network.Kind
	Shape  string
	Stages int
	Wiring banyan.Wiring  // omega when empty
	Graph  *lpgraph.Graph // a program of one's own instead of the banyan; nil for none
}

// Cases are the ten machines of the cost table, 3 stages first.
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

// Net is the case's network.
func (c Case) Net() (*network.Net, error) { return network.Parse(c.Kind, c.Shape) }

// Banyan is the case's program if it has no graph.
func (c Case) Banyan() banyan.Model {
	m := banyan.Default(c.Stages)
	if c.Wiring != "" {
		m.Wiring = c.Wiring
	}
	return m
}

// Problem is the case's mapping problem under the unit traffic, or that of the
// graph in the mean over some slots.
func (c Case) Problem(w mapping.Weights, slots int64) (*mapping.Problem, error) {
	if c.Graph != nil {
		cfg, err := c.Config(slots)
		if err != nil {
			return nil, err
		}
		return cfg.Problem(w), nil
	}
	net, err := c.Net()
	if err != nil {
		return nil, err
	}
	m := c.Banyan()
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return mapping.NewProblem(mapping.Banyan(&m), net, w), nil
}

// Config is the case's run with the default parameters.
func (c Case) Config(slots int64) (pdes.Config, error) {
	net, err := c.Net()
	if err != nil {
		return pdes.Config{}, err
	}
	cfg := pdes.Default(net, c.Stages, slots)
	if c.Graph != nil {
		cfg.Graph = c.Graph
		return cfg, c.Graph.Validate()
	}
	cfg.Banyan = c.Banyan()
	return cfg, cfg.Banyan.Validate()
}
