package machinefile

import (
	"slices"
	"strings"

	"emsim/cluster/rhinet"
	"emsim/cluster/spmd"
	"emsim/em4"
	"emsim/internal/base/input"
	"emsim/internal/base/knob"
	"emsim/internal/base/lists"
	"emsim/internal/base/tomlfile"
	"emsim/mnc"
	"emsim/pdes"
)

// header is the key that names the kind of machine that a file describes.
const header = "machine"

// Kind describes a kind of machine, such as the machine of one of the five papers.
type Kind struct {
	Name    string // in files, 'emsim machine show' and sweeps
	A       string // its name with an article, for errors: "an MNC computer"
	Doc     string
	Command string // the command that runs it, up to the name of the file
	Default string // the source of the values of missing knobs
	New     func() *Machine

	Programs bool // it runs programs, with arguments and parameters; sweeps list its sizes separately
}

// Machine is a machine of some kind: its table of knobs, bound to one configuration.
type Machine struct {
	Kind     Kind
	Rows     []knob.Row
	Validate func() error // checks the values together
	Config   any          // the configuration that the rows change: *em4.Config and so on

	From func(name string) error // takes settings from a machine or file of another kind; usually nil
}

// added holds the kinds that Add has added.
var added []Kind

// Add adds a kind of machine. It must be called before Kinds is used.
func Add(k Kind) { added = append(added, k) }

// Kinds returns all kinds of machines, the EM-4 first.
func Kinds() []Kind { return append(ofPapers(), added...) }

// ofPapers returns the kinds of the five papers' machines, the EM-4 first.
func ofPapers() []Kind {
	return []Kind{
		{
			Name: "em4", A: "a machine", Doc: "the EM-4", Command: "emsim run PROGRAM --machine",
			Default: "the prototype's value (emc-r)", Programs: true,
			New: func() *Machine { c := em4.Prototype80(); return EM4(&c) },
		},
		ofPaper("mnc", "an MNC computer", "the MNC computer", func() *Machine {
			s := mnc.DefaultSetup()
			return Bound(&s, mnc.Knobs(), func() error { _, err := s.Build(); return err })
		}),
		ofPaper("rhinet", "a RHiNET-2 cluster", "the RHiNET-2 cluster", func() *Machine {
			c := rhinet.Default()
			return Bound(&c, rhinet.Knobs(), c.Validate)
		}),
		ofPaper("spmd", "a workstation cluster", "the workstation cluster", func() *Machine {
			s := spmd.DefaultSetup()
			return Bound(&s, spmd.Knobs(), func() error { _, err := s.Build(); return err })
		}),
		ofPaper("pdes", "a PDES machine", "the PDES machine", func() *Machine {
			s := pdes.DefaultSetup()
			return Bound(&s, pdes.Knobs(), func() error { _, err := s.Build(); return err })
		}),
	}
}

// ofPaper returns a kind of machine that 'emsim NAME run' runs.
func ofPaper(name, a, doc string, make func() *Machine) Kind {
	return Kind{
		Name: name, A: a, Doc: doc, Command: "emsim " + name + " run --machine", Default: "its default", New: make,
	}
}

// Bound returns a machine whose table is bound to c. The function validate checks the values together.
func Bound[C any](c *C, table []knob.Knob[C], validate func() error) *Machine {
	return &Machine{Rows: knob.Bind(table, c), Validate: validate, Config: c}
}

// Run returns the command that runs machines of the kind.
func (k Kind) Run() string {
	run, _, _ := strings.Cut(strings.Replace(k.Command, " PROGRAM", "", 1), " --")
	return run
}

// KindOf returns the kind with the given name, and whether there is one.
func KindOf(name string) (Kind, bool) {
	i := slices.IndexFunc(Kinds(), func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return Kinds()[i], true
}

// EM4 returns a machine whose rows are bound to a configuration of the EM-4.
func EM4(c *em4.Config) *Machine {
	return &Machine{
		Kind: Kinds()[0], Rows: knob.Bind(em4.Knobs(), c), Validate: func() error { return c.Validate() },
		Config: c,
	}
}

// NewMachine returns a machine of the kind with its defaults.
func (k Kind) NewMachine() *Machine {
	m := k.New()
	m.Kind = k
	return m
}

// KindOfName returns the kind with the given name, or the kind that the file of that name states. It returns false if
// there is neither; then the EM-4 is meant.
func KindOfName(name string) (Kind, bool) {
	if k, ok := KindOf(name); ok {
		return k, true
	}
	text, err := file.Read(name)
	if err != nil {
		return Kind{}, false // the later reader reports the error
	}
	root := (&tomlfile.File{Name: name, Text: text}).Tree()
	if root == nil || root.Get(header) == nil {
		return Kind{}, false
	}
	word, _ := root.Get(header).Value.(string)
	return KindOf(word)
}

// Preset is a named EM-4 machine.
type Preset struct {
	Name   string
	Doc    string
	Config em4.Config
}

// Presets returns the named machines, the prototype first.
func Presets() []Preset {
	return []Preset{
		{"emc-r", "the EM-4 prototype: 80 EMC-R PEs [003 §2]", em4.Prototype80()},
		{"12", "the network of figure 1: 12 EMC-R PEs [003 fig. 1]", em4.Small12()},
		{"80", "the EM-4 prototype: 80 EMC-R PEs [003 §2]", em4.Prototype80()},
		{"1024", "the target machine: 1024 EMC-R PEs [003 §5]", em4.Target1024()},
	}
}

// PresetNames returns the names of the presets.
func PresetNames() (names []string) {
	return lists.Of(Presets(), func(p Preset) string { return p.Name })
}

// Lookup returns the preset with the given name, and whether there is one.
func Lookup(name string) (Preset, bool) {
	i := slices.Index(PresetNames(), name)
	if i < 0 {
		return Preset{}, false
	}
	return Presets()[i], true
}

// BuiltIn reports whether a name is the name of a preset or of a kind of machine, rather than of a file.
func BuiltIn(name string) bool {
	_, preset := Lookup(name)
	_, kind := KindOf(name)
	return preset || kind
}

// ForSize returns a machine with n EMC-R PEs: the preset of that size if there is one, otherwise the prototype with n
// PEs.
func ForSize(n int) em4.Config {
	for _, p := range Presets() {
		if p.Config.PEs == n {
			return p.Config
		}
	}
	c := em4.Prototype80()
	c.PEs = n
	return c
}

// file describes the files accepted as machines.
var file = input.Want{
	What: "a machine file", Kinds: []input.Kind{input.TOML}, Most: 1 << 15,
	Why: "more than enough for all knobs with comments",
}

// Load returns the configuration of a preset or of an EM-4's file.
func Load(name string) (em4.Config, error) {
	m := Kinds()[0].NewMachine()
	err := m.Load(name)
	return *m.Config.(*em4.Config), err
}
