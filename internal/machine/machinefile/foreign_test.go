package machinefile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// A file whose keys all belong to another kind gives a single error. Keys that both kinds have, or that no kind has,
// are checked one by one.
func TestKeysOfAnotherKind(t *testing.T) {
	var all strings.Builder
	for _, text := range []string{
		"slots = 3\nitems = 5\n",
		"# PEs\n\npes = 12\n",
		"slots = 3\n",
		"seed = 4\nslots = 5\n",
		"slotss = 3\n",
		"items = 3\nnosuch = 4\n",
		"machine = \"pdes\"\nitems = 3",
		"machine = \"pdes\"\nslots = 3",
		"machine = 5\nslots = 3",
		"machine = \"pdse\"\nslots = 3",
		"slots = 3\nmachine = \"mnc\"",
		"[machine]\nslots = 3",
		"[slots]\nx = 3",
		"[other]\nx = 3\n[another]\ny=1",
	} {
		k, ok := KindOf("pdes")
		require.True(t, ok)
		fmt.Fprintf(&all, "%s\n---- %v\n\n", strings.TrimSpace(text), k.NewMachine().Read("f.toml", []byte(text)))
	}
	golden.Check(t, "foreign.txt", []byte(all.String()))
}

// KindOfName knows the names of kinds and reads the kind that a file states. Errors in other files are left to later
// readers.
func TestKindOfName(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	for name, want := range map[string]string{
		"mnc": "mnc", "em4": "em4", "emc-r": "", "12": "", "nosuch.toml": "",
		file("spmd.toml", "tasks = 3\nmachine = \"spmd\"\n"): "spmd",
		file("none.toml", "tasks = 3\n"):                     "",
		file("other.toml", "machine = \"other\"\n"):          "",
		file("number.toml", "machine = 5\n"):                 "",
		file("wrong.toml", "machine = \"spmd\"\n[[["):        "",
		dir: "",
	} {
		k, ok := KindOfName(name)
		require.Equal(t, want != "", ok, name)
		require.Equal(t, want, k.Name, name)
	}
}

// An error of --set names the key that it cannot set, with an example for the kind.
func TestExamplesOfSet(t *testing.T) {
	for kind, example := range map[string]string{
		"em4": "hop_clocks=3", "mnc": "slots=32", "rhinet": "nodes=64",
		"spmd": "tasks=100", "pdes": "slots=20000",
	} {
		k, ok := KindOf(kind)
		require.True(t, ok)
		for _, s := range []string{"x", "=x", ""} {
			require.EqualError(t, k.NewMachine().Set([]string{s}), "--set "+s+
				": expected KEY=VALUE, for example --set "+example)
		}
	}
}
