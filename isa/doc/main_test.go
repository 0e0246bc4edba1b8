package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"emsim/isa"
)

// docs/ISA.md is the instruction table, always.
func TestPageIsCurrent(t *testing.T) {
	have, err := os.ReadFile("../../docs/ISA.md")
	require.NoError(t, err)
	if diff := cmp.Diff(string(have), page()); diff != "" {
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
		require.Equal(t, 1, strings.Count(page(), "| `"+name+"` |"))
	}
}

// The command writes the page into the file that it is given.
func TestCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ISA.md")
	defer func(args []string) { os.Args = args }(os.Args)
	os.Args = []string{"doc", file}
	main()
	have, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, page(), string(have))
}

// Without a file, or with one that cannot be written, the command says so and
// fails.
func TestWrongUse(t *testing.T) {
	if args, child := os.LookupEnv("ISA_DOC_ARGS"); child {
		os.Args = append([]string{"doc"}, strings.Fields(args)...)
		main()
		return
	}
	for args, want := range map[string]struct {
		status int
		says   string
	}{
		"":            {2, "usage: doc FILE"},
		"a b":         {2, "usage: doc FILE"},
		"no/such/dir": {1, "no/such"},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestWrongUse$")
		cmd.Env, cmd.Dir = append(os.Environ(), "ISA_DOC_ARGS="+args), t.TempDir()
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit, args)
		require.Equal(t, want.status, exit.ExitCode(), args)
		require.Contains(t, string(out), want.says)
	}
}
