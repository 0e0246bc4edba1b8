package tomlfile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// tree writes a file's values with their places.
func tree(b *strings.Builder, n *Node, indent string) {
	kind := n.KindName()
	if !n.Table && !n.IsList && n.Value == nil {
		kind = "nothing"
	}
	fmt.Fprintf(b, "%s (%d+%d)\n", kind, n.At.Offset, n.At.Length)
	for _, e := range n.Keys {
		fmt.Fprintf(b, "%s  %s (%d+%d): ", indent, e.Name, e.At.Offset, e.At.Length)
		tree(b, e.Node, indent+"  ")
	}
	for _, x := range n.List {
		fmt.Fprintf(b, "%s  - ", indent)
		tree(b, x, indent+"  ")
	}
}

// parse accepts every form of TOML value and records its position.
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
