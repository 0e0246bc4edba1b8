package pdes

import (
	"emsim/internal/base/rng"
	"emsim/pdes/network"
)

// A Background is other activity in the machine: packets of other programs between the nodes, and PPs that differ in
// speed. It depends on Seed only, so two maps can be run against the same background.
type Background struct {
	// Flows is the number of closed-loop flows, each between two random nodes. They use the ports between the nodes,
	// but never inj and ej: the flows belong to PPs outside the program's partition that share its crossbars. A flow
	// starts to think about its next packet when the head of its last packet is through. (An open loop above a
	// port's capacity would block the program for ever.)
	Flows int
	// Length is the number of clocks for which a background packet holds a port (chosen: 512).
	Length int64
	// SlowPPM is the mean slow-down of a PP's operations in parts per million. Each PP draws its own value from the
	// exponential distribution.
	SlowPPM int64
	Seed    uint64
}

// The intensity of a flow is drawn uniformly from 0 to 1.2, and limited to 0.95; here in parts per million (chosen,
// with the reference background N*).
const (
	million      = 1_000_000
	intensityMax = 1_200_000
	intensityCap = 950_000
)

// flow is one closed loop: it thinks, sends a packet, and waits until the packet's head is through.
type flow struct {
	route []int32
	think int64 // mean, in clocks
}

type background struct {
	rng   rng.Stream
	flows []flow
	slow  []int64 // by PP: slow-down in parts per million
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
