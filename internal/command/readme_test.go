package command

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// COMMAND.md shows what the README's first command prints, except the wall time.
func TestPageShowsTheRun(t *testing.T) {
	page, err := os.ReadFile("../../docs/COMMAND.md")
	require.NoError(t, err)
	var out, errs bytes.Buffer
	require.Zero(t, command([]string{"run", "fib", "20"}, strings.NewReader(""), &out, &errs), errs.String())
	for line := range strings.Lines(out.String()) {
		if !strings.HasPrefix(line, "simulated in") {
			require.Contains(t, string(page), strings.TrimRight(line, "\n"), "put the output of 'emsim run fib 20' into docs/COMMAND.md again")
		}
	}
}
