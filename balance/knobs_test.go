package balance

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/knob"
)

// Each number changes the time of a policy that depends on it. A network without occupied links is the network of the
// comparison.
func TestKnobs(t *testing.T) {
	time := func(policy, workload string, set ...string) float64 {
		p := Default(false)
		p.Workers, p.Grains, p.Seeds = []int{16}, []int{10}, 1
		for k := 0; k < len(set); k += 2 {
			require.NoError(t, knob.Set(Knobs(), &p, set[k], set[k+1]))
		}
		require.NoError(t, knob.CheckAll(knob.Bind(Knobs(), &p)))
		for _, s := range Policies() {
			if s.Name == policy {
				p.Policies = []Policy{s}
			}
		}
		for _, l := range Workloads() {
			if l.Name == workload {
				p.Workloads = []Workload{l}
			}
		}
		rows, err := p.Compare(t.Context(), 1, nil)
		require.NoError(t, err)
		require.Nil(t, rows[0].NA)
		return *rows[0].Mean
	}
	for _, c := range [][4]string{
		{"message", "200", "random", "tree"},
		{"unit", "90", "stealing", "source"},
		{"probe", "1000", "mnc-auto", "uneven"},
		{"latency", "900", "random", "tree"},
		{"hop", "900", "random", "tree"},
		{"hold", "900", "random", "source"},
		{"interval", "20", "power", "uneven"},
		{"interval", "20", "clb", "uneven"},
		{"interval_rounds", "9", "glb", "loop"},
		{"move_clocks", "3", "mnc-auto", "source"},
	} {
		require.NotEqual(t, time(c[2], c[3]), time(c[2], c[3], c[0], c[1]), c)
	}
	require.Greater(t, time("random", "source", "hold", "900"), 2*time("random", "source"),
		"two links lead to most of the others")
	require.InEpsilon(t, time("random", "tree"), time("random", "tree", "hold", "1"), 0.02)
}

// The paths through the torus are as short as its distances, and their links are connected.
func TestTorusRoutes(t *testing.T) {
	for n, links := range map[int]int{1: 4, 2: 8, 12: 48, 35: 140} {
		rows, cols := shape(n)
		r := torusRoutes(rows, cols)
		require.Equal(t, links, r.Links)
		for from := range n {
			for to := range n {
				path, at := r.Path(from, to), from
				require.EqualValues(t, torusDistance(rows, cols, from, to), len(path))
				for _, link := range path {
					require.EqualValues(t, at, link/4)
					x, y := at%cols, at/cols
					switch link % 4 {
					case 0:
						x = (x + 1) % cols
					case 1:
						x = (x + cols - 1) % cols
					case 2:
						y = (y + 1) % rows
					default:
						y = (y + rows - 1) % rows
					}
					at = y*cols + x
				}
				require.Equal(t, to, at)
			}
		}
	}
}
