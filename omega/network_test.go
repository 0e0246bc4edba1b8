package omega

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/state"
	"emsim/packet"
)

var standard = Config{HopClocks: 4, BankClocks: 2, Banks: Banks, Compare: true}

func traffic(t testing.TB, pes int, c Config, tc TrafficConfig) *Traffic {
	t.Helper()
	topo, err := ForPEs(pes)
	require.NoError(t, err)
	tr, err := NewTraffic(topo, c, tc)
	require.NoError(t, err)
	return tr
}

// account checks that every packet is delivered exactly once, at its
// destination, in order for each pair.
type account struct {
	tr   *Traffic
	t    *testing.T
	seen map[[2]uint32]bool
	last map[[2]int]uint32
}

func watch(t *testing.T, tr *Traffic) *account {
	a := &account{tr, t, map[[2]uint32]bool{}, map[[2]int]uint32{}}
	tr.Deliver = func(pe int, p *packet.Packet) {
		require.Equal(t, p.Dest, tr.Net.Address(pe))
		id := [2]uint32{p.Src, p.Seq}
		require.False(t, a.seen[id], "packet %v came twice", id)
		a.seen[id] = true
		pair := [2]int{int(p.Src), pe}
		require.Less(t, a.last[pair], p.Seq, "packets of one pair stay in order")
		a.last[pair] = p.Seq
	}
	return a
}

// drain steps without offers until everything has arrived.
func (a *account) drain() {
	limit := a.tr.Clock() + 1_000_000
	for a.tr.Queued()+a.tr.InFlight() > 0 {
		before := a.tr.Clock()
		for range 1000 {
			a.tr.Step(false)
		}
		require.Less(a.t, before, limit, "the network does not drain")
	}
	require.Equal(a.t, a.tr.Offered, a.tr.Arrived)
	require.Len(a.t, a.seen, int(a.tr.Offered))
	for range wheel { // let the wake-ups of the last hops pass
		a.tr.Step(false)
	}
	require.True(a.t, a.tr.Net.Idle())
}

// Exactly once, for every pattern, size and load up to saturation, never a
// deadlock.
func TestTrafficDeliversExactlyOnce(t *testing.T) {
	for _, pes := range []int{12, 80, 1024} {
		for _, pattern := range Patterns() {
			for _, load := range []float64{0.02, 0.3, 1} {
				t.Run(fmt.Sprintf("%d/%s/%v", pes, pattern, load), func(t *testing.T) {
					tr := traffic(t, pes, standard, TrafficConfig{pattern, load, 1})
					a := watch(t, tr)
					for range 40000 / pes {
						tr.Step(true)
					}
					require.NotZero(t, tr.Offered)
					a.drain()
				})
			}
		}
	}
}

// A packet alone takes HopClocks a hop, and one word behind the other into
// the IBU.
func TestLatencyOfOnePacket(t *testing.T) {
	for hop := 1; hop <= maxHop; hop++ {
		topo, _ := ForPEs(80)
		tr, err := NewTraffic(topo, Config{hop, 2, 3, true, 0}, TrafficConfig{Pattern: Uniform})
		require.NoError(t, err)
		for _, to := range []int{1, 7, 33, 79} {
			p := packet.Packet{Dest: topo.Address(to), Data: tr.Clock(), Src: 0, Seq: uint32(to)}
			tr.pins[0].Out, tr.pins[0].OutFull = p, true
			tr.Net.Offer(0, tr.clock)
			start, hops, before := tr.Clock(), topo.Distance(packet.PE{}, p.Dest), tr.Arrived
			for tr.Arrived == before {
				tr.Step(false)
			}
			require.EqualValues(t, hops*hop+portClocks, tr.Clock()-start, "%d hops of %d clocks", hops, hop)
		}
	}
}

// hash returns the state hash of a traffic run.
func hash(tr *Traffic) uint64 {
	c := state.Saver(nil)
	tr.State(c)
	return state.Hash(c.Bytes())
}

// Sleeping units, the plain stepper, and units evaluated in random order have
// the same state at every clock.
func TestOrderAndSleepDoNotMatter(t *testing.T) {
	for _, pattern := range Patterns() {
		tc := TrafficConfig{pattern, 0.4, 3}
		lazy, plain, shuffled := traffic(t, 80, standard, tc), traffic(t, 80, standard, tc), traffic(t, 80, standard, tc)
		plain.Net.SetPlain(true)
		r := rand.New(rand.NewPCG(1, 2))
		for clock := range 1500 {
			require.Equal(t, hash(lazy), hash(plain), "%s clock %d: plain", pattern, clock)
			require.Equal(t, hash(lazy), hash(shuffled), "%s clock %d: shuffled", pattern, clock)
			lazy.Step(true)
			plain.Step(true)
			shuffled.stepShuffled(r)
		}
		require.NotZero(t, lazy.Arrived)
	}
}

// stepShuffled is Step with the units of each phase in random order, and the
// PEs between or around them.
func (tr *Traffic) stepShuffled(r *rand.Rand) {
	t := tr.clock
	for _, i := range r.Perm(tr.Net.N) {
		tr.Net.ArbitrateOne(i, t)
	}
	pes := func() {
		for _, w := range r.Perm(tr.Net.Words()) {
			tr.offer(&tr.parts[0], w, t)
			tr.take(&tr.parts[0], w, t)
			tr.put(w, t)
		}
	}
	early := r.IntN(2) == 0
	if early {
		pes()
	}
	for _, i := range r.Perm(tr.Net.N) {
		tr.Net.TransferOne(i, t)
	}
	if !early {
		pes()
	}
	for w, m := range tr.Net.Woken() {
		tr.arrived[w] |= m
		tr.Net.Woken()[w] = 0
	}
	tr.count()
	tr.clock++
}

// Every packet keeps coming while random PEs stop taking theirs for a while.
func TestRandomStalls(t *testing.T) {
	tr := traffic(t, 80, standard, TrafficConfig{Uniform, 0.5, 5})
	a := watch(t, tr)
	tr.Stall = func(pe int, clock uint64) bool {
		return splitmix(uint64(pe)<<32^clock>>6)&3 == 0 && clock < 4000
	}
	for range 3000 {
		tr.Step(true)
	}
	a.drain()
}

// With one bank, saturated uniform traffic deadlocks: the banks are what keeps
// the network alive.
func TestOneBankDeadlocks(t *testing.T) {
	tr := traffic(t, 80, Config{4, 2, 1, true, 0}, TrafficConfig{Uniform, 1, 1})
	for range 20000 {
		tr.Step(true)
	}
	stuck := tr.Arrived
	for range 2000 {
		tr.Step(false)
	}
	require.Equal(t, stuck, tr.Arrived)
	require.NotZero(t, tr.InFlight())
}

// The MLPE packet of an otherwise still machine comes home with the least
// load of its k+1 PEs, the nearest of equals; brute force as the oracle. And
// it takes the clocks that it takes without comparison.
func TestMLPEFindsLeastLoad(t *testing.T) {
	for _, pes := range []int{12, 80, 1024} {
		topo, _ := ForPEs(pes)
		r := rand.New(rand.NewPCG(7, uint64(pes)))
		for round := range 60 {
			kind := searches[round%3]
			home := topo.Address(r.IntN(topo.N))
			var came [2]struct {
				clock uint64
				data  uint64
			}
			var loads []uint8
			for compare := range came {
				tr := traffic(t, pes, Config{4, 2, 3, compare == 1, 0}, TrafficConfig{Pattern: Uniform})
				if compare == 0 {
					for range tr.pins {
						loads = append(loads, uint8(r.IntN(16)))
					}
				}
				for i := range tr.pins {
					tr.pins[i].Load = loads[i]
				}
				i := topo.Index(home)
				tr.pins[i].Out = packet.Packet{Kind: kind, Dest: home, Data: tr.Net.format.Payload(packet.Cont{PE: home, Addr: uint32(loads[i])})}
				tr.pins[i].OutFull = true
				tr.Net.Offer(i, tr.clock)
				for tr.Arrived == 0 {
					if tr.pins[i].InFull {
						came[compare].data = tr.pins[i].In.Data
					}
					tr.Step(false)
					require.Less(t, tr.Clock(), uint64(1000), "it does not come home")
				}
				came[compare].clock = tr.Clock()
			}
			require.Equal(t, came[0].clock, came[1].clock, "the comparison costs no clock")
			least, at := loads[topo.Index(home)], home
			for _, p := range rounded(topo, home, kind) {
				if l := loads[topo.Index(p)]; l < least {
					least, at = l, p
				}
			}
			c := packet.FormatFor(topo.K).Cont(came[1].data)
			require.Equal(t, at, c.PE)
			require.EqualValues(t, least, c.Addr)
		}
	}
}

// rounded lists the PEs that an MLPE packet passes.
func rounded(t Topology, home packet.PE, kind packet.Kind) []packet.PE {
	reverse, group := t.Ring(home, OutGroup), t.Ring(home, InGroup)
	switch kind {
	case packet.MLPE:
		return reverse
	case packet.MLPEGroup:
		return group
	}
	return append(reverse, group...)
}

func TestBadConfig(t *testing.T) {
	topo, _ := ForPEs(12)
	for want, c := range map[string]Config{"hop_clocks": {0, 2, 3, true, 0}, "banks": {4, 2, 4, true, 0}, "bank_clocks": {4, 1, 3, true, 0}} {
		_, err := NewTraffic(topo, c, TrafficConfig{Pattern: Uniform})
		require.ErrorContains(t, err, want)
	}
	for want, tc := range map[string]TrafficConfig{"load": {Uniform, 1.1, 0}, "pattern": {"sideways", 0.1, 0}} {
		_, err := NewTraffic(topo, standard, tc)
		require.ErrorContains(t, err, want)
	}
}

func BenchmarkTraffic(b *testing.B) {
	for _, pes := range []int{80, 1024} {
		for _, load := range []float64{0.05, 0.15, 1} {
			b.Run(fmt.Sprintf("%d/%v", pes, load), func(b *testing.B) {
				tr := traffic(b, pes, standard, TrafficConfig{Uniform, load, 1})
				for range 2000 {
					tr.Step(true)
				}
				hops := tr.Net.FlitHops()
				b.ReportAllocs()
				b.ResetTimer()
				for range b.N {
					tr.Step(true)
				}
				b.ReportMetric(float64(pes)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mnode-clocks/s")
				b.ReportMetric(float64(tr.Net.FlitHops()-hops)/b.Elapsed().Seconds()/1e6, "Mflit-hops/s")
			})
		}
	}
}
