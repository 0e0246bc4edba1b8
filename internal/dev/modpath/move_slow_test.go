//go:build slow

package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// The whole repository builds under another path, tests included.
func TestRepositoryMoves(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.CopyFS(root, os.DirFS("../../..")))
	_, err := changePath(root, "example.org/emsim")
	require.NoError(t, err)
	for _, args := range [][]string{{"vet", "./..."}, {"test", "./sim", "./internal/dev/modpath"}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}
