package network

import (
	"context"
	"slices"

	"emsim/internal/base/rng"
)

// checkEvery is the number of events between two checks of a context.
const checkEvery = 1 << 12

// run moves the packets of a fabric until no event is left, and calls do with all other events.
func run(ctx context.Context, f *Fabric, do func(e Event)) error {
	for events := 0; ; events++ {
		if events%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch e, ok := f.queue.Pop(); {
		case !ok:
			return nil
		case e.Class() == Head:
			f.Head(e.Clock, e.Arg)
		default:
			do(e)
		}
	}
}

// A Sample is the latency of the packets between one pair of nodes, from injection to the delivery of the last word.
type Sample struct {
	From, To int
	Packets  int64
	Clocks   int64 // sum of the latencies
}

// Mean returns the mean latency in clocks.
func (s Sample) Mean() float64 { return float64(s.Clocks) / float64(s.Packets) }

// ZeroLoad measures the latency between every pair of nodes in an otherwise empty network.
func ZeroLoad(ctx context.Context, net *Net, length, hop int64) ([]Sample, error) {
	var samples []Sample
	for from := range net.Nodes() {
		for to := range net.Nodes() {
			if from == to {
				continue
			}
			s := Sample{From: from, To: to, Packets: 1}
			f := NewFabric(net, hop, &Queue{})
			f.Send(0, net.Route(nil, from, to), length)
			if err := run(ctx, f, func(e Event) { s.Clocks = e.Clock }); err != nil {
				return nil, err
			}
			samples = append(samples, s)
		}
	}
	return samples, nil
}

// Uniform makes every node send packets to random other nodes, with exponential gaps such that inj is busy for a
// fraction rho of the time. Each node sends the given number of packets; the first tenth warms the network up and is
// not counted. rho must be above 0 and below 1.
func Uniform(ctx context.Context, net *Net, rho float64, packets int, length, hop int64, seed uint64) ([]Sample,
	error,
) {
	var q Queue
	f := NewFabric(net, hop, &q)
	n := net.Nodes()
	routes := make([][]int32, n*n)
	samples := make([]Sample, n*n)
	draw := rng.New(seed, 4)
	left := make([]int, n)
	gap := int64(float64(length)/rho + 0.5)
	for node := range n {
		left[node] = packets
		q.Push(draw.Exponential(gap), Wake, int64(node), int32(node))
	}
	var pairs []int  // by packet slot
	var born []int64 // by packet slot; -1 if the packet is not counted
	err := run(ctx, f, func(e Event) {
		switch e.Class() {
		case Deliver:
			f.Release(e.Arg)
			if b := born[e.Arg]; b >= 0 {
				samples[pairs[e.Arg]].Packets++
				samples[pairs[e.Arg]].Clocks += e.Clock - b
			}
		case Wake:
			from := int(e.Arg)
			to := draw.Below(n - 1)
			if to >= from {
				to++
			}
			pair := from*n + to
			if routes[pair] == nil {
				routes[pair] = net.Route(nil, from, to)
			}
			slot := int(f.Send(e.Clock, routes[pair], length))
			if slot == len(born) {
				pairs, born = append(pairs, 0), append(born, 0)
			}
			pairs[slot], born[slot] = pair, e.Clock
			if left[from] > packets-packets/10 {
				born[slot] = -1
			}
			if left[from]--; left[from] > 0 {
				q.Push(e.Clock+draw.Exponential(gap), Wake, int64(from), e.Arg)
			}
		}
	})
	for pair := range samples {
		samples[pair].From, samples[pair].To = pair/n, pair%n
	}
	return slices.DeleteFunc(samples, func(s Sample) bool { return s.Packets == 0 }), err
}

// Saturate sends the given number of packets from every node to its partner, all at clock 0. It returns, for every
// sender, the clock of its last delivery.
func Saturate(ctx context.Context, net *Net, partner []int, packets int, length, hop int64) ([]int64, error) {
	f := NewFabric(net, hop, &Queue{})
	for from, to := range partner {
		route := net.Route(nil, from, to)
		for range packets {
			f.Send(0, route, length) // slots are assigned in order, because none is released
		}
	}
	finish := make([]int64, len(partner))
	if err := run(ctx, f, func(e Event) { finish[int(e.Arg)/packets] = e.Clock }); err != nil {
		return nil, err
	}
	return finish, nil
}
