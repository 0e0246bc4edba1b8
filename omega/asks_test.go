package omega

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/packet"
)

// How often switches are asked for the packets that they move. A scheduler that
// asks more often is as right as this one, only slower; no other test would see
// it.
func TestAsksPerMove(t *testing.T) {
	for _, c := range []struct {
		load        float64
		asks, moves uint64
	}{{0.05, 26286, 24367}, {1, 48648, 41020}} {
		tr := traffic(t, 80, published, TrafficConfig{Uniform, c.load, 1})
		part, asks := tr.Net.scheduler().Part(0), uint64(0)
		moves := func() (sum uint64) {
			for i := range tr.Net.su {
				for _, n := range tr.Net.su[i].Packets {
					sum += n
				}
			}
			return sum
		}
		for range 500 {
			tr.Step(true)
		}
		before := moves()
		for range 2000 {
			turn := int(tr.clock%wheelClocks) * part.words()
			for _, set := range part.wheel[turn : turn+part.words()] {
				asks += uint64(bits.OnesCount64(set))
			}
			tr.Step(true)
		}
		got := fmt.Sprintf("load %v: asked %d times for %d packets", c.load, asks, moves()-before)
		require.Equal(t, fmt.Sprintf("load %v: asked %d times for %d packets", c.load, c.asks, c.moves), got)
	}
}

// A packet for a full intake is asked about when the PE says that the intake may
// be empty, or when the wheel of clocks has gone round; then in every clock.
func TestAsksForAFullIntake(t *testing.T) {
	for _, c := range []struct {
		free uint64
		want []uint64
	}{
		{60, []uint64{50, 60, 61, 62, 63}},
		{40, []uint64{50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63}},
		{packet.Never, []uint64{50, 81}},
	} {
		tr := traffic(t, 12, published, TrafficConfig{Uniform, 0, 1})
		n, part := tr.Net, tr.Net.scheduler().Part(0)
		tr.Steps(wheelClocks, true) // at first all are asked
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
		part.wakeUnit(3, 50)
		for ; tr.clock < 100; tr.clock++ {
			part.Step(tr.clock)
		}
		require.Equal(t, c.want, asked)
		require.Zero(t, n.su[3].full)
	}
}
