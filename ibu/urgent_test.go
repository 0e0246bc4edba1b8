package ibu

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/packet"
)

// Packets arrive and are taken at random. Urgent packets come out before all others and in their order, unless they
// found their queue full. The others come out in their order, as without priority, and no packet is lost. Two plain
// queues predict the output.
func TestUrgentGoFirst(t *testing.T) {
	full := 0
	for tries := 0; full == 0 && tries < 20; tries++ { // a hundred runs may all miss the case
		rapid.Check(t, urgentFirst(&full))
	}
	require.NotZero(t, full, "no urgent packet found its queue full: the test has to reach it")
}

// urgentFirst returns one random run, which counts the urgent packets that found their queue full.
func urgentFirst(full *int) func(*rapid.T) {
	return func(t *rapid.T) {
		c := anyConfig(t, 400)
		c.Priority = max(1, c.Priority)
		b := newBench(c)
		var urgent, others []uint32
		sent := uint32(0)
		for range rapid.IntRange(1, 300).Draw(t, "clocks") {
			if !b.pins.InFull && rapid.Bool().Draw(t, "come") {
				sent++
				p := packet.Packet{Seq: sent}
				switch rapid.IntRange(0, 3).Draw(t, "sort") {
				case 1:
					p.Kind = packet.MLPE
				case 2:
					p.Direct = true
				case 3:
					p.Kind, p.Direct = packet.Answer, true
				}
				b.pins.In, b.pins.InFull, b.pins.InReady = p, true, b.clock
			}
			head := b.u.Head()
			pop := head != nil && rapid.IntRange(0, 3).Draw(t, "pop") == 0
			if pop {
				if len(urgent) > 0 {
					require.Equal(t, urgent[0], head.Seq)
					urgent = urgent[1:]
				} else {
					require.Equal(t, others[0], head.Seq)
					others = others[1:]
				}
			}
			in, began := b.pins.In, b.u.transfer == Spill
			words := b.u.UrgentWords()
			grant := b.u.Request(&b.pins, b.clock).UsesMemory() && rapid.Bool().Draw(t, "grant")
			stood := b.pins.InFull
			require.True(t, b.u.Step(&b.pins, b.clock, grant, pop))
			if took := stood && !b.pins.InFull; took && in.Urgent(c.Priority) && !began && words < 2*urgentPackets {
				urgent = append(urgent, in.Seq)
			} else if took {
				others = append(others, in.Seq)
				if in.Urgent(c.Priority) {
					*full++
				}
			} else if stood {
				require.False(t, in.Urgent(c.Priority) && !began && words < 2*urgentPackets,
					"urgent packets never wait in the intake")
			}
			var inside []uint32
			b.u.Each(func(p *packet.Packet) { inside = append(inside, p.Seq) })
			require.Equal(t, append(append([]uint32(nil), urgent...), others...), inside)
			require.Equal(t, 2*len(urgent), b.u.UrgentWords())
			require.Equal(t, len(inside) == 0, b.u.Empty())
			require.NoError(t, b.u.Check(&b.pins, b.clock+1))
			b.clock++
		}
	}
}
