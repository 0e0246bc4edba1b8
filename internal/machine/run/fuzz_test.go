package run

import (
	"errors"
	"strings"
	"testing"

	"emsim/internal/base/simerr"
)

// Any --set gives either a valid machine with the values, or an error for the user.
func FuzzSets(f *testing.F) {
	for _, s := range []string{
		"", "hop_clocks=2", "hop_clocks=2\nbanks=3", "pes=80", "clock_ns=1e-9", "clock_ns=nan",
		"mlpe_route=both", "=", "hop_clocks", "hop_clocks=9999999999999999999", "banks=\xff",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m := Machine{Name: "emc-r", Sets: strings.Split(text, "\n")}
		c, err := m.Config()
		var usage *simerr.Usage
		switch {
		case err == nil:
			if err := c.Validate(); err != nil {
				t.Fatal(err)
			}
		case !errors.As(err, &usage) || err.Error() == "":
			t.Fatalf("%T: %v", err, err)
		}
	})
}
