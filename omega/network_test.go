package omega

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/rng"
	"emsim/internal/base/state"
	"emsim/mlpe"
	"emsim/packet"
	"emsim/trace"
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

// account checks that every packet is delivered exactly once, at its destination, and in order for each pair of PEs.
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

// drain steps without offers until all packets have arrived.
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
	for range wheelClocks { // the wake-ups of the last hops pass
		a.tr.Step(false)
	}
	require.Zero(a.t, a.tr.Net.InFlight())
}

// Every packet is delivered exactly once, for every pattern, size and load up to saturation, and the network never
// deadlocks.
func TestTrafficDeliversExactlyOnce(t *testing.T) {
	for _, pes := range []int{12, 80, 1024} {
		for _, pattern := range Patterns() {
			for _, load := range []float64{0.02, 0.3, 1} {
				t.Run(fmt.Sprintf("%d/%s/%v", pes, pattern, load), func(t *testing.T) {
					tr := traffic(t, pes, standard, TrafficConfig{pattern, load, 1})
					a := watch(t, tr)
					for range 20000 / pes {
						tr.Step(true)
					}
					require.NotZero(t, tr.Offered)
					a.drain()
				})
			}
		}
	}
}

// A single packet takes HopClocks per hop, and one clock per word to enter the IBU.
func TestLatencyOfOnePacket(t *testing.T) {
	for hop := 1; hop <= maxHop; hop++ {
		topo, _ := ForPEs(80)
		tr, err := NewTraffic(topo, Config{hop, 2, 3, true, false, 0, false, false}, TrafficConfig{Pattern: Uniform})
		require.NoError(t, err)
		for _, to := range []int{1, 7, 33, 79} {
			p := packet.Packet{Dest: topo.Address(to), Data: tr.Clock(), Src: 0, Seq: uint32(to)}
			tr.pins[0].Out, tr.pins[0].OutFull = p, true
			tr.Net.partOf(0).Offer(0, tr.clock)
			start, hops, before := tr.Clock(), topo.Distance(packet.PE{}, p.Dest), tr.Arrived
			for tr.Arrived == before {
				tr.Step(false)
			}
			require.EqualValues(t, hops*hop+portClocks+1, tr.Clock()-start, "%d hops of %d clocks", hops, hop)
		}
	}
}

// hash returns the state hash of a traffic run.
func hash(tr *Traffic) uint64 {
	c := state.Saver(nil)
	tr.State(c)
	return state.Hash(c.Bytes())
}

// anyConfig draws the parameters of a network.
func anyConfig(r *rand.Rand) Config {
	return Config{
		HopClocks: 1 + r.IntN(maxHop), BankClocks: portClocks + r.IntN(maxBank-portClocks+1), Banks: 1 + r.IntN(Banks),
		Compare: r.IntN(2) == 0, Strict: r.IntN(2) == 0, Priority: r.IntN(packet.MaxPriority + 1),
		Fair: r.IntN(4) == 0,
	}
}

// The network has the same state, whether units decide one by one, together, or both alternately. This also holds for
// the eager network, units in random order, watched units and units that are touched in batches. The parameters are
// random, MLPE packets and requests are among the packets, and PEs stall for a while.
func TestOrderAndSleepDoNotMatter(t *testing.T) {
	arrived := uint64(0)
	for seed := range uint64(16) {
		r := rand.New(rand.NewPCG(seed, 2))
		c, pes := anyConfig(r), []int{4, 12, 12, 32}[seed%4]
		tc := TrafficConfig{Patterns()[seed%4], []float64{0.05, 0.4, 1}[r.IntN(3)], seed}
		var all []*Traffic
		for range 7 {
			all = append(all, traffic(t, pes, c, tc))
		}
		lazy, plain, shuffled, watched, fetched, together, restless := all[0], all[1], all[2], all[3],
			all[4], all[5], all[6]
		together.Net.scheduler().SetCrowd(-1, 1)
		restless.Net.scheduler().SetCrowd(2, 4)
		require.False(t, fetched.Net.sched.fetch)
		fetched.Net.sched.fetch = true
		plain.Net.scheduler().SetEager(true)
		counted := recountWaits(watched)
		for clock := range uint64(200) {
			want := hash(lazy)
			require.Equal(t, want, hash(plain), "%+v clock %d: plain", c, clock)
			require.Equal(t, want, hash(shuffled), "%+v clock %d: shuffled", c, clock)
			require.Equal(t, want, hash(watched), "%+v clock %d: watched", c, clock)
			require.Equal(t, want, hash(fetched), "%+v clock %d: fetched", c, clock)
			require.Equal(t, want, hash(together), "%+v clock %d: together", c, clock)
			require.Equal(t, want, hash(restless), "%+v clock %d: restless", c, clock)
			fetched.Step(true)
			together.Step(true)
			restless.Step(true)
			lazy.Step(true)
			plain.Step(true)
			shuffled.stepShuffled(r)
			counted.step(t)
			for _, tr := range all {
				disturb(tr, seed)
			}
			switch clock {
			case 80: // plain from here on, and back
				lazy.Net.scheduler().SetEager(true)
				plain.Net.scheduler().SetEager(false)
			case 140:
				lazy.Net.scheduler().SetEager(false)
				for _, tr := range all {
					tr.Net.ClearCounters(tr.clock)
				}
				counted.clear()
			}
		}
		arrived += lazy.Arrived
	}
	require.Greater(t, arrived, uint64(500))
}

// disturb changes some of the packets that have just been offered, changes loads, and stalls PEs for a while.
func disturb(tr *Traffic, seed uint64) {
	tr.Stall = func(pe int, clock uint64) bool { return rng.Mix(uint64(pe)<<32^clock>>5^seed)&7 == 0 }
	for i := range tr.pins {
		tr.pins[i].LoadQ = uint8(rng.Mix(uint64(i)<<32^tr.clock>>4) & 15)
		p := &tr.pins[i]
		if !p.OutFull || p.OutReady != tr.clock || p.Out.Kind != packet.Data {
			continue
		}
		defer tr.Net.partOf(i).Offer(i, tr.clock) // it is offered as another packet
		home := tr.Net.Address(i)
		switch p.Out.Seq % 8 {
		case 1:
			p.Out.Kind, p.Out.Dest, p.Out.Data = searches[p.Out.Seq/8%3], home,
				mlpe.Payload(tr.Net.format, p.LoadQ, home)
		case 3:
			p.Out.Direct, p.Out.Kind = true, packet.Answer
		case 5:
			p.Out.Direct = true
		case 7:
			if tr.Net.K > 1 {
				p.Out.ToHost, p.Out.Dest = true, packet.PE{}
			}
		}
	}
}

// waitCount counts, from the trace, the packets that leave by each output, and in every clock the packets that are
// ready for an output and do not move.
type waitCount struct {
	tr          *Traffic
	status      [][slots + 1]trace.Status
	hops, waits [][3]uint64
}

func recountWaits(tr *Traffic) *waitCount {
	n := tr.Net.N
	c := &waitCount{tr: tr, status: make([][slots + 1]trace.Status, n)}
	c.clear()
	tr.Net.Watch(trace.NewRecorder(trace.Func(func(e *trace.Event) {
		switch e.Kind {
		case trace.Changed:
			c.status[e.PE][e.Slot] = e.Status
		case trace.Moved:
			c.hops[e.PE][e.Out]++
		}
	}), n, trace.All(n)))
	return c
}

func (c *waitCount) clear() {
	c.hops, c.waits = make([][3]uint64, c.tr.Net.N), make([][3]uint64, c.tr.Net.N)
}

// step simulates a clock, counts, and compares the counts with the counters.
func (c *waitCount) step(t *testing.T) {
	n := c.tr.Net
	var wants [][]Slot
	for i := range n.N {
		wants = append(wants, n.Slots(i, c.tr.clock))
	}
	c.tr.Step(true)
	for i := range n.N {
		for _, s := range wants[i] {
			slot := s.Input*Banks + s.Bank
			switch c.status[i][slot] {
			case trace.WaitBank, trace.WaitInput, trace.WaitIntake, trace.WaitOutput, trace.WaitTurn:
				c.waits[i][s.Output]++
			}
		}
		for port := range 3 {
			if now := n.Counters(i, c.tr.clock); now.Packets[port] != c.hops[i][port] ||
				now.WaitClocks[port] != c.waits[i][port] {
				require.Equal(t, c.hops[i][port], now.Packets[port], "clock %d: packets from unit %d to %s",
					c.tr.clock-1, i, PortName(port))
				require.Equal(t, c.waits[i][port], now.WaitClocks[port],
					"clock %d: clocks of waiting in unit %d for %s", c.tr.clock-1, i, PortName(port))
			}
		}
	}
}

// stepShuffled works as Step, with the units of each phase in random order and the PEs mixed among them.
func (tr *Traffic) stepShuffled(r *rand.Rand) {
	t := tr.clock
	for _, i := range r.Perm(tr.Net.N) {
		tr.Net.scheduler().ArbitrateOne(i, t)
	}
	pes := func() {
		for _, w := range r.Perm(len(tr.random)) {
			tr.offer(&tr.shares[0], w, tr.shares[0].part.Present(w), t)
			tr.eject(&tr.shares[0], w, t)
			tr.inject(&tr.shares[0], w, t)
			tr.holding[w] = 0
		}
	}
	early := r.IntN(2) == 0
	if early {
		pes()
	}
	for _, i := range r.Perm(tr.Net.N) {
		tr.Net.scheduler().TransferOne(i, t)
	}
	if !early {
		pes()
	}
	for w := range tr.random {
		tr.arrived[w] |= tr.shares[0].part.TakeDelivered(w)
	}
	tr.gather()
	tr.clock++
}

// Packets keep arriving while random PEs stall for some time.
func TestRandomStalls(t *testing.T) {
	tr := traffic(t, 80, standard, TrafficConfig{Uniform, 0.5, 5})
	a := watch(t, tr)
	tr.Stall = func(pe int, clock uint64) bool {
		return rng.Mix(uint64(pe)<<32^clock>>6)&3 == 0 && clock < 4000
	}
	for range 3000 {
		tr.Step(true)
	}
	a.drain()
}

// With one bank, saturated uniform traffic deadlocks. So it is the three banks that prevent a deadlock.
func TestOneBankDeadlocks(t *testing.T) {
	tr := traffic(t, 80, Config{4, 2, 1, true, false, 0, false, false}, TrafficConfig{Uniform, 1, 1})
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

// In an otherwise quiet machine an MLPE packet returns home with the least load of its k+1 PEs, and the nearest of
// equal ones. A brute-force search is the oracle. The packet takes as many clocks as without comparison.
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
				tr := traffic(t, pes, Config{4, 2, 3, compare == 1, false, 0, false, false},
					TrafficConfig{Pattern: Uniform})
				if compare == 0 {
					for range tr.pins {
						loads = append(loads, uint8(r.IntN(16)))
					}
				}
				for i := range tr.pins {
					tr.pins[i].LoadQ = loads[i]
				}
				i := topo.Index(home)
				tr.pins[i].Out = packet.Packet{
					Kind: kind, Dest: home, Data: tr.Net.format.Payload(packet.Cont{PE: home, Addr: uint32(loads[i])}),
				}
				tr.pins[i].OutFull = true
				tr.Net.partOf(i).Offer(i, tr.clock)
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
				if l := loads[topo.Index(p)]; l <= least {
					least, at = l, p
				}
			}
			c := packet.FormatFor(topo.K).Cont(came[1].data)
			require.Equal(t, at, c.PE)
			require.EqualValues(t, least, c.Addr)
		}
	}
}

// rounded returns the PEs that an MLPE packet passes on its round.
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
