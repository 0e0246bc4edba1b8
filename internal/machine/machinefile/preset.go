package machinefile

import (
	"slices"

	"emsim/em4"
	"emsim/internal/base/input"
)

// Preset is a named machine.
type Preset struct {
	Name   string
	Doc    string
	Config em4.Config
}

// Presets lists the named machines, the prototype first.
func Presets() []Preset {
	return []Preset{
		{"emc-r", "the EM-4 prototype: 80 EMC-R PEs [003 §2]", em4.Prototype80()},
		{"12", "the network of figure 1: 12 EMC-R PEs [003 fig. 1]", em4.Small12()},
		{"80", "the EM-4 prototype: 80 EMC-R PEs [003 §2]", em4.Prototype80()},
		{"1024", "the target machine: 1024 EMC-R PEs [003 §5]", em4.Target1024()},
	}
}

// PresetNames lists the names.
func PresetNames() (names []string) {
	for _, p := range Presets() {
		names = append(names, p.Name)
	}
	return names
}

// Lookup returns the preset of a name.
func Lookup(name string) (Preset, bool) {
	i := slices.Index(PresetNames(), name)
	if i < 0 {
		return Preset{}, false
	}
	return Presets()[i], true
}

// BuiltIn reports whether a name is a preset or a kind of machine, and no file.
func BuiltIn(name string) bool {
	_, preset := Lookup(name)
	_, kind := KindOf(name)
	return preset || kind
}

// ForSize returns a machine of n EMC-R PEs: the preset of that size if there
// is one, otherwise the prototype with n PEs.
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
var file = input.Want{What: "a machine file", Kinds: []input.Kind{input.TOML}, Most: 1 << 15, Why: "more than enough for all knobs with comments"}

// Load returns the EM-4 of a preset's name or of a file.
func Load(name string) (em4.Config, error) {
	m := Kinds()[0].NewMachine()
	err := m.Load(name)
	return *m.Config.(*em4.Config), err
}
