package command

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The five names that all machines have in common are keys of every answer, columns
// of every sweep with the same values, and but for the time rows of every table.
func TestSharedNames(t *testing.T) {
	t.Chdir(t.TempDir())
	for kind, c := range map[string]struct{ run, grid string }{
		"emc-r":  {"run fib 8 --pes 12", "program = \"fib 8\"\npes = 12"},
		"mnc":    {"mnc run --items 200", "machine = \"mnc\"\nset = {items = 200}"},
		"rhinet": {"rhinet run --nodes 8 --rows 64", "machine = \"rhinet\"\nset = {nodes = 8, rows = 64}"},
		"spmd":   {"spmd run", `machine = "spmd"`},
		"pdes":   {"pdes run --slots 50", "machine = \"pdes\"\nset = {slots = 50}"},
	} {
		x := answer(t, strings.Fields(c.run)...)
		status, table, errs := emsim(strings.Fields(c.run)...)
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
			if key != "time" {
				require.Regexp(t, regexp.MustCompile(`(?m)^`+key+` +[0-9]`), table, kind)
			}
		}
	}
}
