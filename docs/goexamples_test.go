package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// Every program of docs/examples prints the content of the file output.txt next to it, and API.md mentions it.
func TestGoExamples(t *testing.T) {
	page, err := os.ReadFile("API.md")
	require.NoError(t, err)
	list, err := filepath.Glob("examples/*/main.go")
	require.NoError(t, err)
	require.NotEmpty(t, list)
	bin := t.TempDir()
	out, err := exec.Command("go", "build", "-o", bin, "./examples/...").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, file := range list {
		dir := filepath.Dir(file)
		readAll(t, dir)
		require.Contains(t, string(page), "("+dir+"/main.go)")
		got, err := exec.Command(filepath.Join(bin, filepath.Base(dir))).CombinedOutput()
		require.NoError(t, err, "%s: %s", dir, got)
		name := filepath.Join(dir, "output.txt")
		if golden.Update() {
			require.NoError(t, os.WriteFile(name, got, 0o644))
		}
		want, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), "%s: go test ./docs -run TestGoExamples -update writes it", name)
	}
}
