package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/needs"
)

// said returns the report for a computer with only the given programs.
func said(t *testing.T, programs ...string) string {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	for _, name := range programs {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o700))
	}
	var b strings.Builder
	report(&b)
	return b.String()
}

// Each missing program is named with the tests that need it, and its package.
func TestReport(t *testing.T) {
	t.Setenv("PATH", "")
	var all []string
	for _, g := range needs.Gaps() {
		require.NotEmpty(t, g.What)
		all = append(all, g.Programs...)
	}
	require.Greater(t, len(all), 10)
	require.Equal(t, "All programs that tests use are here: no test was left out because one is missing.\n",
		said(t, append(all, "slurmd", "slurmctld", "munged", "python3-pip")...))
	for i, missing := range all {
		text := said(t, append(append([]string{}, all[:i]...),
			append([]string{"slurmd", "slurmctld", "munged", "python3-pip"}, all[i+1:]...)...)...)
		require.Equal(t, 1, strings.Count(text, missing+")"), text)
		require.Contains(t, text, "as root: apt-get install ", missing)
	}
	text := said(t, "chromium", "verilator", "g++", "make", "yosys", "berkeley-abc")
	require.Contains(t, text, "Not tested, because programs are missing:\n  the pages of 'emsim play' and of the "+
		"site, in a browser (npm)\n  sweeps that Slurm or GNU parallel")
	require.NotContains(t, text, "SystemVerilog")
	require.Contains(t, text, " nodejs npm parallel ")
}
