//go:build slow

package omega

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/rng"
	"emsim/packet"
)

// These are long runs at full load with full banks. Packets go to the farthest PE, to one PE of the own group, all to
// one PE, or around the reverse circuit, with MLPE packets among them, while every fourth PE stops taking its packets
// from time to time. The network never stops, and every packet arrives once, in the order of its pair of PEs.
func TestNoDeadlockUnderAdversity(t *testing.T) {
	for _, pes := range []int{12, 80, 192, 1024} {
		topo, err := ForPEs(pes)
		require.NoError(t, err)
		far := make([]packet.PE, topo.N)
		for i := range far {
			far[i] = farthest(topo, i)
		}
		for name, dest := range map[string]func(i int, seq uint32) packet.PE{
			"farthest": func(i int, _ uint32) packet.PE { return far[i] },
			"one group": func(i int, seq uint32) packet.PE {
				return packet.PE{GA: topo.Address(i).GA, CA: uint8(seq % uint32(topo.Members))}
			},
			"one PE":  func(int, uint32) packet.PE { return packet.PE{GA: 1, CA: 1} },
			"reverse": func(i int, _ uint32) packet.PE { return topo.Ring(topo.Address(i), OutGroup)[topo.K] },
			"in turn": func(i int, seq uint32) packet.PE { return topo.Address((i*7 + int(seq)*13) % topo.N) },
		} {
			t.Run(fmt.Sprintf("%d/%s", pes, name), func(t *testing.T) { adversity(t, pes, dest) })
		}
	}
}

func adversity(t *testing.T, pes int, dest func(i int, seq uint32) packet.PE) {
	tr := traffic(t, pes, standard, TrafficConfig{Uniform, 1, 1})
	a := watch(t, tr)
	check := tr.Deliver
	tr.Deliver = func(pe int, p *packet.Packet) {
		if p.Kind.Search() { // its way differs, so its order may differ
			require.False(t, a.seen[[2]uint32{p.Src, p.Seq}])
			a.seen[[2]uint32{p.Src, p.Seq}] = true
			return
		}
		check(pe, p)
	}
	clocks := uint64(30_000)
	tr.Stall = func(pe int, clock uint64) bool {
		return rng.Mix(uint64(pe)<<32^clock>>8)&3 == 0 && clock < clocks
	}
	steer := func() {
		for i := range tr.pins {
			p := &tr.pins[i]
			if !p.OutFull || p.Out.Direct { // a packet with Direct has been redirected already
				continue
			}
			p.Out.Direct, p.Out.Dest = true, dest(i, p.Out.Seq)
			if p.Out.Seq%7 == 0 {
				p.Out.Kind, p.Out.Dest = searches[p.Out.Seq/7%3], tr.Net.Address(i)
			}
			tr.Net.partOf(i).Offer(i, p.OutReady)
		}
	}
	arrived := uint64(0)
	for tr.Clock() < clocks {
		tr.Step(tr.Clock() < clocks/10) // after that the queues still hold packets
		steer()
		if tr.Clock()%2000 == 0 && tr.Queued() > 0 {
			require.Greater(t, tr.Arrived, arrived, "nothing arrived in 2000 clocks")
			arrived = tr.Arrived
		}
	}
	for tr.Queued()+tr.InFlight() > 0 {
		before := tr.Arrived
		for range 2000 {
			tr.Step(false)
			steer()
		}
		require.Greater(t, tr.Arrived, before, "clock %d: the network does not drain", tr.Clock())
	}
	require.Equal(t, tr.Offered, tr.Arrived)
	require.Len(t, a.seen, int(tr.Offered))
	t.Logf("%d clocks, %d packets, %d hops", tr.Clock(), tr.Arrived, tr.Net.FlitHops()/portClocks)
}

// farthest returns a PE at the largest distance from PE i.
func farthest(topo Topology, i int) packet.PE {
	from, best := topo.Address(i), topo.Address(i)
	for j := range topo.N {
		if p := topo.Address((i*31 + j) % topo.N); topo.Distance(from, p) > topo.Distance(from, best) {
			best = p
		}
	}
	return best
}
