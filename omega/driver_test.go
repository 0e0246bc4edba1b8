package omega

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/golden"
	"emsim/packet"
)

// Every wire has one driver: evaluating a single unit changes its own state, in
// the second phase also its pins and the banks at the other ends of its links,
// and nothing else; no two units write the same bank in a clock. (A PE has
// access only to itself and its pins.)
func TestOneDriver(t *testing.T) {
	tr := traffic(t, 12, standard, TrafficConfig{Uniform, 0.7, 4})
	n := tr.Net
	var arbitrated, moved int
	for clock := uint64(0); clock < 400; clock++ {
		written := map[int]bool{} // bank slots filled in this clock
		for i := range n.N {
			su, pins := slices.Clone(n.su), slices.Clone(n.pins)
			if n.scheduler().ArbitrateOne(i, clock) {
				arbitrated++
			}
			su[i], pins[i].AcceptedAt = n.su[i], n.pins[i].AcceptedAt
			golden.Same(t, su, n.su, "clock %d: the arbiter of %d", clock, i)
			golden.Same(t, pins, n.pins, "clock %d: the arbiter of %d", clock, i)
		}
		for w := range n.scheduler().Words() {
			tr.offer(&tr.shares[0], w, clock)
			tr.eject(&tr.shares[0], w, clock)
			tr.inject(w, clock)
		}
		for i := range n.N {
			su, pins := slices.Clone(n.su), slices.Clone(n.pins)
			grants := n.su[i].wire.grant
			n.scheduler().TransferOne(i, clock)
			before := slices.Clone(su)
			su[i], pins[i] = n.su[i], n.pins[i]
			for port := InGroup; port <= OutGroup; port++ {
				next := int(n.position[i].next[port])
				for s := port * Banks; s < (port+1)*Banks; s++ {
					if n.su[next].bank[s] != before[next].bank[s] || n.su[next].fullQ()>>s&1 > before[next].fullQ()>>s&1 {
						require.NotEqual(t, int8(none), grants[port], "clock %d: %d writes without a grant", clock, i)
						require.False(t, written[next*slots+s], "clock %d: two units write a bank of %d", clock, next)
						written[next*slots+s] = true
						moved++
					}
					su[next].bank[s], su[next].output[s], su[next].readyAt[s] = n.su[next].bank[s], n.su[next].output[s], n.su[next].readyAt[s]
					b := uint8(1) << (s - port*Banks)
					su[next].fillToggle[port] = su[next].fillToggle[port]&^b | n.su[next].fillToggle[port]&b
				}
			}
			golden.Same(t, su, n.su, "clock %d: the transfer of %d", clock, i)
			golden.Same(t, pins, n.pins, "clock %d: the transfer of %d", clock, i)
		}
		for w, m := range n.scheduler().Delivered() {
			tr.arrived[w] |= m
			n.scheduler().Delivered()[w] = 0
		}
		tr.clock++
	}
	require.Greater(t, arbitrated, 500)
	require.Greater(t, moved, 500)
}

// The always-on assertion: a packet for a full bank stops the model.
func TestFullBankPanics(t *testing.T) {
	n := banksOf(t, 2, Banks)
	for s := range slots {
		n.su[1].fill(s)
	}
	require.PanicsWithValue(t, "omega: clock 5, PE [0,1]: data/one [0,1] node 0x0 data 0x0 arrives at a full bank", func() {
		n.forward(0, InGroup, 0, &packet.Packet{Dest: packet.PE{CA: 1}}, false, 5, 0)
	})
}

// fill makes a bank slot full.
func (su *SU) fill(s int) {
	if su.fullQ()>>s&1 == 0 {
		su.fillToggle[s/Banks] ^= 1 << (s % Banks)
	}
}
