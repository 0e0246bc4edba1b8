//go:build unix

package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// onlyCommands makes scripts the only commands in the PATH.
func onlyCommands(t *testing.T, scripts map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range scripts {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o700))
	}
	t.Setenv("PATH", dir)
}

// Wrong uses of --slurm are rejected before any file is made.
func TestSlurmRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("s.toml", []byte("[[grid]]\nprogram = \"fib 5\"\npes = 12\nseed = [1, 2, 3]\n"),
		0o600))
	require.NoError(t, os.WriteFile("file", nil, 0o600))
	onlyCommands(t, nil)
	for _, c := range []struct {
		want string
		args []string
	}{
		{"sbatch, a command of Slurm, is not on this computer: submit from one where sbatch works, usually a login " +
			"node. Without Slurm, start the shares yourself with --share", []string{"--slurm", "2"}},
		{"--slurm is 0, it must be 1..1000000: the number of tasks that share the points", []string{"--slurm", "0"}},
		{"--slurm is 1000001, it must be", []string{"--slurm", "1000001"}},
		{"--share and --slurm cannot be combined", []string{"--slurm", "2", "--share", "1/2"}},
		{"--slurm and --dry-run cannot be combined", []string{"--slurm", "2", "--dry-run"}},
		{"--partition has no effect without --slurm N", []string{"--partition", "x"}},
		{"--sbatch-arg has no effect without --slurm N", []string{"--share", "1/2", "--sbatch-arg=--hold"}},
		{`--sbatch-arg is "-p", it must be a long option of sbatch`, []string{"--slurm", "2", "--sbatch-arg=-p"}},
		{"--jobs is 0, it must be 1..1024", []string{"--slurm", "2", "--jobs", "0"}},
	} {
		status, _, errs := emsim(append([]string{"sweep", "s.toml"}, c.args...)...)
		require.Equal(t, 2, status, c.args)
		require.Contains(t, errs, c.want)
		require.NoDirExists(t, "s.sweep", c.args)
	}
	onlyCommands(t, map[string]string{
		"sbatch": "echo 'no controller' >&2; exit 1", "squeue": "exit 1",
		"scancel": "exit 1",
	})
	for _, dir := range []string{"file", filepath.Join("file", "x"), "/dev/null"} {
		status, _, errs := emsim("sweep", "s.toml", "-o", dir, "--slurm", "2")
		require.Equal(t, 2, status)
		require.Contains(t, errs, "the results cannot be kept: ")
	}
	status, _, errs := emsim("sweep", "s.toml", "--slurm", "2", "--csv", "none/x.csv")
	require.Equal(t, 2, status)
	require.Contains(t, errs, "none/x.csv cannot be written")
	status, _, errs = emsim("sweep", "s.toml", "--slurm", "2", "--check", "none.csv")
	require.Equal(t, 2, status)
	require.Contains(t, errs, "the table of --check cannot be read")
	status, _, errs = emsim("sweep", "s.toml", "--slurm", "2")
	require.Equal(t, 2, status)
	require.Contains(t, errs, "Slurm refuses: no controller")
}

// The answers of a submission and of a status are correct as text and as JSON, and the page has every key.
func TestSlurmAnswers(t *testing.T) {
	pages, err := filepath.Abs("../../docs")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("s.toml", []byte("[[grid]]\nprogram = \"fib 5\"\npes = 12\nseed = [1, 2, 3]\n"),
		0o600))
	onlyCommands(t, map[string]string{
		"sbatch":  `while read line; do case "$line" in *--collect*) echo "$line" > collects;; esac; done; case "$*" in *collect*) echo 18;; *) echo 17;; esac`,
		"scancel": "",
		"squeue":  `n=${4#--name=}; n=${n%,*}; echo "17|1|RUNNING|$n|n1|None"; echo "17|2|FAILED|$n|n2|NonZeroExitCode"; echo "18|N/A|PENDING|$n-collect||Dependency"`,
	})
	status, out, errs := emsim("sweep", "s.toml", "--slurm", "2", "--jobs", "3", "--reference", "seed=2")
	require.Zero(t, status, errs)
	script, err := os.ReadFile("collects")
	require.NoError(t, err)
	require.Contains(t, string(script), " --collect '--reference=seed=2' -- 's.toml'")
	require.Equal(t, "3 of 3 runs in s.sweep are missing\n  Array 17 runs 2 shares of 2.\n  Job 18 makes the table "+
		"s.sweep/s.csv when they have ended.\n", out)
	status, out, errs = emsim("sweep", "s.toml", "--slurm", "2")
	require.Zero(t, status, errs)
	require.Equal(t, "3 of 3 runs in s.sweep are missing\n  Array 17 runs 1 share of 2.\n  1 share is in the queue "+
		"already.\n  Job 18 makes the table s.sweep/s.csv when they have ended.\n", out)

	status, out, _ = emsim("sweep", "s.toml", "--status")
	require.Zero(t, status)
	require.Regexp(t, `^s.toml +s.sweep

  points  3  3 different runs

  0  done
  0  running
  0  failed
  3  missing

Slurm: emsim-s-[a-z0-9]{8}, 2 shares
  array 17: 1 running, 1 failed \(NonZeroExitCode\)
  collect 18: 1 pending \(Dependency\)
$`, out)

	known := map[string]bool{}
	page, err := os.ReadFile(filepath.Join(pages, "SWEEP.md"))
	require.NoError(t, err)
	for _, word := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(string(page), -1) {
		known[word[1]] = true
	}
	for _, args := range [][]string{{"--slurm", "2"}, {"--status"}} {
		status, out, _ := emsim(append([]string{"sweep", "s.toml", "--json"}, args...)...)
		require.Zero(t, status)
		var x any
		require.NoError(t, json.Unmarshal([]byte(out), &x))
		names(x, func(name string) { require.True(t, known[name], "%s is not in docs/SWEEP.md", name) })
	}

	// On another computer the state of the jobs is unknown, but the state of the points is known.
	onlyCommands(t, nil)
	status, out, _ = emsim("sweep", "s.toml", "--status")
	require.Zero(t, status)
	require.Regexp(t,
		`(?m)^  squeue, a command of Slurm, is not on this computer: what became of the jobs named\s+emsim-s-\w+`, out)
	status, out, _ = emsim("sweep", "s.toml")
	require.Zero(t, status, "it can always be run here")
	require.Contains(t, out, "3 this time")
	status, out, _ = emsim("sweep", "s.toml", "--collect")
	require.Zero(t, status, out)
}
