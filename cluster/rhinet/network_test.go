package rhinet

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// traffic is a message to send: sender, receiver, time and length.
type traffic struct {
	at       int64
	src, dst int
	bytes    int
}

// randomTraffic draws messages in order of time; every hot-th message on average goes to host 0.
func randomTraffic(seed uint64, count, hosts, maxBytes, hot int, spacing int64) []traffic {
	rnd := rand.New(rand.NewPCG(seed, 8))
	var out []traffic
	var at int64
	for len(out) < count {
		at += rnd.Int64N(spacing + 1)
		t := traffic{at, rnd.IntN(hosts), rnd.IntN(hosts), 1 + rnd.IntN(maxBytes)}
		if rnd.IntN(hot) == 0 {
			t.dst = 0
		}
		if t.src != t.dst {
			out = append(out, t)
		}
	}
	return out
}

// skipping delivers the traffic with the event queue.
func skipping(c Config, traffics []traffic) (delivered []int64, hops int) {
	s, err := newSim(c)
	if err != nil {
		panic(err)
	}
	delivered = make([]int64, len(traffics))
	index := map[int32]int{}
	next := 0
	for next < len(traffics) || len(s.net.events) > 0 {
		// Network events of a tick come before host events.
		if next < len(traffics) && (len(s.net.events) == 0 || traffics[next].at < s.net.events[0].At) {
			t := traffics[next]
			id := s.net.inject(message{src: t.src, dst: t.dst, bytes: t.bytes})
			index[id] = next
			s.net.send(t.at, id)
			next++
			continue
		}
		x := s.net.events.Next()
		if x.What.sw == deliver {
			delivered[index[x.What.msg]] = x.At
			continue // the message's place stays occupied, so ids stay distinct
		}
		hops++
		s.net.follow(x)
		s.fab.forward(x)
	}
	return delivered, hops
}

// The model, which skips idle ticks, delivers every message at the same tick as stepping through all ticks.
func TestTorusEqualsStepping(t *testing.T) {
	hops := 0
	for seed := range uint64(6) {
		for _, load := range []struct{ bytes, hot, spacing int }{
			{6000, 1000, 3000}, // light traffic
			{6000, 2, 100},     // a hot spot
			{64, 1000, 2},      // short packets, ties
			{2100, 3, 40},
		} {
			c := Default()
			if seed%2 == 1 { // with a negligible DMA time, the switches' queues fill up
				c.Torus.DMABytes = 1000
			}
			tr := randomTraffic(seed, 150, 64, load.bytes, load.hot, int64(load.spacing))
			got, n := skipping(c, tr)
			hops += n
			if diff := cmp.Diff(stepTorus(c.Torus, tr), got); diff != "" {
				t.Fatalf("seed %d, %+v (-stepped +skipping):\n%s", seed, load, diff)
			}
		}
	}
	require.Greater(t, hops, 15_000, "the comparison has to cover real traffic")
}

// The hub delivers at the same ticks as a walk over the frames link by link.
func TestHubEqualsFrameByFrame(t *testing.T) {
	for seed := range uint64(20) {
		c := Default()
		c.Network = Ethernet
		tr := randomTraffic(seed, 300, 16, 9000, 3, 40_000)
		got, _ := skipping(c, tr)
		if diff := cmp.Diff(walkHub(c.Hub, tr), got); diff != "" {
			t.Fatalf("seed %d (-walked +skipping):\n%s", seed, diff)
		}
	}
}

func walkHub(p HubParams, traffics []traffic) []int64 {
	type frame struct {
		id, msg, dst int
		atHub, wire  int64
	}
	var frames []frame
	free := map[int]int64{}
	for i, t := range traffics {
		for off := 0; off < t.bytes; off += p.Payload {
			bytes := int64(min(p.Payload, t.bytes-off))
			wire := (max(bytes+32, 46) + 38) * 10 // standard Ethernet
			free[t.src] = max(free[t.src], t.at) + wire
			frames = append(frames, frame{len(frames), i, t.dst, free[t.src], wire})
		}
	}
	slices.SortFunc(frames, func(a, b frame) int {
		if a.atHub != b.atHub {
			return int(a.atHub - b.atHub)
		}
		return a.id - b.id
	})
	out, busy := make([]int64, len(traffics)), map[int]int64{}
	for _, f := range frames {
		busy[f.dst] = max(busy[f.dst], f.atHub+p.HubTicks) + f.wire
		out[f.msg] = max(out[f.msg], busy[f.dst])
	}
	return out
}

// One 8-byte message between hosts of the same switch, computed by hand: DMA 12, link 4, switch 30, link 4, 3 flits,
// DMA 12 ticks.
func TestTorusOneMessage(t *testing.T) {
	got, _ := skipping(Default(), []traffic{{100, 1, 2, 8}})
	require.Equal(t, []int64{100 + 12 + 4 + 30 + 4 + 3 + 12}, got)
	got, _ = skipping(Default(), []traffic{{100, 1, 63, 8}}) // (0,0) to (3,3): one link west, one north
	require.Equal(t, []int64{100 + 12 + 4 + 30 + 4 + 30 + 4 + 30 + 4 + 3 + 12}, got)
}

func TestRoute(t *testing.T) {
	torus := Default().Torus
	for src := range 16 {
		for host := range PaperNodes {
			dst := host / hostsPerSwitch
			apart := func(a, b int) int { d := (a - b + 4) % 4; return min(d, 4-d) }
			want := apart(src%4, dst%4) + apart(src/4, dst/4)
			at, steps, turned := src, 0, false
			for at != dst {
				out := torus.route(at, host)
				require.GreaterOrEqual(t, out, hostsPerSwitch)
				if out >= portYPlus {
					turned = true
				} else {
					require.False(t, turned, "X comes before Y")
				}
				at = torus.neighbour(at, out)
				steps++
				require.LessOrEqual(t, steps, want, "from switch %d to host %d", src, host)
			}
			require.Equal(t, want, steps)
			require.Equal(t, host%4, torus.route(at, host))
		}
	}
	require.Equal(t, portXPlus, torus.route(0, 4*2), "two each way round: plus")
	require.Equal(t, portYPlus, torus.route(0, 4*8))
}
