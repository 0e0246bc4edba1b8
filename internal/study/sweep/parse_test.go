package sweep

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// tree writes a file's values with their places.
func tree(b *strings.Builder, n *node, indent string) {
	kind := n.what()
	if !n.table && !n.isSet && n.value == nil {
		kind = "nothing"
	}
	fmt.Fprintf(b, "%s (%d+%d)\n", kind, n.at.Offset, n.at.Length)
	for _, e := range n.keys {
		fmt.Fprintf(b, "%s  %s (%d+%d): ", indent, e.name, e.at.Offset, e.at.Length)
		tree(b, e.node, indent+"  ")
	}
	for _, x := range n.list {
		fmt.Fprintf(b, "%s  - ", indent)
		tree(b, x, indent+"  ")
	}
}

// Every form of TOML gives its values, with places.
func TestParse(t *testing.T) {
	var all strings.Builder
	for _, text := range []string{
		"",
		"a = 1\nb = 'two'\nc = 1.5\nd = true\ne = 1979-05-27\n",
		"a = []\nb = [1, [2, 'x'], []]\nc = {}\nd = {x = 1, y.z = [2]}\n",
		"a.b.c = 1\na.b.d = 2\n[e]\n[e.f]\ng = 3\n",
		"[[t]]\n[[t]]\nx = 1\n[t.u]\ny = 2\n[[t.v]]\nz = 3\n[[t.v]]\n[[t]]\n",
		"t = [{x = 1}, {}]\n",
		"[a.b]\n[[a.c]]\nd.e = 1\n",
	} {
		root, err := parse([]byte(text))
		require.NoError(t, err, text)
		fmt.Fprintf(&all, "%s----\n", text)
		tree(&all, root, "")
		all.WriteString("\n")
	}
	golden.Check(t, "parse.txt", []byte(all.String()))
}

// Programs and machines that are no names are files beside the sweep file.
func TestPaths(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o700))
	for _, name := range []string{"there", "there.s", "sub/there"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), nil, 0o600))
	}
	r := &reader{file: filepath.Join(dir, "x.toml")}
	beside := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for name, want := range map[string]string{
		"fib": "fib", "emc-r": "emc-r", "12": "12", "mnc": "mnc", filepath.Join(dir, "abs"): filepath.Join(dir, "abs"),
		"there": beside("there"), "there.s": beside("there.s"), "sub/there": beside("sub/there"),
		"none": "none", "none.s": beside("none.s"), "sub/none": beside("sub/none"), "sub/none.s": beside("sub/none.s"),
	} {
		require.Equal(t, want, r.path(name), name)
	}
}
