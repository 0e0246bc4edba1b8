package machinefile

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"emsim/em4"
	"emsim/internal/base/knob"
	"emsim/internal/base/suggest"
)

// Load sets the machine to the values of a file or of a named machine. The kind's own name stands for its defaults.
func (m *Machine) Load(name string) error {
	names, show := []string{m.Kind.Name}, "emsim machine show "+m.Kind.Name
	if c, ok := m.Config.(*em4.Config); ok {
		if p, ok := Lookup(name); ok {
			*c = p.Config
			return nil
		}
		names, show = PresetNames(), "emsim machine show"
	}
	k, isKind := KindOf(name)
	switch {
	case name == m.Kind.Name:
		return nil
	case m.From != nil:
		return m.From(name)
	case isKind:
		return fmt.Errorf("%s is %s, not %s: '%s %s'", name, k.Doc, m.Kind.Doc, k.Command, name)
	}
	text, err := file.Read(name)
	if os.IsNotExist(err) {
		return fmt.Errorf("no machine and no file is called %q: expected %s or a TOML file, as '%s' prints it%s", name,
			strings.Join(names, ", "), show, suggest.DidYouMean(name, names))
	}
	if err != nil {
		return fmt.Errorf("cannot read the machine: %w", err)
	}
	return m.Read(name, text)
}

// Set applies the changes of --set, each KEY=VALUE. It does not check ranges; Check does.
func (m *Machine) Set(changes []string) error {
	known := knob.Keys(m.Rows)
	given := map[string]string{}
	for _, s := range changes {
		key, value, ok := strings.Cut(s, "=")
		if !ok || key == "" {
			return fmt.Errorf("--set %s: expected KEY=VALUE, for example --set %s=%s", s, m.Rows[m.example()].Key,
				m.Rows[m.example()].Text())
		}
		if old, twice := given[key]; twice {
			return fmt.Errorf("--set gives %s two values, %q and %q", key, old, value)
		}
		given[key] = value
		r, ok := knob.Find(m.Rows, key)
		if !ok {
			return fmt.Errorf("--set %s: %s has no knob %q: it has %s%s", s, m.Kind.A, key, strings.Join(known, ", "),
				suggest.DidYouMean(key, known))
		}
		if err := r.Set(value); err != nil {
			return fmt.Errorf("--set %s: %w", s, err)
		}
	}
	return nil
}

// Check checks the range of every value, and then the values together.
func (m *Machine) Check() error {
	if err := m.CheckRanges(); err != nil {
		return err
	}
	return m.Validate()
}

// CheckRanges checks the range of every value.
func (m *Machine) CheckRanges() error { return knob.CheckAll(m.Rows) }

// example returns the index of a row that is a good example for --set.
func (m *Machine) example() int {
	return max(0, slices.IndexFunc(m.Rows, func(r knob.Row) bool {
		return slices.Contains([]string{"hop_clocks", "slots", "nodes", "tasks"}, r.Key)
	}))
}

// Write writes the machine as a file from which the same machine can be read. The file has title as a comment, then
// every knob with its meaning, unit, range and source.
func (m *Machine) Write(w io.Writer, title string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n# Use it with '%s FILE.toml'. A key that is left out has\n# %s.\n%s = %q\n",
		title, m.Kind.Command, m.Kind.Default, header, m.Kind.Name)
	for _, r := range m.Rows {
		fmt.Fprintf(&b, "\n# %s\n#   %s\n%s = %s\n", r.Doc, r.About(), r.Key, r.TOML())
	}
	_, err := io.WriteString(w, b.String())
	return err
}
