package omega

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/state"
)

// The state is the same at every clock for any number of threads, however many
// clocks are stepped at a time: windows of one clock and more.
func TestThreadsDoNotMatter(t *testing.T) {
	for _, c := range []struct{ pes, hop, bank int }{{192, 4, 2}, {192, 1, 2}, {192, 3, 16}, {192, 8, 7}, {1024, 3, 2}} {
		config := Config{HopClocks: c.hop, BankClocks: c.bank, Banks: Banks, Compare: true}
		one := traffic(t, c.pes, config, TrafficConfig{Hotspot, 0.2, 3})
		require.EqualValues(t, min(c.hop, c.bank), one.Net.scheduler().Window())
		var others []*Traffic
		for _, n := range []int{2, 3} {
			tr := traffic(t, c.pes, config, TrafficConfig{Hotspot, 0.2, 3})
			defer tr.UseThreads(n)()
			others = append(others, tr)
		}
		for clock := range uint64(300) {
			one.Step(true)
			for i, tr := range others {
				// in step with it every 1 to 7 clocks, or every 5
				if every := []uint64{1 + clock/11%7, 5}[i]; one.clock%every == 0 {
					tr.Steps(one.clock-tr.clock, true)
					require.Equal(t, hash(one), hash(tr), "%+v, %d threads, clock %d", c, tr.threads.Count(), one.clock)
					require.NoError(t, tr.Net.Check(tr.clock))
				}
			}
		}
		require.NotZero(t, one.Arrived)
	}
}

// The switches of parts that begin and end anywhere, and that have news from each
// other only at the end of every window, are those of a network that evaluates
// everything: for random parameters, sizes and loads, with MLPE packets, requests
// and stalls, also after the network has been restored.
func TestPartsDoNotMatter(t *testing.T) {
	arrived, refused := uint64(0), 0
	for seed := range uint64(16) {
		r := rand.New(rand.NewPCG(seed, 5))
		c := anyConfig(r)
		tc := TrafficConfig{Patterns()[seed%4], []float64{0.05, 0.4, 1}[r.IntN(3)], seed}
		plain, tr := traffic(t, 32, c, tc), traffic(t, 32, c, tc)
		plain.Net.scheduler().SetEager(true)
		parts := &inParts{tr, &Part{n: tr.Net, hi: 32, wheel: make([]uint64, wheelClocks), accepted: make([]uint64, 1)}}
		tr.Net.scheduler().Split([][]int{{0, 32}, {0, 5, 32}, {0, 12, 16, 31, 32}}[seed%3]...)
		for window := range 40 {
			for range tr.Net.scheduler().Window() {
				plain.Step(true)
				parts.step()
				disturb(plain, seed)
				disturb(tr, seed)
			}
			refused += parts.collect()
			require.NoError(t, tr.Net.Check(tr.clock))
			require.Equal(t, hash(plain), hash(tr), "%+v clock %d", c, plain.clock)
			if window == 20 {
				parts.reload(t)
			}
		}
		arrived += plain.Arrived
	}
	require.Greater(t, arrived, uint64(300))
	require.Greater(t, refused, 300)
}

// inParts is traffic whose switches are in parts, while its PEs are in one.
type inParts struct {
	*Traffic
	whole *Part
}

// step is one clock.
func (x *inParts) step() {
	t, all := x.clock, &share{part: x.whole}
	x.offers = true
	for th := range x.Net.sched.part {
		x.Net.sched.part[th].Step(t)
	}
	x.offer(all, 0, t)
	x.eject(all, 0, t)
	x.inject(all, 0, t)
	x.holding[0] = 0
	for i := range x.pins {
		if x.pins[i].OutFull && x.pins[i].OutReady > t {
			x.Net.partOf(i).Offer(i, t+1)
		}
	}
	for th := range x.Net.sched.part {
		x.arrived[0] |= x.Net.sched.part[th].TakeDelivered(0)
	}
	x.Offered += all.offered
	x.Arrived += all.arrived
	x.Latency += all.latency
	x.Slowest = max(x.Slowest, all.slowest)
	x.clock++
}

// collect ends a window. It returns how many upstream units wait for a bank in
// another part.
func (x *inParts) collect() (waiting int) {
	for i := range x.Net.links {
		waiting += bits.OnesCount8(x.Net.links[i].waited)
	}
	for th := range x.Net.sched.part {
		x.Net.sched.part[th].Collect()
	}
	return waiting
}

// reload saves the network and restores it in one where links have other room.
func (x *inParts) reload(t *testing.T) {
	saved := state.Saver(nil)
	x.Net.State(saved)
	for i := range x.Net.links {
		x.Net.links[i].room = room{full: 1<<Banks - 1}
	}
	l := state.Loader(saved.Bytes())
	x.Net.State(l)
	require.NoError(t, l.Err())
}

// A part has the PEs within its bounds and no others, wherever in the words of
// the sets it begins and ends.
func TestPresent(t *testing.T) {
	for lo := range 192 {
		for hi := lo + 1; hi <= 192; hi++ {
			p := Part{lo: lo, hi: hi, first: lo >> 6}
			for w := p.first; w<<6 < hi; w++ {
				var want uint64
				for i := max(lo, w<<6); i < min(hi, (w+1)<<6); i++ {
					want |= 1 << (i & 63)
				}
				require.Equal(t, want, p.Present(w), "PEs %d to %d, word %d", lo, hi-1, w)
			}
		}
	}
}

// What one part does is not seen by another before they meet; then the packet is
// in the bank, with the clock from which it may move, and the bank is free again
// at the other end of the link from its clock on.
func TestMail(t *testing.T) {
	n := banksOf(t, 2, Banks)
	n.scheduler().Split(0, 5, 12)
	a, b := n.scheduler().Part(0), n.scheduler().Part(1)
	meet := func() {
		a.Collect()
		b.Collect()
	}
	var l *link
	for i := range n.links {
		if x := &n.links[i]; x.fromPart == 0 && !n.su[x.from].lastColumn() {
			l = x
		}
	}
	from, to, slot := int(l.from), int(l.to), int(l.port)*Banks
	dest := n.su[to].address()
	n.put(from, 1, int(l.port), 10) // in bank 1: to bank 1
	n.su[from].bank[1].Dest = dest
	a.wakeUnit(from, 10)
	require.True(t, a.Step(10))
	require.Equal(t, room{full: 0b010}, l.room)
	require.Zero(t, n.su[to].full)
	require.False(t, b.Step(10))
	meet()
	require.EqualValues(t, 1<<(slot+1), n.su[to].full)
	require.EqualValues(t, 10+n.hopClocks, n.su[to].readyAt[slot+1])
	require.EqualValues(t, Own, n.su[to].output[slot+1])
	require.Equal(t, room{full: 0b010}, l.room)

	n.put(from, 1, int(l.port), 12) // the next one for that bank waits
	n.su[from].bank[1].Dest = dest
	a.wakeUnit(from, 12)
	require.False(t, a.Step(12))
	require.EqualValues(t, 0b010, l.waited)
	for clock := uint64(11); clock <= 10+n.hopClocks; clock++ {
		require.Equal(t, clock == 10+n.hopClocks, b.Step(clock), "clock %d", clock)
	}
	require.EqualValues(t, 0b010, l.full)
	meet()
	free := 10 + n.hopClocks + n.bankClocks
	require.Equal(t, room{readyAt: [Banks]uint64{1: free}}, l.room)
	for clock := uint64(13); clock <= free; clock++ {
		require.Equal(t, clock == free, a.Step(clock), "clock %d", clock)
	}
	meet()
	meet() // nothing comes twice
	require.EqualValues(t, 1<<(slot+1), n.su[to].full)

	n.put(from, 2, int(l.port), free+2)
	n.su[from].bank[2].Dest = dest
	a.wakeUnit(from, free+2)
	require.True(t, a.Step(free+2))
	was := *l
	l = &was
	n.scheduler().Split(0, 12) // one part again: what is under way arrives
	require.Empty(t, n.links)
	require.EqualValues(t, 0b110<<slot, n.su[to].full)
	require.EqualValues(t, to, n.su[from].next[l.port])
	require.EqualValues(t, from, n.su[to].prev[l.port])
}
