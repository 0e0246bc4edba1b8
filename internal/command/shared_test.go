package command

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"emsim/internal/base/knob"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
)

// The files that sweeps of the other machines vary are flags of the machines' commands, and the knobs that the files
// determine exist.
func TestFilesAreFlags(t *testing.T) {
	n := 0
	for _, k := range machinefile.Kinds()[1:] {
		cmd, _, err := newRootCmd(&app{}).Find([]string{k.Name, "run"})
		require.NoError(t, err)
		for _, f := range machines.FileKinds(k.Name) {
			n++
			require.NotNil(t, cmd.Flags().Lookup(f.Flag), f.Flag)
			require.Subset(t, knob.Keys(k.NewMachine().Rows), f.Decides)
			_, err := machines.ReadFile(k.Name, f.Flag, t.TempDir())
			require.ErrorContains(t, err, "is a directory: expected a file")
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) { // no input file is missing from the list
			if what, _ := pflag.UnquoteUsage(f); what == "FILE" && strings.HasPrefix(f.Usage, "read ") {
				require.True(t, slices.ContainsFunc(machines.FileKinds(k.Name),
					func(x machines.FileKind) bool { return x.Flag == f.Name }), f.Name)
			}
		})
	}
	require.Equal(t, 8, n)
}

// The five names that all machines share are keys of every answer and columns, with the same values, of every sweep.
// Except for the time, they are also rows of every table.
func TestSharedNames(t *testing.T) {
	t.Chdir(t.TempDir())
	for kind, c := range map[string]struct{ run, grid string }{
		"emc-r":  {"run fib 8 --pes 12", "program = \"fib 8\"\npes = 12"},
		"mnc":    {"mnc run --items 200", "machine = \"mnc\"\nset = {items = 200}"},
		"rhinet": {"rhinet run --nodes 8 --rows 64", "machine = \"rhinet\"\nset = {nodes = 8, rows = 64}"},
		"spmd":   {"spmd run", `machine = "spmd"`},
		"balance": {
			"balance run --workload tree --workers 3",
			"machine = \"balance\"\nset = {workload = \"tree\", workers = 3}",
		},
		"pdes": {"pdes run --slots 50", "machine = \"pdes\"\nset = {slots = 50}"},
	} {
		x := jsonOf(t, strings.Fields(c.run)...)
		status, table, errs := emsim(strings.Fields(c.run + " --details")...)
		require.Zero(t, status, errs)
		require.NoError(t, os.WriteFile(kind+".toml", []byte("title = \"one\"\n[[grid]]\n"+c.grid+"\n"), 0o666))
		status, _, errs = emsim("sweep", kind+".toml", "-o", kind)
		require.Zero(t, status, errs)
		f, err := os.Open(filepath.Join(kind, kind+".csv"))
		require.NoError(t, err)
		rows, err := csv.NewReader(f).ReadAll()
		require.NoError(t, err)
		require.NoError(t, f.Close())
		column := map[string]string{}
		for i, name := range rows[0] {
			column[name] = rows[1][i]
		}
		for _, key := range []string{"time", "efficiency", "transfers", "messages", "imbalance"} {
			require.InDelta(t, x[key], number(t, column[key]), 1e-6, "%s of %s", key, kind)
			require.Regexp(t, regexp.MustCompile(`(?m)^ +[0-9][^ ]*( [^ ]+)?  `+key+`  `), table, kind)
		}
	}
}
