//go:build slow && linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/command"
	"emsim/internal/dev/needs"
)

// made makes a release of two systems, unpacks it and returns its folder and checksums.
func made(t *testing.T) (folder, sums string) {
	t.Helper()
	needs.Tool(t, "zip") // which the script wants for Windows
	dir, script := t.TempDir(), filepath.Join("..", "..", "..", ".ci", "release")
	out, err := exec.Command(script, dir, "linux/amd64", "linux/arm64", "windows/amd64").CombinedOutput()
	require.NoError(t, err, "%s", out)
	text, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	require.NoError(t, err)
	for _, arch := range []string{"amd64", "arm64"} {
		out, err := exec.Command(needs.Tool(t, "tar"), "-xzf", filepath.Join(dir, "emsim-"+command.Release+"-linux-"+arch+".tar.gz"), "-C", dir).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return filepath.Join(dir, "emsim-"+command.Release+"-linux-"), string(text)
}

// A release is the same when it is made again. Its program runs where there is nothing
// else: no Go, no library, no network and no other file.
func TestRelease(t *testing.T) {
	folder, sums := made(t)
	_, again := made(t)
	require.Equal(t, sums, again)

	program := "/emsim"
	empty := func(args ...string) []byte {
		cmd := exec.Command(program, args...)
		cmd.Env = []string{"PATH=/nonexistent"}
		cmd.Dir = "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: folder + runtime.GOARCH, Cloneflags: syscall.CLONE_NEWNET}
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return out
	}
	require.Contains(t, string(empty("version")), "revision     ")
	require.NotContains(t, string(empty("version")), "not recorded")
	require.Contains(t, string(empty("run", "fib", "20")), "13,907")
	empty("play", "--export", "/page")
	require.FileExists(t, filepath.Join(folder+runtime.GOARCH, "page", "engine.wasm.gz"))

	out, err := exec.Command(needs.Tool(t, "qemu-aarch64-static"), folder+"arm64/emsim", "run", "fib", "20").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "13,907")
}
