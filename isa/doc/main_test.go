package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"emsim/isa"
)

// docs/ISA.md has the tables that the instruction table gives.
func TestPageIsCurrent(t *testing.T) {
	have, err := os.ReadFile("../../docs/ISA.md")
	require.NoError(t, err)
	if diff := cmp.Diff(string(have), isaPage(string(have))); diff != "" {
		t.Errorf("docs/ISA.md is stale: run go generate ./isa (-file +table)\n%s", diff)
	}
}

// Every operand letter of the table is described, and so is every suffix.
func TestEverythingIsDescribed(t *testing.T) {
	for op := range isa.Table {
		require.NotContains(t, written(isa.Table[op].Name, isa.Table[op].Operands), "?")
	}
	require.Len(t, formDocs, len(isa.Suffixes))
	for _, name := range isa.SpecialNames {
		require.Equal(t, 1, strings.Count(isaPage(""), "| `"+name+"` |"))
	}
}

// The command writes the tables of the given file, and does not change its prose.
func TestCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ISA.md")
	want, err := os.ReadFile("../../docs/ISA.md")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(strings.ReplaceAll(string(want), "\n| 1", "\n| 2")), 0o600))
	var errs strings.Builder
	require.Zero(t, run([]string{file}, &errs), errs.String())
	have, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(have))
}

// Without a file, or with a file that cannot be written, the command prints an error and fails.
func TestWrongUse(t *testing.T) {
	for _, args := range [][]string{nil, {"a", "b"}} {
		var errs strings.Builder
		require.Equal(t, 2, run(args, &errs))
		require.Equal(t, "usage: doc FILE (run it as: go generate ./isa)\n", errs.String())
	}
	var errs strings.Builder
	require.Equal(t, 1, run([]string{filepath.Join(t.TempDir(), "no", "ISA.md")}, &errs))
	require.Contains(t, errs.String(), "ISA.md: ")
	require.True(t, strings.HasSuffix(errs.String(), "\n"))
}

// The tables show each part of an instruction's clocks and operands, and escape what would end a cell.
func TestParts(t *testing.T) {
	for want, row := range map[string]isa.Row{
		"1": {}, "1 + 2 mem": {Mem: 2}, "1 + 3": {Extra: 3}, "1 + 1 mem + 1": {Mem: 1, Extra: 1},
		"1 + 1 mem + 1 word": {Mem: 1, Class: isa.ClassSend},
	} {
		require.Equal(t, want, clocks(&row))
	}
	require.Equal(t, "nop", written("nop", ""))
	require.Equal(t, "add rd, ra, s", written("add", "das"))
	require.Equal(t, "odd ?", written("odd", "z"))
	require.Equal(t, `a\|b`, escape("a|b"))
}
