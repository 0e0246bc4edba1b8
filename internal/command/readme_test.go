package command

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The README shows what its first command prints, except the wall time.
func TestReadmeShowsTheRun(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	var out, errs bytes.Buffer
	require.Zero(t, command([]string{"run", "fib", "20"}, strings.NewReader(""), &out, &errs), errs.String())
	for line := range strings.Lines(out.String()) {
		if !strings.HasPrefix(line, "simulated in") {
			require.Contains(t, string(readme), strings.TrimRight(line, "\n"), "put the output of 'emsim run fib 20' into README.md again")
		}
	}
}
