package omega

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/mlpe"
	"emsim/packet"
	"emsim/trace"
)

// move is one move of a packet: the clock, the switch, the input and the output.
type move struct {
	clock    uint64
	unit     uint32
	in, out  uint8
	src, seq uint32
	kind     packet.Kind
}

// Under heavy traffic the comparison costs no clock and changes no route. With and without it every packet, MLPE or
// not, makes the same moves in the same clocks. Only the data of MLPE packets differ [003 §4.1]. Every seventh packet
// that a PE offers is an MLPE packet, and the loads are random.
func TestMLPEComparisonCostsNothingUnderTraffic(t *testing.T) {
	for _, pes := range []int{12, 80} {
		var moves [2][]move
		var homes [2]map[[2]uint32]uint64 // data of the MLPE packets that have returned home
		for compare := range moves {
			tr := traffic(t, pes, Config{4, 2, Banks, compare == 1, false, 0, false, false},
				TrafficConfig{Uniform, 0.5, 9})
			homes[compare] = map[[2]uint32]uint64{}
			tr.Net.Watch(trace.NewRecorder(trace.Func(func(e *trace.Event) {
				if e.Kind == trace.Moved {
					moves[compare] = append(moves[compare],
						move{e.Clock, e.PE, e.In, e.Out, e.Packet.Src, e.Packet.Seq, e.Packet.Kind})
				}
			}), pes, trace.All(pes)))
			tr.Deliver = func(pe int, p *packet.Packet) {
				if p.Kind.Search() {
					require.Equal(t, p.Dest, tr.Net.Address(pe))
					homes[compare][[2]uint32{p.Src, p.Seq}] = p.Data
				}
			}
			r := rand.New(rand.NewPCG(3, 4))
			for range 3000 {
				tr.Step(true)
				for i := range tr.pins {
					tr.pins[i].LoadQ = uint8(r.IntN(16))
					makeMLPE(tr, i)
				}
			}
		}
		golden.Same(t, moves[0], moves[1], "moves with and without comparison")
		require.Equal(t, len(homes[0]), len(homes[1]))
		require.Greater(t, len(homes[0]), 100)
		lower := 0
		for id, before := range homes[0] {
			least, _ := mlpe.FromPayload(packet.FormatFor(2), before)
			found, _ := mlpe.FromPayload(packet.FormatFor(2), homes[1][id])
			require.LessOrEqual(t, found, least)
			if found < least {
				lower++
			}
		}
		require.Greater(t, lower, len(homes[0])/2, "the comparison finds smaller loads")
	}
}

// makeMLPE turns every seventh packet on a PE's port into an MLPE packet.
func makeMLPE(tr *Traffic, i int) {
	p := &tr.pins[i]
	if p.OutFull && !p.Out.Kind.Search() && p.Out.Seq%7 == 0 {
		home := tr.Net.Address(i)
		p.Out.Kind, p.Out.Dest = searches[p.Out.Seq/7%3], home
		p.Out.Data = mlpe.Payload(tr.Net.format, 15, home)
	}
}

// In a quiet machine an MLPE packet takes as many clocks as an ordinary packet with the same number of hops: k+1, and
// twice as many on both circuits.
func TestMLPETakesTheClocksOfItsHops(t *testing.T) {
	for _, pes := range []int{4, 12, 80, 1024} {
		tr := traffic(t, pes, standard, TrafficConfig{Pattern: Uniform})
		for j, i := range []int{0, 1, pes - 1, 0, 1, pes - 1, 0, 1, pes - 1} {
			home, kind, circuits := tr.Net.Address(i), searches[j/3], 1
			if kind == packet.MLPEBoth {
				circuits = 2
			}
			start := tr.Clock()
			tr.pins[i].Out = packet.Packet{Kind: kind, Dest: home, Data: mlpe.Payload(tr.Net.format, 15, home)}
			tr.pins[i].OutFull = true
			tr.Net.partOf(i).Offer(i, tr.clock)
			for before := tr.Arrived; tr.Arrived == before; {
				tr.Step(false)
				require.Less(t, tr.Clock()-start, uint64(1000), "it does not come home")
			}
			require.EqualValues(t, circuits*(tr.Net.K+1)*standard.HopClocks+portClocks+1, tr.Clock()-start)
		}
	}
}
