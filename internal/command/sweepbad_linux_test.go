package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/needs"
)

const fewPoints = `
[[grid]]
program = ["fib 8", "queens 4"]
pes = 12
seed = [1, 2, 3, 4, 5, 6]
`

// A point that kills its process at every start runs after all others, and runs normally once the cause is gone.
func TestSweepDiesAtEveryStart(t *testing.T) {
	w := &place{t, t.TempDir()}
	w.write("loop.s", loopProgram)
	w.write("d.toml", "max_clocks = 20_000_000\n[[grid]]\nprogram = [\"loop.s\", \"fib 8\", \"fib 9\"]\npes = 12\n")
	for deaths := 1; deaths <= 3; deaths++ {
		p := w.begin("d.toml", "--share", "1/1", "--jobs", "1")
		pid, _ := w.caught("d.sweep", "loop")
		require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
		p.wait(t)
		s := w.status("d.toml")
		done := 0
		if deaths > 1 {
			done = 2
		}
		require.Equal(t, []int{done, 1, 0, 2 - done}, []int{s.Done, s.Running, s.Failed, s.Missing})
		require.Contains(t, s.Processes[0].Running[0], "loop.s")
		require.Equal(t, pid, s.Processes[0].PID)
	}
	p := w.sweep(1, nil, "d.toml", "--collect")
	require.Contains(t, p.errs.String(),
		"1 of 3 runs have no result in d.sweep: 1 running, 0 failed, 0 missing; a table needs all of them")
	before := w.results("d.sweep")
	w.sweep(0, nil, "d.toml", "--share", "1/1")
	after := w.results("d.sweep")
	require.Len(t, after, 3)
	for name, file := range before {
		require.Equal(t, file, after[name])
	}
	w.sweep(0, nil, "d.toml", "--collect")
	require.Zero(t, w.status("d.toml").Running)
}

// A store, a table, or a single result can be on another file system, because files are only renamed within their
// directory.
func TestSweepOnAnotherFileSystem(t *testing.T) {
	w := &place{t, t.TempDir()}
	there, err := os.MkdirTemp("/dev/shm", "emsim")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(there) })
	w.write("a.toml", fewPoints)
	w.sweep(0, nil, "a.toml", "-o", "here", "--csv", "want.csv")

	require.NoError(t, os.Symlink(there, filepath.Join(w.dir, "linked")))
	w.sweep(0, nil, "a.toml", "-o", "linked", "--share", "1/2")
	w.sweep(0, nil, "a.toml", "-o", there, "--share", "2/2")
	w.sweep(0, nil, "a.toml", "-o", "linked", "--collect", "--csv", "linked.csv")
	require.Equal(t, w.read("want.csv"), w.read("linked.csv"))
	table := filepath.Join(there, "elsewhere.csv")
	w.sweep(0, nil, "a.toml", "-o", "here", "--csv", table)
	require.Equal(t, w.read("want.csv"), w.read("linked/elsewhere.csv"))

	// For a result that is a link to a damaged file, the target is made again.
	files, err := filepath.Glob(filepath.Join(w.dir, "here", "*pes-*.json"))
	require.NoError(t, err)
	far := filepath.Join(there, "far")
	require.NoError(t, os.WriteFile(far, []byte("{}"), 0o600))
	require.NoError(t, os.Remove(files[0]))
	require.NoError(t, os.Symlink(far, files[0]))
	p := w.sweep(0, nil, "a.toml", "-o", "here", "--csv", "again.csv")
	require.Contains(t, p.errs.String(), "are damaged (")
	require.Equal(t, w.read("want.csv"), w.read("again.csv"))
	for _, dir := range []string{there, w.dir, filepath.Join(w.dir, "here")} {
		left, err := filepath.Glob(filepath.Join(dir, ".*"))
		require.NoError(t, err)
		require.Empty(t, left)
	}
}

// A sweep rejects a store without write permission before anything runs; its contents can still be read.
func TestSweepInUnwritableStore(t *testing.T) {
	w := &place{t, t.TempDir()}
	w.write("a.toml", fewPoints)
	for _, args := range [][]string{nil, {"--share", "1/2"}} {
		p := w.sweep(2, nil, append([]string{"a.toml", "-o", "/sys/kernel"}, args...)...)
		require.Regexp(t, "^emsim: the results cannot be kept: /sys/kernel/result cannot be written: no file can be "+
			"created and renamed in the directory /sys/kernel: ", p.errs.String())
	}
	require.Equal(t, 12, w.status("a.toml", "-o", "/sys/kernel").Missing)
}

// The recipe of docs/SWEEP.md for GNU parallel works as printed.
func TestParallelRecipe(t *testing.T) {
	needs.Tool(t, "env_parallel") // only GNU's parallel has it; moreutils has another parallel
	page, err := os.ReadFile("../../docs/SWEEP.md")
	require.NoError(t, err)
	recipe := regexp.MustCompile("(?s)\n### GNU parallel\n.*?```sh\n(.*?)```").FindSubmatch(page)
	require.NotNil(t, recipe)
	w := &place{t, t.TempDir()}
	w.write("big.toml", fewPoints)
	sh := launch(t, w.dir, func(p *process) { p.Env = append(os.Environ(), "HOME="+w.dir) }, "sh",
		"-ec", string(recipe[1]))
	sh.wait(t)
	require.Zero(t, sh.ProcessState.ExitCode(), "%s%s", &sh.out, &sh.errs)
	require.Equal(t, 12, strings.Count(sh.out.String(), "is complete: "))
	w.sweep(0, nil, "big.toml", "-o", "whole", "--csv", "whole.csv")
	require.Equal(t, w.read("whole.csv"), w.read("big.sweep/big.csv"))
	require.Len(t, w.results("big.sweep"), 12)
}
