package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/command"
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

// The tests of docs/python pass with the command built from this tree.
func TestPython(t *testing.T) {
	python := needs.Tool(t, "python3")
	command := filepath.Join(t.TempDir(), "emsim")
	readAll(t, "python")
	out, err := exec.Command("go", "build", "-o", command, "../cmd/emsim").CombinedOutput()
	require.NoError(t, err, "%s", out)
	tests := exec.Command(python, "-B", "-m", "unittest", "-v") // -B: no bytecode next to the sources
	tests.Dir = "python"
	tests.Env = append(os.Environ(), "EMSIM="+command)
	out, err = tests.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// docs/python can be installed without a network and is found from another folder. The test uses Debian's pip, which
// includes everything that is needed to build a package.
func TestPythonInstalls(t *testing.T) {
	pip, python := needs.Tool(t, "python3-pip"), needs.Tool(t, "python3")
	from, to := t.TempDir(), t.TempDir()
	for _, name := range []string{"pyproject.toml", "emsim.py"} { // pip writes next to them
		text, err := os.ReadFile(filepath.Join("python", name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(from, name), text, 0o600))
	}
	out, err := exec.Command(pip, "install", "--no-index", "--no-build-isolation", "--target", to, from).
		CombinedOutput()
	require.NoError(t, err, "%s", out)
	asks := exec.Command(python, "-c",
		"import emsim, importlib.metadata as m; print(emsim.__file__, m.version('emsim'), m.requires('emsim'))")
	asks.Dir, asks.Env = from, append(os.Environ(), "PYTHONPATH="+to)
	require.NoError(t, os.Remove(filepath.Join(from, "emsim.py")))
	out, err = asks.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, filepath.Join(to, "emsim.py")+" "+command.Release+" None\n", string(out))
}
