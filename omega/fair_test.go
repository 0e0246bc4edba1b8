package omega

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/packet"
	"emsim/trace"
)

// Arbitration is fair: when both network inputs, with all their banks full, and
// the EXU want the same output all the time, each input gets a third of it, and
// each bank a third of its input's share. An output sends a packet every two
// clocks, and so does an input.
func TestArbitrationIsFair(t *testing.T) {
	for _, out := range []int{InGroup, OutGroup, Own} {
		n := banksOf(t, 2, Banks)
		const unit, clocks = 5, 3600
		here := n.Address(unit)
		to := here
		if out != Own {
			to = n.Next(here, out)
		}
		var inputs [3]int
		var banks [slots]int
		n.Watch(trace.NewRecorder(trace.Func(func(e *trace.Event) {
			if e.Kind == trace.Moved {
				require.EqualValues(t, out, e.Out)
				inputs[e.In]++
				if e.In != Own {
					banks[e.Packet.Seq]++
				}
			}
		}), n.N, []int{unit}))
		for clock := uint64(0); clock < clocks; clock++ {
			su, pins := &n.su[unit], &n.pins[unit]
			for s := range slots {
				if su.full>>s&1 == 0 {
					su.fill(s)
					su.bank[s] = packet.Packet{Dest: to, Seq: uint32(s)}
					su.readyAt[s], su.output[s] = clock, uint8(out)
				}
			}
			pins.Out, pins.OutFull, pins.InFull = packet.Packet{Dest: to}, true, false
			n.scheduler().ArbitrateOne(unit, clock)
			n.scheduler().TransferOne(unit, clock)
			for i := range n.su { // whoever is behind it takes everything at once
				if i != unit {
					n.empty(i)
				}
			}
		}
		for in, got := range inputs {
			require.InDelta(t, clocks/portClocks/3, got, 2, "%s from %s", PortName(out), PortName(in))
		}
		for s, got := range banks {
			require.InDelta(t, clocks/portClocks/9, got, 2, "%s, bank %d", PortName(out), s)
		}
	}
}
