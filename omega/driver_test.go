package omega

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/packet"
)

// Every wire has one driver. The evaluation of a single unit changes only the unit's own state and, in the second
// phase, its pins and the banks at the other ends of its links. No two units write the same bank in a clock. (A PE has
// access only to itself and its pins.)
func TestOneDriver(t *testing.T) {
	tr := traffic(t, 12, standard, TrafficConfig{Uniform, 0.7, 4})
	n := tr.Net
	var arbitrated, moved int
	for clock := uint64(0); clock < 400; clock++ {
		written := map[int]bool{} // bank slots that were filled in this clock
		for i := range n.N {
			su, pins := slices.Clone(n.su), slices.Clone(n.pins)
			if n.scheduler().ArbitrateOne(i, clock) {
				arbitrated++
			}
			su[i], pins[i].AcceptedAt = n.su[i], n.pins[i].AcceptedAt
			golden.Same(t, su, n.su, "clock %d: the arbiter of %d", clock, i)
			golden.Same(t, pins, n.pins, "clock %d: the arbiter of %d", clock, i)
		}
		for w := range tr.random {
			tr.offer(&tr.shares[0], w, tr.shares[0].part.Present(w), clock)
			tr.eject(&tr.shares[0], w, clock)
			tr.inject(&tr.shares[0], w, clock)
			tr.holding[w] = 0
		}
		for i := range n.N {
			su, pins := slices.Clone(n.su), slices.Clone(n.pins)
			granted := n.su[i].wire.granted
			sends := func(port int) (sends bool) {
				for g := granted; g != 0; g &= g - 1 {
					sends = sends || int(n.su[i].output[bits.TrailingZeros8(g)]) == port
				}
				return sends
			}
			n.scheduler().TransferOne(i, clock)
			before := slices.Clone(su)
			su[i], pins[i] = n.su[i], n.pins[i]
			for port := InGroup; port <= OutGroup; port++ {
				next := int(n.su[i].next[port])
				for s := port * Banks; s < (port+1)*Banks; s++ {
					if n.su[next].bank[s] != before[next].bank[s] || n.su[next].full>>s&1 > before[next].full>>s&1 {
						require.True(t, sends(port), "clock %d: %d writes without a grant", clock, i)
						require.False(t, written[next*slots+s], "clock %d: two units write a bank of %d", clock, next)
						written[next*slots+s] = true
						moved++
					}
					su[next].bank[s], su[next].output[s], su[next].readyAt[s] = n.su[next].bank[s],
						n.su[next].output[s], n.su[next].readyAt[s]
					su[next].full = su[next].full&^(1<<s) | n.su[next].full&(1<<s)
				}
			}
			golden.Same(t, su, n.su, "clock %d: the transfer of %d", clock, i)
			golden.Same(t, pins, n.pins, "clock %d: the transfer of %d", clock, i)
		}
		for w := range tr.random {
			tr.arrived[w] |= tr.shares[0].part.TakeDelivered(w)
		}
		tr.clock++
	}
	require.Greater(t, arbitrated, 500)
	require.Greater(t, moved, 500)
}

// This is the assertion that is always on: a packet for a full bank makes the model panic.
func TestFullBankPanics(t *testing.T) {
	n := banksOf(t, 2, Banks)
	for s := range slots {
		n.su[1].fill(s)
	}
	require.PanicsWithValue(t,
		"omega: clock 5, PE [0,1]: data/one [0,1] node 0x0 data 0x0 arrives at a full bank", func() {
			n.forward(n.partOf(0), &n.su[0], 0, InGroup, InGroup, 0, &packet.Packet{Dest: packet.PE{CA: 1}}, 5)
		})
}

// fill makes a bank slot full.
func (su *SU) fill(s int) {
	su.full |= 1 << s
}

// empty removes all packets from a unit and resets its registers.
func (n *Network) empty(i int) {
	su := &n.su[i]
	*su = SU{position: su.position, prev: su.prev}
}
