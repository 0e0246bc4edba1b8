package programs_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/omega"
	"emsim/packet"
)

var runOptions = em4.RunOptions{MaxClocks: 20_000_000}

// places reads variables of a booted machine as PEs.
type places struct {
	t testing.TB
	m *em4.Machine
	o *asm.Object
}

func (p places) at(pe int, name string, index uint32) packet.PE {
	p.t.Helper()
	c := packet.FormatFor(p.m.Net.K).Cont(variable(p.t, p.m, p.o, pe, name, index))
	require.True(p.t, p.m.Net.Contains(c.PE), "%s of PE %d is %v", name, pe, c.PE)
	require.Zero(p.t, c.Addr)
	return c.PE
}

// entries reads a table in its order of use, from its end.
func (p places) entries(pe int) []packet.PE {
	n := variable(p.t, p.m, p.o, pe, "entries", 0)
	require.Equal(p.t, n, variable(p.t, p.m, p.o, pe, "index", 0))
	list := make([]packet.PE, n)
	for i := range list {
		list[i] = p.at(pe, "table", uint32(len(list)-1-i))
	}
	return list
}

// eachK boots fib on the machines of k = 1..8, the last ones of 2304 PEs.
func eachK(t *testing.T, last int, p params, check func(t *testing.T, p places)) {
	for k := 1; k <= last; k++ {
		t.Run(fmt.Sprintf("k=%d", k), func(t *testing.T) {
			m, o := boot(t, config((k+1)<<k), p)
			check(t, places{t, m, o})
		})
	}
}

// ring: one call to each circuit's next PE.
func TestRingPlaces(t *testing.T) {
	for first, ports := range map[string][2]int{"in": {omega.InGroup, omega.OutGroup}, "out": {omega.OutGroup, omega.InGroup}} {
		eachK(t, 8, params{"policy": "ring", "ring_first": first}, func(t *testing.T, p places) {
			for i := range p.m.Config().PEs {
				at := p.m.Net.Address(i)
				require.Equal(t, p.m.Net.Next(at, ports[0]), p.at(i, "next1", 0))
				require.Equal(t, p.m.Net.Next(at, ports[1]), p.at(i, "next2", 0))
			}
		})
	}
}

// line: a Hamiltonian cycle over all PEs; fib(n-2), which is call 1, goes to the
// next, fib(n-1) to the next but one [003 §3.2], or the other way round. Along
// the links every step is one hop; by number the members come first, then the
// groups.
func TestLinePlaces(t *testing.T) {
	for _, v := range [][2]string{{"hamilton", "near"}, {"hamilton", "far"}, {"numbered", "near"}} {
		path, first := v[0], v[1]
		near, far := "next1", "next2"
		if first == "far" {
			near, far = far, near
		}
		t.Run(path+" "+first, func(t *testing.T) {
			eachK(t, 8, params{"policy": "line", "line_path": path, "line_first": first}, func(t *testing.T, p places) {
				net := p.m.Net
				seen := make([]bool, net.N)
				at := 0
				for range net.N {
					require.False(t, seen[at], "PE %d is met twice", at)
					seen[at] = true
					next := p.at(at, near, 0)
					require.Equal(t, p.at(net.Index(next), near, 0), p.at(at, far, 0), "the next but one")
					here := net.Address(at)
					if path == "hamilton" {
						require.Contains(t, []packet.PE{net.Next(here, omega.InGroup), net.Next(here, omega.OutGroup)}, next, "a link leads from %v there", here)
					} else {
						require.Equal(t, net.Address((at+1)%net.N), next)
					}
					at = net.Index(next)
				}
				require.Zero(t, at, "the cycle closes")
			})
		})
	}
}

// random and round-robin: each PE has a table of all PEs, from its own on,
// members first, then groups [003 §3.2].
func TestTablesOfAllPEs(t *testing.T) {
	for _, policy := range []string{"random", "round-robin"} {
		t.Run(policy, func(t *testing.T) {
			eachK(t, 6, params{"policy": policy}, func(t *testing.T, p places) {
				n := p.m.Net.N
				for i := range n {
					want := make([]packet.PE, n)
					for j := range want {
						want[j] = p.m.Net.Address((i + j) % n)
					}
					require.Equal(t, want, p.entries(i))
				}
			})
		})
	}
}

// ring-random and ring-round-robin: the other PEs of the two circuits in turn,
// in-group and out-of-group, or only the two next ones.
func TestTablesOfCircuits(t *testing.T) {
	for _, table := range []string{"circuits", "next"} {
		t.Run(table, func(t *testing.T) {
			eachK(t, 8, params{"policy": "ring-round-robin", "ring_table": table}, func(t *testing.T, p places) {
				net := p.m.Net
				for i := range net.N {
					in, out := net.Ring(net.Address(i), omega.InGroup), net.Ring(net.Address(i), omega.OutGroup)
					want := []packet.PE{in[1], out[1]}
					for j := 2; j <= net.K && table == "circuits"; j++ {
						want = append(want, in[j], out[j])
					}
					require.Equal(t, want, p.entries(i), "%v", net.Address(i))
				}
			})
		})
	}
}

// A look-up in a table takes 8 clocks [003 §3.2], those of the instructions
// that do it: ld, ld, sub, bne, st are 5 fetches and 3 memory clocks. The ring
// has one ld in their place, and a table one more when its index starts again.
func TestTableLookUpTakes8Clocks(t *testing.T) {
	cost := func(policy string) float64 {
		m, _ := boot(t, config(80), params{"policy": policy})
		r, err := m.Run(t.Context(), []uint64{20}, runOptions)
		require.NoError(t, err)
		return float64(r.Instructions) / float64(r.Calls-1) // all but the root are looked up
	}
	more := cost("round-robin") - cost("ring")
	t.Logf("%.3f more instructions for a call", more)
	require.InDelta(t, 5-1, more, 0.2)
}
