//go:build slow && linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/needs"
)

// A release passes its check, and a second build from scratch is identical.
func TestRelease(t *testing.T) {
	for _, tool := range []string{"zip", "tar", "python3", "qemu-aarch64-static"} {
		needs.Tool(t, tool)
	}
	script := func(name string, args ...string) {
		out, err := exec.Command(filepath.Join("..", "..", ".ci", name), args...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		t.Logf("%s", out)
	}
	first, again := t.TempDir(), t.TempDir()
	script("release", first)
	script("release-check", first)
	t.Setenv("GOCACHE", t.TempDir())
	script("release", again, "linux/amd64", "windows/amd64")
	archives, err := filepath.Glob(filepath.Join(again, "emsim-*"))
	require.NoError(t, err)
	require.Len(t, archives, 2)
	for _, name := range archives {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		before, err := os.ReadFile(filepath.Join(first, filepath.Base(name)))
		require.NoError(t, err)
		require.Equal(t, before, text, name)
	}
}
