//go:build slow

package command

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// Every published picture and table equals the current output of its command; -update makes them again. It takes an
// hour of one core, most of it for the comparison of balancing policies.
func TestPublished(t *testing.T) {
	published(t, func(file string) {
		args := []string{"again", file}
		for _, folder := range inputsOf {
			args = append(args, "--inputs", folder)
		}
		if golden.Update() {
			remake(t, file)
			return
		}
		status, out, errs := emsim(args...)
		t.Log(out)
		require.Zero(t, status, "%s%s", out, errs)
	})
}

// remake follows the recipe of a file with the current models.
func remake(t *testing.T, file string) {
	t.Helper()
	_, r, _, err := readResult(file)
	require.NoError(t, err)
	line := unquoted(r.Command)[1:]
	cmd, err := checkRecipe(line)
	require.NoError(t, err)
	for i, word := range line {
		for _, in := range r.Inputs {
			for _, folder := range inputsOf {
				if _, err := os.Stat(folder + "/" + in.Name); err == nil && word == in.Name {
					line[i] = folder + "/" + in.Name
				}
			}
		}
		if word == cmd.Flag(r.Output).Value.String() {
			line[i] = file
		}
	}
	if strings.HasPrefix(r.Command, "emsim sweep") {
		line = append(line, "--output", t.TempDir())
	}
	status, out, errs := emsim(line...)
	require.Zero(t, status, "%s%s", out, errs)
}
