package machinefile

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"emsim/em4"
)

// Write writes a machine as a file that reads back as the same machine: title
// as a comment, then every knob with its meaning, unit, range and source.
func Write(w io.Writer, title string, c em4.Config) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", title)
	b.WriteString("# Use it with 'emsim run PROGRAM --machine FILE.toml'. A key that is left out has\n# the prototype's value (emc-r).\n")
	for _, k := range em4.Knobs() {
		fmt.Fprintf(&b, "\n# %s\n#   %s\n%s = %s\n", k.Doc, about(k), k.Key, Value(k, c))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// about is the line with a knob's unit, range and source.
func about(k em4.Knob) string {
	var parts []string
	if k.Unit != "" {
		parts = append(parts, "unit: "+k.Unit)
	}
	if r := Range(k); r != "" {
		parts = append(parts, "range: "+r)
	}
	return strings.Join(append(parts, "source: "+k.Source), "; ")
}

// Range says which values a knob accepts.
func Range(k em4.Knob) string {
	var c em4.Config
	switch k.Ref(&c).(type) {
	case *bool:
		return "true, false"
	case *int:
		return fmt.Sprintf("%d..%d", k.Min, k.Max)
	case *string:
		return strings.Join(k.Values, ", ")
	}
	return "above 0"
}

// Value prints a knob's value in a machine in the form of the file.
func Value(k em4.Knob, c em4.Config) string {
	switch p := k.Ref(&c).(type) {
	case *bool:
		return strconv.FormatBool(*p)
	case *int:
		return strconv.Itoa(*p)
	case *string:
		return strconv.Quote(*p)
	case *float64:
		s := strconv.FormatFloat(*p, 'g', -1, 64)
		if !strings.ContainsAny(s, ".eIN") {
			s += ".0"
		}
		return s
	}
	panic("machinefile: the knob " + k.Key + " has a type that no file can hold")
}
