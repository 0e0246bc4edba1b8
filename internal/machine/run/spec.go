package run

import (
	"emsim/em4"
	"emsim/internal/base/simerr"
	"emsim/internal/machine/machinefile"
)

// Machine chooses a machine. Precedence: PEs, Sets, the file, the preset.
type Machine struct {
	Name string   // of a preset, or a file
	Sets []string // KEY=VALUE, changes of knobs
	PEs  *int     // nil: the machine's own
}

// Spec is what a run is built from.
type Spec struct {
	Machine
	Program   string            // built-in name, assembly file or object file
	Args      []string          // as given
	Params    map[string]string // values of parameters that the program declares
	Include   []string          // folders of files that it includes
	Seed      uint64
	MaxClocks uint64 // of a run; 0: no limit
	Threads   int    // that step the machine, 1..64; 0: auto (threads.Choice)

	Plan *Placement // what placement auto or measured has chosen; nil until the program is read
}

// Config puts the machine together.
func (m Machine) Config() (em4.Config, error) {
	c, err := m.baseConfig()
	if err != nil {
		return c, err
	}
	if err := m.apply(&c); err != nil {
		return c, err
	}
	if m.PEs != nil {
		c.PEs = *m.PEs
	}
	if err := c.Validate(); err != nil {
		return c, &simerr.Usage{Err: err}
	}
	return c, nil
}

// baseConfig is the machine before Sets and PEs. The EMC-R machines of some
// sizes have presets of their own; when only the size was chosen, its preset is
// meant.
func (m Machine) baseConfig() (em4.Config, error) {
	c, err := machinefile.Load(m.Name)
	if err != nil {
		return c, &simerr.Usage{Err: err}
	}
	if m.Name != "emc-r" {
		return c, nil
	}
	if err := m.apply(&c); err != nil {
		return c, err
	}
	if m.PEs != nil {
		c.PEs = *m.PEs
	}
	return machinefile.ForSize(c.PEs), nil
}

// apply makes the changes of Sets.
func (m Machine) apply(c *em4.Config) error {
	if err := machinefile.EM4(c).Set(m.Sets); err != nil {
		return &simerr.Usage{Err: err}
	}
	return nil
}
