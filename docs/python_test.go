package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/needs"
)

// readAll reads the files of a directory that another process will read, so that
// go test notices when they change and does not repeat an old result.
func readAll(t *testing.T, dir string) {
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, f := range files {
		_, err := os.ReadFile(filepath.Join(dir, f.Name()))
		require.NoError(t, err)
	}
}

// The tests of docs/python, with the command built from this tree.
func TestPython(t *testing.T) {
	python := needs.Tool(t, "python3")
	command := filepath.Join(t.TempDir(), "emsim")
	readAll(t, "python")
	out, err := exec.Command("go", "build", "-pgo=off", "-o", command, "../cmd/emsim").CombinedOutput()
	require.NoError(t, err, "%s", out)
	tests := exec.Command(python, "-B", "-m", "unittest", "-v") // -B: no bytecode beside the sources
	tests.Dir = "python"
	tests.Env = append(os.Environ(), "EMSIM="+command)
	out, err = tests.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
