package machinefile

import (
	"fmt"
	"io"
	"strings"

	"emsim/em4"
)

// Write writes the machine as a file that reads back as the same machine: title as a
// comment, then every knob with its meaning, unit, range and source.
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

// Value prints a knob's value in an EM-4 machine in the form of the file.
func Value(k em4.Knob, c em4.Config) string { return k.Bind(&c).TOML() }

// Range says which values a knob of the EM-4 accepts.
func Range(k em4.Knob) string { return k.Bind(&em4.Config{}).Range() }
