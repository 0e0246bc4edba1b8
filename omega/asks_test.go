package omega

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/packet"
)

// A single packet wakes one unit in each clock in which it arrives at a unit, and no other units.
func TestIdleUnitsSleep(t *testing.T) {
	tr := traffic(t, 1024, published, TrafficConfig{Pattern: Uniform})
	tr.Steps(1, false)
	part, looks, clocks := tr.Net.scheduler().Part(0), 0, uint64(0)
	tr.pins[0].Out, tr.pins[0].OutFull, tr.pins[0].OutReady = packet.Packet{Dest: tr.Net.Address(1023)}, true, tr.clock
	part.Offer(0, tr.clock)
	for ; tr.Arrived == 0; clocks++ {
		for _, units := range ready(part, tr.clock) {
			looks += bits.OnesCount64(units)
		}
		tr.Step(false)
	}
	hops := tr.Net.FlitHops() / portClocks
	require.Greater(t, hops, uint64(3))
	require.EqualValues(t, hops+1, looks, "in %d clocks", clocks)
}

// The network checks a PE's full intake from the clock on in which, according to the PE, the intake may be empty.
func TestAsksForAFullIntake(t *testing.T) {
	for _, c := range []struct {
		free uint64
		want []uint64
	}{
		{60, []uint64{60, 61, 62, 63}},
		{40, []uint64{50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63}},
	} {
		tr := traffic(t, 12, published, TrafficConfig{Uniform, 0, 1})
		n, part := tr.Net, tr.Net.scheduler().Part(0)
		tr.Steps(wheelClocks, true)
		var asked []uint64
		n.scheduler().BeforeRead(func(i int, clock uint64) {
			require.Equal(t, 3, i)
			asked = append(asked, clock)
			n.pins[i].InFull = clock < 63
		}, func(i int) uint64 {
			require.Equal(t, 3, i)
			return c.free
		})
		n.su[3].fill(0)
		n.su[3].bank[0], n.su[3].output[0] = packet.Packet{Dest: n.su[3].address()}, Own
		n.pins[3].InFull = true
		n.sched.plain = true
		n.scheduler().Begin(50)
		for tr.clock = 50; tr.clock < 100; tr.clock++ {
			part.Step(tr.clock)
		}
		require.Equal(t, c.want, asked)
		require.Zero(t, n.su[3].full)
	}
}
