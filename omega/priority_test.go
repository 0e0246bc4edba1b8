package omega

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/rng"
	"emsim/mlpe"
	"emsim/packet"
	"emsim/trace"
)

// All banks and the EXU always request one output, some of them with urgent packets. The urgent packets share the
// output in turn, and the other packets get nothing. Without the knob, or without urgent packets, all get their usual
// shares.
func TestUrgentPacketsGoFirst(t *testing.T) {
	const unit, clocks = 5, 2400
	for _, c := range []struct {
		name     string
		priority int
		urgent   map[int]packet.Packet // by slot
		want     [slots + 1]int        // each slot's share of the packets sent, in 36ths
	}{
		{"nobody is urgent", 2, nil, [7]int{4, 4, 4, 4, 4, 4, 12}},
		{"no priority", 0, map[int]packet.Packet{1: {Kind: packet.MLPE}}, [7]int{4, 4, 4, 4, 4, 4, 12}},
		{"a bank", 1, map[int]packet.Packet{1: {Kind: packet.MLPE}}, [7]int{1: 36}},
		{
			"two of one input", 1,
			map[int]packet.Packet{0: {Kind: packet.MLPE}, 1: {Kind: packet.MLPEBoth}},
			[7]int{0: 18, 1: 18},
		},
		{
			"both inputs and the EXU", 1,
			map[int]packet.Packet{2: {Kind: packet.MLPE}, 3: {Kind: packet.MLPE}, 6: {Kind: packet.MLPEGroup}},
			[7]int{2: 12, 3: 12, 6: 12},
		},
		{"a request is not urgent at level 2", 2, map[int]packet.Packet{1: {Direct: true}}, [7]int{4, 4, 4, 4, 4, 4, 12}},
		{"an answer at level 2", 2, map[int]packet.Packet{1: {Kind: packet.Answer, Direct: true}}, [7]int{1: 36}},
		{"a request at level 3", 3, map[int]packet.Packet{1: {Direct: true}, 6: {Kind: packet.MLPE}}, [7]int{1: 18, 6: 18}},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := banksOf(t, 2, Banks)
			n.priority = c.priority
			to := n.Next(n.Address(unit), InGroup)
			var got [slots + 1]int
			n.Watch(trace.NewRecorder(trace.Func(func(e *trace.Event) {
				if e.Kind == trace.Moved {
					got[e.Packet.Seq]++
				}
			}), n.N, []int{unit}))
			for clock := uint64(0); clock < clocks; clock++ {
				su, pins := &n.su[unit], &n.pins[unit]
				for s := range slots {
					if su.full>>s&1 == 0 {
						su.fill(s)
						su.bank[s] = c.urgent[s]
						su.bank[s].Dest, su.bank[s].Seq = to, uint32(s)
						su.readyAt[s], su.output[s] = clock, InGroup
					}
				}
				if !pins.OutFull {
					pins.Out = c.urgent[ownSlot]
					pins.Out.Dest, pins.Out.Seq, pins.OutFull = to, ownSlot, true
				}
				n.scheduler().ArbitrateOne(unit, clock)
				n.scheduler().TransferOne(unit, clock)
				for i := range n.su { // the downstream units take everything at once
					if i != unit {
						n.empty(i)
					}
				}
			}
			for s, share := range c.want {
				require.InDelta(t, clocks/portClocks*share/36, got[s], 2, "slot %d", s)
			}
		})
	}
}

// The traffic is saturated with MLPE packets, requests and other packets, and PEs stall from time to time. With
// priority and reservations no packet is lost, and all packets arrive after the PEs stop offering.
func TestPriorityDeliversEverything(t *testing.T) {
	for _, pes := range []int{12, 80} {
		for i := range 2 * (packet.MaxPriority + 1) {
			c := standard
			c.Priority, c.Fair = i/2, i%2 == 1
			tr := traffic(t, pes, c, TrafficConfig{Uniform, 1, 5})
			got := map[[2]uint32]int{}
			tr.Deliver = func(pe int, p *packet.Packet) {
				require.Equal(t, p.Dest, tr.Net.Address(pe))
				got[[2]uint32{p.Src, p.Seq}]++
			}
			tr.Stall = func(pe int, clock uint64) bool { return rng.Mix(uint64(pe)<<32^clock>>8)&3 == 0 }
			for range 300 {
				tr.Step(true)
				for i := range tr.pins {
					if p := &tr.pins[i].Out; tr.pins[i].OutFull && p.Seq%3 == 1 && !p.Kind.Search() {
						home := tr.Net.Address(i)
						p.Kind, p.Dest, p.Data = searches[p.Seq/3%3], home, mlpe.Payload(tr.Net.format, 15, home)
					} else if p.Seq%3 == 2 {
						p.Direct = true
						if p.Seq%2 == 0 {
							p.Kind = packet.Answer
						}
					}
					if tr.pins[i].OutFull {
						tr.Net.partOf(i).Offer(i, tr.pins[i].OutReady)
					}
				}
				require.NoError(t, tr.Net.Check(tr.Clock()))
			}
			for tr.Queued()+tr.InFlight() > 0 {
				tr.Step(false)
				require.Less(t, tr.Clock(), uint64(400_000))
			}
			require.EqualValues(t, tr.Offered, len(got))
			for id, times := range got {
				require.Equal(t, 1, times, "%v", id)
			}
		}
	}
}
