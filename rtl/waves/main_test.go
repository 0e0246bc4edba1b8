package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/needs"
)

// Model and chip have the same registers at every clock, so no signal says that
// they differ.
func TestWaves(t *testing.T) {
	needs.Verilator(t)
	dir := filepath.Join(t.TempDir(), "new")
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out, 4, 1, dir, []string{"../../docs/first/squares.s", "3", "4"}))
	require.Regexp(t, `^[1-9]\d* clocks of PE 1: `, out.String())

	both, err := os.ReadFile(filepath.Join(dir, "model-and-chip.vcd"))
	require.NoError(t, err)
	head, changes, ok := strings.Cut(string(both), "$enddefinitions $end\n")
	require.True(t, ok)
	differs := map[string]bool{}
	_, part, ok := strings.Cut(head, "$scope module differs $end\n")
	require.True(t, ok)
	for _, line := range strings.Split(part, "\n") {
		if f := strings.Fields(line); len(f) > 3 && f[0] == "$var" {
			differs[f[3]] = true
		}
	}
	require.NotEmpty(t, differs)
	ones := 0
	for _, line := range strings.Split(changes, "\n") {
		value, name, _ := strings.Cut(strings.TrimPrefix(line, "b"), " ")
		require.False(t, differs[name] && strings.Contains(value, "1"), "%s: a register differs", line)
		if strings.Contains(value, "1") {
			ones++
		}
	}
	require.NotZero(t, ones, "something happens")

	chip, err := os.Stat(filepath.Join(dir, "chip.vcd"))
	require.NoError(t, err)
	require.NotZero(t, chip.Size())
}

// Mistakes are named before anything is built.
func TestMistakes(t *testing.T) {
	for words, want := range map[string]string{
		"":         "which program?",
		"fib x":    `argument "x" is not a number`,
		"fob 5":    "fob",
		"gone.s 5": "gone.s",
	} {
		require.ErrorContains(t, run(t.Context(), nil, 4, 0, t.TempDir(), strings.Fields(words)), want)
	}
}
