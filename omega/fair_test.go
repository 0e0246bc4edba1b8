package omega

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/packet"
	"emsim/trace"
)

// Arbitration is fair if both network inputs, with all their banks full, and the EXU always request the same output.
// Each input gets a third of the output, and each bank a third of its input's share. An output sends a packet every two
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
			for i := range n.su { // the downstream units take everything at once
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

// With reservations every packet of a unit moves within 7(W+2) clocks, if room that has been taken opens again within W
// clocks, whatever packets arrive. Without reservations the same traffic exceeds the bound.
func TestReservationsBoundTheWait(t *testing.T) {
	const unit, longest = 5, 4
	worst := func(fair bool, seed uint64) (most uint64) {
		n := banksOf(t, 2, Banks)
		n.fair = fair
		random := rand.New(rand.NewPCG(seed, 1))
		here, pins := n.Address(unit), &n.pins[unit]
		aims := [3]packet.PE{n.Next(here, InGroup), n.Next(here, OutGroup), here}
		busy := random.IntN(8) + 1 // in how many of eight clocks a slot is filled again
		for t0 := uint64(0); t0 < 1000; t0++ {
			for s := range slots {
				if su := &n.su[unit]; su.full>>s&1 == 0 && random.IntN(8) < busy {
					o := random.IntN(3)
					su.bank[s] = packet.Packet{Dest: aims[o]}
					n.arrive(su, s, o, t0)
				}
			}
			if !pins.OutFull && random.IntN(8) < busy {
				pins.Out, pins.OutFull, pins.OutReady = packet.Packet{Dest: aims[random.IntN(3)]}, true, t0
			}
			for r := n.ready(unit, t0); r != 0; r &= r - 1 {
				since := pins.OutReady
				if s := bits.TrailingZeros8(r); s != ownSlot {
					since = n.su[unit].readyAt[s]
				}
				most = max(most, t0-since)
			}
			n.scheduler().ArbitrateOne(unit, t0)
			n.scheduler().TransferOne(unit, t0)
			if pins.InFull && (t0 >= pins.InReady+longest-portClocks-1 || random.IntN(2) == 0) {
				pins.InFull = false
			}
			for i := range n.su { // room that has been taken opens after 1..W clocks
				for f := n.su[i].full; i != unit && f != 0; f &= f - 1 {
					s := bits.TrailingZeros8(f)
					if came := n.su[i].readyAt[s] - n.hopClocks; t0 >= came+longest-n.bankClocks-1 ||
						random.IntN(2) == 0 {
						n.su[i].full &^= 1 << s
						n.su[i].readyAt[s] = t0 + 1
					}
				}
			}
		}
		return most
	}
	without := uint64(0)
	for seed := range uint64(200) {
		require.LessOrEqual(t, worst(true, seed), uint64(7*(longest+2)), "seed %d", seed)
		without = max(without, worst(false, seed))
	}
	require.Greater(t, without, uint64(7*(longest+2)))
}
