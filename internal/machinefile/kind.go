package machinefile

import (
	"slices"

	"emsim/em4"
	"emsim/internal/knob"
)

// header is the key that says of which kind a file's machine is.
const header = "machine"

// Kind is one of the five machines of emsim.
type Kind struct {
	Name    string // in files, 'emsim machine show' and sweeps
	A       string // how errors call one: "an MNC computer"
	Doc     string
	Command string // that runs it, up to the file's name
	Default string // whose values a file's missing knobs have
	New     func() *Machine
}

// Machine is a machine of some kind: its table bound to one configuration.
type Machine struct {
	Kind     Kind
	Rows     []knob.Row
	Validate func() error // checks the values together
	Config   any          // what the rows change: *em4.Config and so on
}

// Kinds lists the five, the EM-4 first.
func Kinds() []Kind {
	return []Kind{
		{
			"em4", "a machine", "the EM-4", "emsim run PROGRAM --machine", "the prototype's value (emc-r)",
			func() *Machine { c := em4.Prototype80(); return EM4(&c) },
		},
	}
}

// KindOf returns the kind of a name.
func KindOf(name string) (Kind, bool) {
	i := slices.IndexFunc(Kinds(), func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return Kinds()[i], true
}

// EM4 binds the table of the EM-4 to a configuration.
func EM4(c *em4.Config) *Machine {
	return &Machine{Kind: Kind{Name: "em4", A: "a machine"}, Rows: knob.Bind(em4.Knobs(), c), Validate: func() error { return c.Validate() }, Config: c}
}

// Make returns a machine of the kind with its defaults.
func (k Kind) Make() *Machine {
	m := k.New()
	m.Kind = k
	return m
}
