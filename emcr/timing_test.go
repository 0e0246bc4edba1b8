package emcr

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/internal/golden"
)

// Every event of the PE, clock by clock: docs/TIMING.md names these files.
func TestTiming(t *testing.T) {
	files, err := os.ReadDir("testdata/timing")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		t.Run(strings.TrimSuffix(f.Name(), ".txt"), func(t *testing.T) {
			var obj *asm.Object
			golden.Script(t, "timing/"+f.Name(), func(c golden.Case) string {
				switch c.Cmd {
				case "program":
					text := []byte(strings.Join(c.Input, "\n") + "\n")
					o, _, err := asm.Assemble(c.Place, asm.Options{Open: func(string) ([]byte, error) { return text, nil }})
					require.NoError(t, err)
					obj = o
					return ""
				case "pe":
					require.NotNil(t, obj, "%s: no program", c.Place)
					return newBench(t, obj, c.Args).run(c)
				}
				t.Fatalf("%s: no command %s: expected program or pe", c.Place, c.Cmd)
				return ""
			})
		})
	}
}
