package machines

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/cluster/rhinet"
	"emsim/cluster/spmd"
	"emsim/internal/base/simerr"
	"emsim/mnc"
	"emsim/pdes"
)

// Files change a machine as its command does: a knob that a file determines no longer has an effect.
func TestUse(t *testing.T) {
	use := func(kind string, sets []string, files ...File) any {
		m := machine(t, kind)
		require.NoError(t, m.Set(sets))
		require.NoError(t, GiveFiles(m, files))
		_, err := Run(t.Context(), m, Watch{})
		require.NoError(t, err)
		return m.Config
	}
	s := use("mnc", []string{"pes=9"}, File{Flag: "work", Name: "w", Text: []byte("0 2 50 20\n7 source 9 3\n")},
		File{Flag: "incidence", Name: "three", Text: []byte("source a\nsink b\nqpr a: 0 1\nqpr b: 0 2\n")}).(*mnc.Setup)
	require.Equal(t, []any{3, "three", 23, 50}, []any{s.PEs, s.Topology, s.Items, s.Loops})
	c := use("rhinet", []string{"loaded=one", "move_every=3s"},
		File{Flag: "hosts", Name: "h", Text: []byte("speed 0-3 2\n")}).(*rhinet.Config)
	require.Equal(t, []any{rhinet.NoLoad, time.Duration(0), 2.}, []any{c.Load, c.Host.MoveEvery, c.Own.Hosts[3].Speed})
	w := use("spmd", []string{"loaded=1"}, File{Flag: "hosts", Name: "h", Text: []byte("tasks 1 3\n")},
		File{Flag: "topology", Name: "pair", Text: []byte("0>1\n1>0\n")}).(*spmd.Setup)
	require.Equal(t, []any{"pair", 2, 3}, []any{w.Name, len(w.Hosts), w.Hosts[1].Tasks})
	p := use("pdes", []string{"migrate_at=-1", "shape=2"}, File{Flag: "map", Name: "m", Text: []byte("b 1\na 1\n")},
		File{Flag: "graph", Name: "g", Text: []byte("lp a\nlp b\n")}).(*pdes.Setup)
	require.Equal(t, []any{"m", int32(1), 2}, []any{p.Placing, p.Map[0], len(p.Graph.LPs)})

	m := machine(t, "pdes")
	require.ErrorContains(t, GiveFiles(m, []File{{Flag: "graph", Name: "g", Text: []byte("lp a 0\n")}}),
		`g:1:6: "0" is not a number of clocks`)
	require.ErrorAs(t, GiveFiles(m, []File{{Flag: "graph", Name: "g"}}), new(*simerr.Usage))
	m = machine(t, "spmd")
	require.NoError(t, m.Set([]string{"loaded=6"}))
	require.ErrorContains(t, GiveFiles(m, []File{{Flag: "topology", Name: "pair", Text: []byte("0>1\n1>0\n")}}),
		"there is no processor 6")
	require.Empty(t, FileKinds("net"))
}
