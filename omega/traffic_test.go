package omega

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/state"
	"emsim/packet"
)

// Each pattern has its destinations.
func TestPatterns(t *testing.T) {
	for _, pattern := range Patterns() {
		tr := traffic(t, 80, standard, TrafficConfig{pattern, 0.05, 1})
		to := make([]int, 80)
		pairs := map[[2]int]int{}
		tr.Deliver = func(pe int, p *packet.Packet) {
			to[pe]++
			pairs[[2]int{int(p.Src), pe}]++
			require.NotEqual(t, int(p.Src), pe, "nobody sends to itself")
			from := tr.Net.Address(int(p.Src))
			switch pattern {
			case Neighbour:
				require.Equal(t, tr.Net.Next(from, int(p.Seq&1)), p.Dest, "in-group and out-of-group in turn")
			case Reverse:
				require.Equal(t, tr.Net.Ring(from, OutGroup)[tr.Net.K], p.Dest)
			}
		}
		for range 4000 {
			tr.Step(true)
		}
		// The load of 0.05 words per PE and clock is a packet of two words in forty clocks.
		require.InDelta(t, 80*4000/40, tr.Offered, 400, pattern)
		for pe, n := range to {
			switch {
			case pattern == Neighbour || pattern == Reverse || pe == 0 && pattern == Hotspot:
			case pattern == Hotspot:
				require.NotZero(t, n)
			default:
				require.InDelta(t, 100, n, 50, "PE %d", pe)
			}
		}
		switch pattern {
		case Hotspot: // an eighth of the packets of the others, and its share of the rest
			require.InDelta(t, 1090, to[0], 150)
		case Uniform:
			require.Greater(t, len(pairs), 4000, "any other PE")
		}
	}
}

// The counts are correct: offers, packets in flight, arrivals, and the clocks from an offer to the arrival of the
// second word.
func TestTrafficCounts(t *testing.T) {
	for _, load := range []float64{0.1, 1} {
		tr := traffic(t, 12, standard, TrafficConfig{Hotspot, load, 2})
		var arrived, latency, slowest uint64
		tr.Deliver = func(_ int, p *packet.Packet) {
			arrived++
			took := tr.Clock() + 1 - p.Data
			latency += took
			slowest = max(slowest, took)
		}
		for clock := range uint64(6000) {
			require.Equal(t, clock, tr.Clock())
			tr.Step(true)
			require.Equal(t, tr.Offered, tr.Arrived+tr.InFlight()+tr.Queued())
			require.Equal(t, [3]uint64{arrived, latency, slowest}, [3]uint64{tr.Arrived, tr.Latency, tr.Slowest})
		}
		if load == 1 {
			require.Greater(t, tr.Queued(), uint64(12*1100), "queues long enough to be packed")
		}
		offered := tr.Offered
		for range 200 {
			tr.Step(false)
		}
		require.Equal(t, offered, tr.Offered)
	}
}

// The number of threads changes during a run. No wake-up is lost, and no packet on its way from one thread's switch to
// another's.
func TestThreadsChange(t *testing.T) {
	tc := TrafficConfig{Uniform, 0.3, 8}
	same, changes := traffic(t, 192, standard, tc), traffic(t, 192, standard, tc)
	for clock := range 400 {
		if clock%9 == 0 {
			n := 1 + clock/9%3
			changes.split(n) // as its threads would do it, but one after the other
			require.Len(t, changes.Net.sched.part, n)
		}
		same.Step(true)
		changes.Step(true)
		require.Equal(t, hash(same), hash(changes), "clock %d", clock)
	}
	require.NotZero(t, same.Arrived)
}

// Every statistic of the traffic is part of its state.
func TestTrafficStateHasItsStatistics(t *testing.T) {
	tr := traffic(t, 12, standard, TrafficConfig{Uniform, 0.3, 1})
	for range 50 {
		tr.Step(true)
	}
	saved := func() string {
		c := state.Saver(nil)
		tr.State(c)
		return string(c.Bytes())
	}
	before := saved()
	for i, n := range []*uint64{&tr.Offered, &tr.Arrived, &tr.Latency, &tr.Slowest} {
		*n++
		require.NotEqual(t, before, saved(), "statistic %d", i)
		*n--
	}
	require.Equal(t, before, saved())
}
