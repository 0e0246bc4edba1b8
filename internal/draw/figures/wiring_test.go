package figures

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/moves"
	"emsim/internal/machine/machines"
)

// Workers stand apart and have their numbers as names, lines join different nodes, and every
// board of a move is in the picture.
func TestWiring(t *testing.T) {
	for _, c := range []struct {
		kind           string
		workers, nodes int
		links          int
		sets           []string
	}{
		{"mnc", 12, 25, 48, []string{"pes=12", "items=100", "loops=10"}},
		{"mnc", 16, 32, 64, []string{"topology=net16", "items=100", "loops=10"}},
		{"rhinet", 8, 8, 0, []string{"nodes=8", "rows=64"}},
		{"spmd", 5, 5, 5, []string{"processors=5", "topology=ring", "tasks=3", "loaded=1"}},
		{"pdes", 16, 16, 8, []string{"network=torus", "shape=4x4", "slots=5"}},
		{"pdes", 64, 64, 48, []string{"network=hxb", "shape=4x4x4", "slots=5"}},
		{"pdes", 8, 8, 12, []string{"network=hcb", "shape=2x2x2", "stages=2", "slots=5"}},
	} {
		k, _ := machines.KindOf(c.kind)
		m := k.NewMachine()
		require.NoError(t, m.Set(c.sets))
		r := &moves.Record{}
		_, err := machines.Run(t.Context(), m, machines.Watch{Record: r})
		require.NoError(t, err)
		w := wiringOf(m.Config, r.Workers)
		require.Equal(t, c.workers, r.Workers)
		require.Len(t, w.nodes, c.nodes, "%v", c.sets)
		require.Len(t, w.links, c.links, "%v", c.sets)
		for i, a := range w.nodes {
			require.Equal(t, i >= c.workers, a.box)
			for j, b := range w.nodes[:i] {
				if !a.box && !b.box {
					require.Greater(t, math.Hypot(a.x-b.x, a.y-b.y), 0.85, "%v: %d and %d", c.sets, i, j)
				}
			}
			if c.kind != "mnc" && !a.box {
				require.Equal(t, strconv.Itoa(i), a.name)
			}
		}
		for _, l := range w.links {
			require.NotEqual(t, l.from, l.to)
		}
		for i := range r.Moves {
			if via := r.Moves[i].Via; via != "" {
				require.Contains(t, w.board, via)
			}
		}
	}
}
