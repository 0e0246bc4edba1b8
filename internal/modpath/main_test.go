package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMove(t *testing.T) {
	const q = "`"
	files := []struct{ name, before, after string }{
		{"go.mod", "module emsim\n\ngo 1.26\n", "module example.org/a/emsim\n\ngo 1.26\n"},
		{
			"a/a.go",
			"package a\n\nimport (\n\troot \"emsim\"\n\t\"emsim/b\"\n\t\"example.org/emsim/c\"\n)\n\nvar x = \"emsim\" + \"emsim/d\" + \"emsim run\" + " + q + "import \"emsim/e\" of emsim/f" + q + " // emsim/g\n",
			"package a\n\nimport (\n\troot \"example.org/a/emsim\"\n\t\"example.org/a/emsim/b\"\n\t\"example.org/emsim/c\"\n)\n\nvar x = \"emsim\" + \"example.org/a/emsim/d\" + \"emsim run\" + " + q + "import \"example.org/a/emsim/e\" of emsim/f" + q + " // emsim/g\n",
		},
		{
			"README.md",
			"emsim run\ngo mod edit -require=emsim@v0.0.0 -replace=emsim=../emsim\n\t\"emsim/sim\"\nsee emsim/sim\n",
			"emsim run\ngo mod edit -require=example.org/a/emsim@v0.0.0 -replace=example.org/a/emsim=../emsim\n\t\"example.org/a/emsim/sim\"\nsee emsim/sim\n",
		},
		{"data.txt", "emsim/x\n", "emsim/x\n"},
		{".git/a.go", "import \"emsim/b\"\n", "import \"emsim/b\"\n"},
	}
	root := t.TempDir()
	for _, f := range files {
		name := filepath.Join(root, f.name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(f.before), 0o644))
	}
	n, err := move(root, "example.org/a/emsim")
	require.NoError(t, err)
	require.Equal(t, 3, n)
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(root, f.name))
		require.NoError(t, err)
		require.Equal(t, f.after, string(text), f.name)
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("go 1.26\n"), 0o644))
	_, err = move(root, "x")
	require.ErrorContains(t, err, "no module line")
}
