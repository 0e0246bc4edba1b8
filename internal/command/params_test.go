package command

import (
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"emsim/internal/base/simerr"
)

// For any -D and --param, each name has exactly the given value, or the user gets an error.
func FuzzParams(f *testing.F) {
	for _, s := range []string{
		"", "policy=ring", "a=1\nb=2", "a=1\na=2", "a=1\na=1", "=", "a", "a==", "mlpe=on",
		"policy=\xff\x00",
	} {
		f.Add(s)
	}
	var p programFlags
	cmd := &cobra.Command{}
	p.addFlags(&app{}, cmd)
	f.Fuzz(func(t *testing.T, text string) {
		list := strings.Split(text, "\n")
		p.params = list
		both := []func() (map[string]string, error){
			func() (map[string]string, error) { return parsePairs("-D", list) },
			func() (map[string]string, error) { return p.values(cmd, "fib") },
		}
		for _, read := range both {
			values, err := read()
			var usage *simerr.Usage
			if err != nil {
				if !errors.As(err, &usage) || values != nil {
					t.Fatalf("%T: %v", err, err)
				}
				continue
			}
			if len(values) != len(list) {
				t.Fatalf("%d values of %d", len(values), len(list))
			}
			for _, s := range list {
				if name, value, _ := strings.Cut(s, "="); name == "" || values[name] != value {
					t.Fatalf("%q: %q", s, values[name])
				}
			}
		}
	})
}
