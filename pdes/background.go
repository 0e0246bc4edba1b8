package pdes

import (
	"emsim/internal/base/rng"
	"emsim/pdes/network"
)

// A Background is the other activity in the machine: other programs' packets
// between the nodes, and PPs that differ in speed. It is drawn only from
// Seed, so two maps can be run against the same background.
type Background struct {
	// Flows is the number of closed-loop flows, each between two random
	// nodes. They use the ports between the nodes, never our inj and ej: they
	// belong to PPs outside our partition that share its crossbars. A flow
	// starts thinking about its next packet once the head of the last one is
	// through (an open loop above a port's capacity would starve us for
	// ever).
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

// flow is one closed loop: think, send, wait until the head is through.
type flow struct {
	route []int32
	think int64 // mean, in clocks
}

type background struct {
	rng   rng.Stream
	flows []flow
	slow  []int64 // by PP: parts per million
}

func newBackground(b Background, net *network.Net) background {
	bg := background{rng: rng.New(b.Seed, 3), slow: make([]int64, net.Nodes())}
	for i := range bg.slow {
		bg.slow[i] = bg.rng.Exponential(b.SlowPPM)
	}
	for range b.Flows {
		from := bg.rng.Below(net.Nodes())
		to := bg.rng.Below(net.Nodes() - 1)
		if to >= from {
			to++
		}
		rho := min(int64(bg.rng.Below(intensityMax))+1, intensityCap)
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
	m.queue.Push(m.queue.Now()+m.background.rng.Exponential(f.think), network.Wake, int64(i), i)
}
