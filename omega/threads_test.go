package omega

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/state"
)

// The state at every clock is the same for any number of threads, however many clocks are stepped at a time: one
// window, more, or less.
func TestThreadsDoNotMatter(t *testing.T) {
	for _, c := range []struct{ pes, hop, bank int }{
		{192, 4, 2}, {192, 1, 2}, {192, 3, 16}, {192, 8, 7}, {1024, 3, 2},
	} {
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
				// compared every 1 to 7 clocks, or every 5
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

// The parts begin and end at any unit, and exchange packets only at the end of every window. Their switches have the
// states of a network that evaluates everything. Parameters, sizes and loads are random, there are MLPE packets,
// requests and stalls, and the network is restored once.
func TestPartsDoNotMatter(t *testing.T) {
	arrived, crossed := uint64(0), 0
	for seed := range uint64(16) {
		r := rand.New(rand.NewPCG(seed, 5))
		c := anyConfig(r)
		tc := TrafficConfig{Patterns()[seed%4], []float64{0.05, 0.4, 1}[r.IntN(3)], seed}
		plain, tr := traffic(t, 32, c, tc), traffic(t, 32, c, tc)
		plain.Net.scheduler().SetEager(true)
		tr.Net.scheduler().SetCrowd(2, int(seed%3))
		parts := &inParts{tr, &Part{
			n: tr.Net, hi: 32, wheel: make([]uint64, wheelClocks), dense: make([]*lanes, 1),
			accepted: make([]uint64, 1),
		}}
		tr.Net.scheduler().Split([][]int{{0, 32}, {0, 5, 32}, {0, 12, 16, 31, 32}}[seed%3]...)
		for window := range 40 {
			for range tr.Net.scheduler().Window() {
				plain.Step(true)
				parts.step()
				disturb(plain, seed)
				disturb(tr, seed)
			}
			crossed += parts.collect()
			require.NoError(t, tr.Net.Check(tr.clock))
			require.Equal(t, hash(plain), hash(tr), "%+v clock %d", c, plain.clock)
			if window == 20 {
				parts.reload(t)
			}
		}
		arrived += plain.Arrived
	}
	require.Greater(t, arrived, uint64(300))
	require.Greater(t, crossed, 300)
}

// inParts is traffic whose switches are divided into parts, while its PEs are in one part.
type inParts struct {
	*Traffic
	whole *Part
}

// step simulates one clock.
func (x *inParts) step() {
	t, all := x.clock, &share{part: x.whole}
	x.offers = true
	x.Net.scheduler().Begin(t)
	for th := range x.Net.sched.part {
		x.Net.sched.part[th].Step(t)
	}
	x.offer(all, 0, 1<<32-1, t)
	x.eject(all, 0, t)
	x.inject(all, 0, t)
	x.holding[0] = 0
	for i := range x.pins {
		if x.pins[i].OutFull && x.pins[i].OutReady > t {
			x.Net.partOf(i).Offer(i, t+1)
		}
	}
	for th := range x.Net.sched.part {
		p := &x.Net.sched.part[th]
		x.arrived[0] |= p.TakeDelivered(0) << p.lo
	}
	x.Offered += all.offered
	x.Arrived += all.arrived
	x.Latency += all.latency
	x.Slowest = max(x.Slowest, all.slowest)
	x.clock++
}

// collect ends a window. It returns the number of packets that have crossed between parts.
func (x *inParts) collect() (crossed int) {
	for th := range x.Net.sched.part {
		p := &x.Net.sched.part[th]
		for _, box := range p.mail[p.turn] {
			crossed += len(box.parcels)
		}
	}
	x.Net.scheduler().collect()
	return crossed
}

// reload saves the network, clears the wheels of its parts, and restores it.
func (x *inParts) reload(t *testing.T) {
	saved := state.Saver(nil)
	x.Net.State(saved)
	for th := range x.Net.sched.part {
		clear(x.Net.sched.part[th].wheel)
	}
	l := state.Loader(saved.Bytes())
	x.Net.State(l)
	require.NoError(t, l.Err())
}

// A part has exactly the PEs within its bounds, wherever in the words of the sets these begin and end.
func TestPresent(t *testing.T) {
	for lo := range 192 {
		for hi := lo + 1; hi <= 192; hi++ {
			p := Part{lo: lo, hi: hi}
			for w := 0; p.Unit(w) < hi; w++ {
				var want uint64
				for i := p.Unit(w); i < min(hi, p.Unit(w+1)); i++ {
					at, bit := p.bitOf(i)
					require.Equal(t, w, at)
					want |= 1 << bit
				}
				require.Equal(t, want, p.Present(w), "PEs %d to %d, word %d", lo, hi-1, w)
			}
		}
	}
}

// The actions of one part have no effect on another part before they meet. Then the packet is in the bank, with the
// clock from which it may move, and the upstream unit finds the bank free again from the right clock on.
func TestMail(t *testing.T) {
	n := banksOf(t, 2, Banks)
	n.scheduler().Split(0, 5, 12)
	n.scheduler().SetCrowd(-1, 1)
	a, b := n.scheduler().Part(0), n.scheduler().Part(1)
	from, port := 0, 0
	for ; a.has(int(n.su[from].next[port])) || n.su[from].wraps; from, port = from+port, 1-port {
	}
	to, slot := int(n.su[from].next[port]), port*Banks
	put := func(bank int, at uint64) {
		n.put(from, bank, port, at) // from bank 1 to bank 1
		n.su[from].bank[bank].Dest = n.su[to].address()
		n.sched.plain = true
		n.scheduler().Begin(at)
	}
	isFree := func() uint64 { return a.dense[0].bankFree[slot+1] >> from & 1 }
	put(1, 10)
	require.True(t, a.Step(10))
	require.Zero(t, isFree())
	require.Zero(t, n.su[to].full)
	require.False(t, b.Step(10))
	n.scheduler().collect()
	require.EqualValues(t, 1<<(slot+1), n.su[to].full)
	require.EqualValues(t, 10+n.hopClocks, n.su[to].readyAt[slot+1])
	require.EqualValues(t, Own, n.su[to].output[slot+1])
	require.Zero(t, isFree())

	put(1, 12) // the next packet for that bank waits
	require.False(t, a.Step(12))
	for clock := uint64(12); clock <= 10+n.hopClocks; clock++ {
		require.Equal(t, clock == 10+n.hopClocks, b.Step(clock), "clock %d", clock)
	}
	n.scheduler().collect()
	free := 10 + n.hopClocks + n.bankClocks
	for clock := uint64(13); clock <= free; clock++ {
		require.Equal(t, clock == free, a.Step(clock), "clock %d", clock)
	}
	n.scheduler().collect()
	n.scheduler().collect() // nothing is delivered twice
	require.EqualValues(t, 1<<(slot+1), n.su[to].full)

	put(2, free+2)
	require.True(t, a.Step(free+2))
	n.scheduler().Split(0, 12) // with one part again, packets in mailboxes arrive
	require.EqualValues(t, 0b110<<slot, n.su[to].full)
}

// Overtakings are counted phase by phase, so one thread steps the network, however many are asked for.
func TestOvertakingsUseOneThread(t *testing.T) {
	config := Config{HopClocks: 3, BankClocks: 2, Banks: Banks}
	tc := TrafficConfig{Uniform, 0.3, 3}
	one, tr := traffic(t, 192, config, tc), traffic(t, 192, config, tc)
	one.Net.CountOvertakings()
	tr.Net.CountOvertakings()
	defer tr.UseThreads(3)()
	require.Nil(t, tr.threads)
	one.Steps(200, true)
	tr.Steps(200, true)
	require.Equal(t, one.Net.Overtakings(200), tr.Net.Overtakings(200))
}
