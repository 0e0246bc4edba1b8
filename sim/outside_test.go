package sim_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// block returns the code block of a page that begins with a text.
func block(t *testing.T, page, begin string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	for _, b := range regexp.MustCompile("(?s)```[a-z]*\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		if strings.HasPrefix(b[1], begin) {
			return b[1]
		}
	}
	t.Fatalf("%s has no code block that begins with %q", page, begin)
	return ""
}

// outside creates a module outside the repository with a program. The module uses a clone with the lines of
// docs/API.md. outside returns a function that runs a command in the module.
func outside(t *testing.T, program string) (run func(line string) string) {
	t.Helper()
	clone, err := filepath.Abs("..")
	require.NoError(t, err)
	parent := t.TempDir()
	require.NoError(t, os.Symlink(clone, filepath.Join(parent, "emsim")))
	dir := filepath.Join(parent, "mine")
	require.NoError(t, os.Mkdir(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o644))
	// With the repository's go.sum nothing has to be fetched.
	sums, err := os.ReadFile("../go.sum")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644))
	run = func(line string) string {
		args := strings.Fields(line)
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod -trimpath", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", line, out)
		return string(out)
	}
	lines := strings.Split(strings.TrimSpace(block(t, "../docs/API.md", "go mod init")), "\n")
	require.Len(t, lines, 3)
	for _, line := range lines {
		run(line)
	}
	return run
}

// The program in docs/API.md runs in a module of its own.
func TestFromOutside(t *testing.T) {
	run := outside(t, block(t, "../docs/API.md", "// Command count"))
	require.Equal(t, block(t, "../docs/API.md", "fib(20) = "), run("go run ."))
}

// The policy of docs/examples/balancing also runs in a module of its own: no package has to be changed.
func TestPolicyFromOutside(t *testing.T) {
	program, err := os.ReadFile("../docs/examples/balancing/main.go")
	require.NoError(t, err)
	want, err := os.ReadFile("../docs/examples/balancing/output.txt")
	require.NoError(t, err)
	run := outside(t, string(program))
	require.Equal(t, string(want), run("go run ."))
}
