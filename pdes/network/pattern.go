package network

import "context"

// A Flow is a stream of packets between two nodes, given as coordinates (x, y).
type Flow struct{ From, To [2]int }

// A Pattern is one of the eight patterns of figure 1 [004 §4.1]. The figure is lost: the pairs are chosen so that
// only patterns 1, 2, 5 and 7 congest on an HXB with X first, as in the text.
type Pattern struct {
	Number    int
	Flows     []Flow
	Congested bool   // observed on the SR2201 [004 §4.1]
	What      string // what the flows have in common
}

// Patterns returns the eight patterns.
func Patterns() []Pattern {
	f := func(x0, y0, x1, y1 int) Flow { return Flow{[2]int{x0, y0}, [2]int{x1, y1}} }
	return []Pattern{
		{1, []Flow{f(0, 0, 2, 1), f(1, 0, 2, 2)}, true, "one relay node"},
		{2, []Flow{f(0, 0, 2, 1), f(2, 0, 2, 3)}, true, "a relay node and its own Y traffic"},
		{3, []Flow{f(0, 0, 2, 1), f(1, 0, 3, 1)}, false, "two relay nodes on one crossbar"},
		{4, []Flow{f(0, 0, 1, 1), f(1, 0, 0, 1)}, false, "crossed pairs"},
		{5, []Flow{f(0, 0, 2, 1), f(1, 0, 2, 0)}, true, "a relay node that receives along X"},
		{6, []Flow{f(0, 0, 2, 0), f(1, 0, 3, 0)}, false, "one crossbar, other ends"},
		{7, []Flow{f(0, 0, 3, 1), f(1, 0, 3, 2), f(2, 0, 3, 3)}, true, "one relay node for three"},
		{
			8,
			[]Flow{f(0, 0, 2, 0), f(0, 0, 0, 1), f(2, 1, 2, 0), f(2, 1, 0, 1)},
			false,
			"two senders, two receivers, no turn",
		},
	}
}

// Packet sizes of the contention measurement.
const (
	patternPackets = 200 // packets per flow (chosen)
	patternLength  = 64  // clocks for which a packet holds a port: the default cell (chosen)
	patternHop     = 10  // clocks per hop (chosen)
)

// SlowDown runs a pattern in which every flow sends 200 packets from clock 0. It returns the finish time divided by
// the finish time if only inj and ej existed: 1 means no contention inside the network. The network must have at
// least 4 nodes along each of its first two axes, or be a hypercube of 4 dimensions, whose nodes 0..15 stand for the
// 4x4 places row by row.
func (p Pattern) SlowDown(net *Net) float64 {
	whole := p.finish(net, func(path []int32, from, to int) []int32 { return net.Route(path, from, to) })
	ends := p.finish(net, func(path []int32, from, to int) []int32 {
		return append(path, int32(from), int32(net.nodes+to))
	})
	return float64(whole) / float64(ends)
}

func (p Pattern) finish(net *Net, route func(path []int32, from, to int) []int32) int64 {
	f, last := NewFabric(net, patternHop, &Queue{}), int64(0)
	var routes [][]int32
	for _, flow := range p.Flows {
		routes = append(routes, route(nil, net.number(flow.From), net.number(flow.To)))
	}
	for range patternPackets {
		for _, r := range routes {
			f.Send(0, r, patternLength)
		}
	}
	_ = run(context.Background(), f, func(e Event) { last = e.Clock }) // this context never ends
	return last
}

// number returns the node for a place in the 4x4 patterns.
func (n *Net) number(c [2]int) int {
	if n.Kind == HCB {
		return c[0] + 4*c[1]
	}
	return n.Node(c[0], c[1])
}
