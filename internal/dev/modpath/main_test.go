package main

import (
	"os"
	"path/filepath"
	"strings"
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
	n, err := changePath(root, "example.org/a/emsim")
	require.NoError(t, err)
	require.Equal(t, 3, n)
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(root, f.name))
		require.NoError(t, err)
		require.Equal(t, f.after, string(text), f.name)
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("go 1.26\n"), 0o644))
	_, err = changePath(root, "x")
	require.ErrorContains(t, err, "no module line")
}

// The command refuses what is no path, and says how many files it has changed.
func TestRun(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module emsim\n"), 0o640))
	command := func(args ...string) (status int, out, errs string) {
		var o, e strings.Builder
		status = run(root, args, &o, &e)
		return status, o.String(), e.String()
	}
	for _, args := range [][]string{nil, {"a", "b"}, {""}, {"/a"}, {"a/"}, {"a b"}, {"a\tb"}, {"a\"b"}, {"a'b"}, {"a`b"}, {`a\b`}} {
		status, out, errs := command(args...)
		require.Equal(t, 2, status, "%q", args)
		require.Empty(t, out)
		require.Equal(t, "expected the new path of the module, for example: go run ./internal/dev/modpath example.org/emsim\n", errs)
	}
	status, out, errs := command("example.org/x")
	require.Zero(t, status)
	require.Equal(t, "1 files changed; run: gofmt -l . ; go vet ./... ; go test ./...\n", out)
	require.Empty(t, errs)
	info, err := os.Stat(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), info.Mode(), "who may read it stays")
	status, out, _ = command("example.org/x")
	require.Zero(t, status)
	require.Contains(t, out, "0 files changed;")
	require.NoError(t, os.Remove(filepath.Join(root, "go.mod")))
	status, out, errs = command("x")
	require.Equal(t, 1, status)
	require.Empty(t, out)
	require.Contains(t, errs, "modpath: open ")
}

// Programs shown on a page, generated text and files that are not Go.
func TestTexts(t *testing.T) {
	for before, after := range map[string]string{
		"import \"emsim\"\n\t\"emsim/a\"\nimport \"emsim/b\"\n x \"emsim/c\"\n":      "import \"emsim\"\n\t\"p/a\"\nimport \"p/b\"\n x \"emsim/c\"\n",
		"-require=emsim@v1 -replace=emsim=. -require=emsim2@v1 --require=x/emsim@v1": "-require=p@v1 -replace=p=. -require=emsim2@v1 --require=x/emsim@v1",
	} {
		require.Equal(t, after, string(changePage([]byte(before), "emsim", "p")))
	}
	for before, after := range map[string]string{
		"package a\nimport \"emsim\"\nvar s = \"emsim\"\n":                    "package a\nimport \"p\"\nvar s = \"emsim\"\n",
		"package a\nvar s = []string{\"emsim/a\", \"emsim/b\", \"emsimx/c\"}": "package a\nvar s = []string{\"p/a\", \"p/b\", \"emsimx/c\"}",
		"not Go \"emsim/a\" 'emsim/b'":                                        "not Go \"p/a\" 'emsim/b'",
		"":                                                                    "",
	} {
		require.Equal(t, after, string(goFile([]byte(before), "emsim", "p")))
	}
}
