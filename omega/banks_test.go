package omega

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/packet"
)

// way calls step for every hop of a packet, with the buffer that the packet leaves (-1 for the EXU's port) and the
// buffer that it enters.
func way(n *Network, p *packet.Packet, from int, step func(leaves, enters int)) {
	at, bank, slot := from, 0, -1
	out := n.routeFromEXU(from, p)
	for out != Own {
		next, s := n.downstream(at, out, bank)
		enters := next*slots + s
		step(slot, enters)
		if p.Kind == packet.MLPEBoth && at == from && slot >= 0 { // it is home, and continues on the second circuit
			p.Kind = packet.MLPEGroup
		}
		at, bank, slot = next, s%Banks, enters
		out = n.route(&n.su[at].position, p)
	}
}

// everyWay calls f for packets between all pairs of PEs (or many random pairs), and for the MLPE packets of every PE.
func everyWay(n *Network, pairs int, f func(p *packet.Packet, from int)) {
	r := rand.New(rand.NewPCG(1, uint64(n.N)))
	for i := range n.N {
		for _, kind := range searches {
			f(&packet.Packet{Kind: kind, Dest: n.Address(i)}, i)
		}
		for j := range n.N {
			if pairs == 0 {
				f(&packet.Packet{Dest: n.Address(j)}, i)
			}
		}
	}
	for range pairs {
		f(&packet.Packet{Dest: n.Address(r.IntN(n.N))}, r.IntN(n.N))
	}
}

// searches lists the kinds of MLPE packets.
var searches = []packet.Kind{packet.MLPE, packet.MLPEGroup, packet.MLPEBoth}

func banksOf(t *testing.T, k, banks int) *Network {
	topo, err := New(k)
	require.NoError(t, err)
	n, err := NewNetwork(topo, packet.FormatFor(k), Config{4, 2, banks, true, false, 0, false, false},
		make([]packet.Pins, topo.N))
	require.NoError(t, err)
	return n
}

// The network cannot deadlock: the number bank × (k+1) + column grows with every hop, so waiting packets never form a
// cycle. docs/ARCHITECTURE.md gives the argument. The test checks every pair up to k = 5, and 10,000 pairs of each
// larger k.
func TestBankRuleIsAcyclic(t *testing.T) {
	for i := 2 * MinK; i < 2*11; i++ {
		k := i / 2
		n := banksOf(t, k, Banks)
		n.balanced = i%2 == 1
		number := func(slot int) int {
			if slot < 0 {
				return -1 // no packet waits for an EXU's port
			}
			return slot%Banks*n.Members + int(n.Address(slot/slots).CA)
		}
		pairs := 0
		if k > 5 {
			pairs = 10_000
		}
		everyWay(n, pairs, func(p *packet.Packet, from int) {
			way(n, p, from, func(leaves, enters int) {
				if number(enters) <= number(leaves) {
					require.Fail(t, "the number does not grow", "k=%d, %v from %v", k, p, n.Address(from))
				}
			})
		})
	}
}

// These are the steps of the argument in docs/ARCHITECTURE.md, from every PE to every group of the machines up to k =
// 10. A link at column c clears bit s(c) in the difference of the two words, and changes no bits except s(c) and s(c').
// Each word has an even number of ones, so the packet is in its destination's group after k links.
func TestStepsOfTheBankRule(t *testing.T) {
	for k := MinK; k <= 10; k++ {
		n, err := New(k)
		require.NoError(t, err)
		for i := range n.N {
			at := n.Address(i)
			here, next := uint32(1)<<n.bitOf(at.CA), uint32(1)<<n.bitOf(uint8((int(at.CA)+1)%n.Members))
			for g := range n.Groups {
				dest := packet.PE{GA: uint16(g), CA: uint8((int(at.CA) + 1) % n.Members)}
				before := groupWord(at.GA) ^ groupWord(dest.GA)
				after := groupWord(n.Next(at, n.Route(at, dest)).GA) ^ groupWord(dest.GA)
				if after&here != 0 || (before^after)&^(here|next) != 0 || bits.OnesCount32(after)%2 != 0 {
					require.Fail(t, "a step does not hold", "k=%d, %v to group %d: %b, then %b",
						k, at, g, before, after)
				}
			}
		}
	}
}

// bitOf returns s(c): the bit of W that routing uses at column c.
func (t Topology) bitOf(c uint8) int {
	if c == 0 {
		return 0
	}
	return t.Members - int(c)
}

// The three banks are needed: with fewer banks, the buffers for which packets wait form a cycle.
func TestFewerBanksAreCyclic(t *testing.T) {
	for banks, want := range map[int]bool{1: true, 2: true, 3: false} {
		for k := 2; k <= 5; k++ {
			n := banksOf(t, k, banks)
			waits := make([]map[int]bool, n.N*slots)
			everyWay(n, 0, func(p *packet.Packet, from int) {
				way(n, p, from, func(leaves, enters int) {
					if leaves < 0 {
						return
					}
					if waits[leaves] == nil {
						waits[leaves] = map[int]bool{}
					}
					waits[leaves][enters] = true
				})
			})
			require.Equal(t, want, circle(waits), "%s", fmt.Sprintf("%d banks, k=%d", banks, k))
		}
	}
}

// circle reports whether a graph has a cycle.
func circle(next []map[int]bool) bool {
	state := make([]uint8, len(next)) // 1: on the current path, 2: done
	var visit func(at int) bool
	visit = func(at int) bool {
		if state[at] != 0 {
			return state[at] == 1
		}
		state[at] = 1
		for to := range next[at] {
			if visit(to) {
				return true
			}
		}
		state[at] = 2
		return false
	}
	for at := range next {
		if visit(at) {
			return true
		}
	}
	return false
}

// The cycle in a deadlock report is closed: each packet waits for the bank of the next packet. Networks of one bank
// under random load run into a deadlock.
func TestWaitCycleIsClosed(t *testing.T) {
	found := 0
	for seed := range uint64(12) {
		tr := traffic(t, 32, Config{4, 2, 1, true, false, 0, false, false}, TrafficConfig{Uniform, 1, seed})
		for range 3000 {
			tr.Step(true)
		}
		cycle := tr.Net.WaitCycle(tr.Clock())
		if len(cycle) == 0 {
			continue // no deadlock yet
		}
		found++
		for i, b := range cycle {
			next := cycle[(i+1)%len(cycle)]
			require.Equal(t, [3]int{b.Next, b.Output, b.NextBank}, [3]int{next.Unit, next.Input, next.Bank},
				"seed %d, wait %d of %d", seed, i, len(cycle))
		}
	}
	require.Greater(t, found, 6)
}
