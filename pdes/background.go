package pdes

import "emsim/pdes/network"

// A Background is what else goes on in the machine: other programs' packets
// between the nodes, and PPs that differ in speed. All of it is drawn from
// Seed alone, so that two maps can be run against the same background.
type Background struct {
	// Flows is the number of closed-loop flows, each between two random
	// nodes. They use the ports between the nodes, never our inj and ej: they
	// belong to PPs outside our partition that share its crossbars. One
	// packet of a flow is under way at a time (an open loop above a port's
	// capacity would starve us for ever).
	Flows int
	// Length is the clocks for which a background packet holds a port
	// (chosen: 512).
	Length int64
	// SlowPPM is the mean by which a PP's operations take longer, in parts
	// per million; each PP draws its own from the exponential distribution.
	SlowPPM int64
	Seed    uint64
}

// Shares of a flow's intensity, in parts per million: uniform from 0 to 1.2,
// at most 0.95 (chosen, with the reference background N*).
const (
	million      = 1_000_000
	intensityMax = 1_200_000
	intensityCap = 950_000
)

// flow is one closed loop: think, send, wait for delivery.
type flow struct {
	route []int32
	think int64 // mean, in clocks
}

type background struct {
	rng   random
	flows []flow
	slow  []int64 // by PP: parts per million
}

func newBackground(b Background, net *network.Net) background {
	bg := background{rng: random(b.Seed*0x632be59bd9b4e019 + 0x2545f4914f6cdd1d), slow: make([]int64, net.Nodes())}
	for i := range bg.slow {
		bg.slow[i] = bg.rng.exponential(b.SlowPPM)
	}
	for range b.Flows {
		from := bg.rng.below(net.Nodes())
		to := bg.rng.below(net.Nodes() - 1)
		if to >= from {
			to++
		}
		rho := min(int64(bg.rng.below(intensityMax))+1, intensityCap)
		bg.flows = append(bg.flows, flow{
			route: net.Between(nil, from, to),
			think: b.Length * (million - rho) / rho,
		})
	}
	return bg
}

// pause schedules a flow's next packet.
func (m *Machine) pause(i int32) {
	f := &m.background.flows[i]
	m.queue.Push(m.queue.Now()+m.background.rng.exponential(f.think), network.Wake, int64(i), i)
}

// random is SplitMix64.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below is a number from 0 to n-1.
func (r *random) below(n int) int { return int((r.next() >> 33) % uint64(n)) }

// exponential draws from the exponential distribution with the given mean, in
// whole units. Von Neumann's method needs comparisons only, so that every
// machine draws the same numbers.
func (r *random) exponential(mean int64) int64 {
	for whole := int64(0); ; whole++ {
		first := r.next() >> 32
		run, last := 1, first
		for {
			v := r.next() >> 32
			if v >= last {
				break
			}
			last = v
			run++
		}
		if run%2 == 1 {
			return whole*mean + int64(uint64(mean)*first>>32)
		}
	}
}
