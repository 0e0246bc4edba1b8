package programs_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/isa"
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

// constants returns the PEs that a PE's code contains as constants, in the order of the code, each once.
func (p places) constants(pe int) (list []packet.PE) {
	m := p.m.PE(pe)
	for addr := range m.ImageWords() {
		if in, ok := m.InstructionAt(addr); ok && in.Op == isa.MOVPE {
			to := packet.FormatFor(p.m.Net.K).Cont(m.Word(addr) << packet.AddrBits).PE
			if !slices.Contains(list, to) {
				list = append(list, to)
			}
		}
	}
	return list
}

// fixed returns the constant of a call, 1 or 2. On a machine so small that both calls go to the same PE, there is
// only one constant.
func (p places) fixed(pe, call int) packet.PE {
	list := p.constants(pe)
	return list[min(call, len(list))-1]
}

// entries returns the entries of a table in their order of use.
func (p places) entries(pe int) []packet.PE {
	n := variable(p.t, p.m, p.o, pe, "entries", 0)
	require.Zero(p.t, variable(p.t, p.m, p.o, pe, "index", 0))
	list := make([]packet.PE, n)
	for i := range list {
		list[i] = p.at(pe, "table", uint32(i))
	}
	return list
}

// eachK boots fib on machines with k from 1 to last; k = 8 has 2304 PEs.
func eachK(t *testing.T, last int, p params, check func(t *testing.T, p places)) {
	for k := 1; k <= last; k++ {
		t.Run(fmt.Sprintf("k=%d", k), func(t *testing.T) {
			m, o := boot(t, config((k+1)<<k), p)
			check(t, places{t, m, o})
		})
	}
}

// In ring, one call goes to each circuit's next PE.
func TestRingPlaces(t *testing.T) {
	for first, ports := range map[string][2]int{
		"in":  {omega.InGroup, omega.OutGroup},
		"out": {omega.OutGroup, omega.InGroup},
	} {
		eachK(t, 8, params{"policy": "ring", "ring_first": first}, func(t *testing.T, p places) {
			for i := range p.m.Config().PEs {
				at := p.m.Net.Address(i)
				require.Equal(t, p.m.Net.Next(at, ports[0]), p.fixed(i, 1))
				require.Equal(t, p.m.Net.Next(at, ports[1]), p.fixed(i, 2))
			}
		})
	}
}

// In line, the calls follow a Hamiltonian cycle over all PEs. fib(n-2), which is call 1, goes to the next PE and
// fib(n-1) to the one after it [003 §3.2], or the other way round. Along the links every step is one hop. By number,
// the members come first, then the groups.
func TestLinePlaces(t *testing.T) {
	for _, v := range [][2]string{{"hamilton", "near"}, {"hamilton", "far"}, {"numbered", "near"}} {
		path, first := v[0], v[1]
		near, far := 1, 2
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
					next := p.fixed(at, near)
					require.Equal(t, p.fixed(net.Index(next), near), p.fixed(at, far), "the next but one")
					here := net.Address(at)
					if path == "hamilton" {
						require.Contains(t, []packet.PE{net.Next(here, omega.InGroup), net.Next(here, omega.OutGroup)},
							next, "a link leads from %v there", here)
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

// In random and round-robin, each PE has a table of all PEs, beginning with its own, "increasing the member number,
// then the group number" [003 §3.2]: round the group, or on to the next group.
func TestTablesOfAllPEs(t *testing.T) {
	for _, v := range [][2]string{{"random", "round"}, {"round-robin", "round"}, {"round-robin", "numbered"}} {
		t.Run(v[0]+" "+v[1], func(t *testing.T) {
			eachK(t, 6, params{"policy": v[0], "table_order": v[1]}, func(t *testing.T, p places) {
				net := p.m.Net
				for i := range net.N {
					own, want := net.Address(i), make([]packet.PE, net.N)
					for j := range want {
						want[j] = net.Address((i + j) % net.N)
						if v[1] == "round" {
							group, member := int(own.GA)+j/net.Members, int(own.CA)+j%net.Members
							want[j] = packet.PE{GA: uint16(group % net.Groups), CA: uint8(member % net.Members)}
						}
					}
					require.Equal(t, want, p.entries(i))
				}
			})
		})
	}
}

// A round-robin table continues with its first entry after its last. In every policy, the constant that ends the
// table is its last PE.
func TestTablesEndWithTheirConstant(t *testing.T) {
	for _, v := range []params{
		{"policy": "round-robin"},
		{"policy": "round-robin", "table_order": "numbered"},
		{"policy": "ring-round-robin"},
		{"policy": "ring-round-robin", "ring_table": "next"},
	} {
		eachK(t, 5, v, func(t *testing.T, p places) {
			for i := range p.m.Net.N {
				list := p.entries(i)
				require.Equal(t, []packet.PE{list[len(list)-1]}, p.constants(i))
			}
		})
	}
}

// In ring-random and ring-round-robin, a table has the other PEs of the two circuits in turn, in-group and
// out-of-group, or only the two next PEs.
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

// A look-up in a table takes 8 clocks more than a constant [003 §3.2]. Its instructions ld, ld, add, bne, st take 5
// fetches and 3 memory clocks, and movpe takes one more. The ring has only movpe, and a table also has a mov when its
// index starts again.
func TestTableLookUpTakes9Clocks(t *testing.T) {
	cost := func(policy string) float64 {
		m, _ := boot(t, config(80), params{"policy": policy})
		r, err := m.Run(t.Context(), []uint64{20}, runOptions)
		require.NoError(t, err)
		return float64(r.Instructions) / float64(r.Calls-1) // all except the root are looked up
	}
	more := cost("round-robin") - cost("ring")
	t.Logf("%.3f more instructions for a call", more)
	require.InDelta(t, 6-1, more, 0.1)
}
