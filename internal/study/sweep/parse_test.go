package sweep

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/tomlfile"
)

// Programs and machines without a known name are files, relative to the sweep file.
func TestPaths(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o700))
	for _, name := range []string{"there", "there.s", "sub/there"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), nil, 0o600))
	}
	r := &reader{File: tomlfile.File{Name: filepath.Join(dir, "x.toml")}}
	beside := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for name, want := range map[string]string{
		"fib": "fib", "emc-r": "emc-r", "12": "12", "mnc": "mnc", filepath.Join(dir, "abs"): filepath.Join(dir, "abs"),
		"there": beside("there"), "there.s": beside("there.s"), "sub/there": beside("sub/there"),
		"none": "none", "none.s": beside("none.s"), "sub/none": beside("sub/none"), "sub/none.s": beside("sub/none.s"),
	} {
		require.Equal(t, want, r.resolvePath(name), name)
	}
}
