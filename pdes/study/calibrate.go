package study

import (
	"context"
	"math"
	"slices"

	"emsim/internal/base/portable"
	"emsim/internal/base/rng"
	"emsim/internal/base/simerr"
	"emsim/pdes"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// A Calibration gives the cost function's coefficients according to the packet model: T0 and A are measured in the
// unloaded network with B = 1, then B is measured under load with the A of the same cell length.
type Calibration struct {
	T0       float64 // clocks of a message at distance 0, software included
	A        float64 // clocks per hop, divided by T0
	AWire    float64 // the same without Send and Receive
	Uniform  []BUnder
	Saturate float64  // B of saturated permutations, see SaturateB
	Own      []BUnder // the program's own messages
}

// BUnder is B at one load. In Calibration.Uniform, Load is the fraction of time that inj is busy; in Calibration.Own,
// it is the clocks of a cell.
type BUnder struct{ Load, B float64 }

// Sizes of the measurements (chosen: each takes a few tenths of a second).
const (
	uniformPackets  = 2000
	saturatePackets = 100
	saturateDraws   = 20
	ownMaps         = 40

	// OwnSlots is the number of slots of a run that measures the program's own messages.
	OwnSlots = 100
)

// FitZeroLoad fits T0 and A to the latencies of all pairs of nodes in an unloaded network, by least squares.
func FitZeroLoad(ctx context.Context, net *network.Net, t pdes.Timing) (t0, a, aWire float64, err error) {
	samples, err := network.ZeroLoad(ctx, net, t.Cell, t.Hop)
	if err != nil {
		return 0, 0, 0, err
	}
	var n, sd, sdd, sl, sdl float64
	for _, s := range samples {
		d, _ := net.Distance(s.From, s.To)
		x, y := float64(d), s.Mean()
		n, sd, sdd, sl, sdl = n+1, sd+x, sdd+float64(x*x), sl+y, sdl+float64(x*y)
	}
	slope := 0.0
	if det := float64(n*sdd) - float64(sd*sd); det > 0 {
		slope = (float64(n*sdl) - float64(sd*sl)) / det
	}
	wire := (sl - float64(slope*sd)) / n
	t0 = wire + float64(t.Send+t.Receive)
	return t0, slope / t0, slope / wire, nil
}

// fitB fits B, with A given, to the mean latencies by number of axis changes, weighted by packets: log(latency/(1+A
// d)) = log T + c log B.
func fitB(net *network.Net, samples []network.Sample, a float64, software int64) float64 {
	var sum, weight [16]float64 // by number of axis changes
	for _, s := range samples {
		d, c := net.Distance(s.From, s.To)
		sum[c] += (float64(s.Clocks) + float64(s.Packets*software)) / (1 + float64(a*float64(d)))
		weight[c] += float64(s.Packets)
	}
	var n, sx, sxx, sy, sxy float64
	for c, w := range weight {
		if w == 0 {
			continue
		}
		x, y := float64(c), portable.Log(sum[c]/w)
		n, sx, sxx, sy, sxy = n+w, sx+float64(w*x), sxx+float64(w*x*x), sy+float64(w*y), sxy+float64(w*x*y)
	}
	det := float64(n*sxx) - float64(sx*sx)
	if det <= 0 {
		return 1 // a network of one axis has no changes of axis
	}
	return portable.Exp((float64(n*sxy) - float64(sx*sy)) / det)
}

// UniformB measures latencies under uniform random traffic of load rho, and fits B to them.
func UniformB(ctx context.Context, net *network.Net, t pdes.Timing, a, rho float64, seed uint64) (float64, error) {
	samples, err := network.Uniform(ctx, net, rho, uniformPackets, t.Cell, t.Hop, seed)
	if err != nil {
		return 0, err
	}
	return fitB(net, samples, a, t.Send+t.Receive), nil
}

// SaturateB measures the factor of one change of axis under saturation. It compares random permutations in which every
// pair changes axis, as often as the network allows, with permutations without changes, by the mean finish times of
// their flows, each divided by 1 + A d. It returns 1 for a network of one axis, and 0 if there are no such
// permutations.
func SaturateB(ctx context.Context, net *network.Net, t pdes.Timing, a float64, seed uint64) (float64, error) {
	changes := len(net.Dims) - 1
	if changes == 0 {
		return 1, nil
	}
	draw := rng.New(seed, 5)
	finish := func(c int) (sum float64, err error) {
		for range saturateDraws {
			partner := permutation(net, c, &draw)
			if partner == nil {
				return 0, nil
			}
			last, err := network.Saturate(ctx, net, partner, saturatePackets, t.Cell, t.Hop)
			if err != nil {
				return 0, err
			}
			for from, clock := range last {
				d, _ := net.Distance(from, partner[from])
				sum += float64(clock) / (1 + float64(a*float64(d)))
			}
		}
		return sum, nil
	}
	straight, err := finish(0)
	if err != nil {
		return 0, err
	}
	turned, err := finish(changes)
	if straight == 0 || turned == 0 || err != nil {
		return 0, err
	}
	return portable.Root(turned/straight, changes), nil
}

// permutation returns a random permutation of the nodes in which every pair has c changes of axis, or nil if there is
// none. It finds a random perfect matching by augmenting paths.
func permutation(net *network.Net, c int, draw *rng.Stream) []int {
	n := net.Nodes()
	adjacent := make([][]int, n)
	for from := range n {
		for to := range n {
			if _, turns := net.Distance(from, to); from != to && turns == c {
				adjacent[from] = append(adjacent[from], to)
			}
		}
		rng.Shuffle(draw, adjacent[from])
	}
	source := slices.Repeat([]int{-1}, n) // by destination
	var augment func(from int, seen []bool) bool
	augment = func(from int, seen []bool) bool {
		for _, to := range adjacent[from] {
			if seen[to] {
				continue
			}
			seen[to] = true
			if source[to] < 0 || augment(source[to], seen) {
				source[to] = from
				return true
			}
		}
		return false
	}
	for from := range n {
		if !augment(from, make([]bool, n)) {
			return nil
		}
	}
	partner := make([]int, n)
	for to, from := range source {
		partner[from] = to
	}
	return partner
}

// MeasuredB returns B for the program's own messages, over random maps or, if m is given, under that map. It is NaN
// if no message left its PP.
func MeasuredB(ctx context.Context, c Case, m mapping.Map, slots, cell int64, a float64) (float64, error) {
	net, err := c.Network()
	if err != nil {
		return 0, err
	}
	t := c.timing(cell)
	var samples []network.Sample
	maps := ownMaps
	if m != nil {
		maps = 1
	}
	for seed := range uint64(maps) {
		cfg, err := c.under(m, cell, slots)
		if err != nil {
			return 0, err
		}
		if m == nil {
			cfg.Map = mapping.Random(cfg.LPs(), net.Nodes(), seed)
		}
		r, err := pdes.Run(ctx, cfg)
		if err != nil {
			return 0, err
		}
		for from, row := range r.Latency {
			for to, l := range row {
				if l.Messages > 0 {
					samples = append(samples, network.Sample{From: from, To: to, Packets: l.Messages, Clocks: l.Clocks})
				}
			}
		}
	}
	if len(samples) == 0 {
		return math.NaN(), nil
	}
	return fitB(net, samples, a, t.Send+t.Receive), nil
}

// Calibrate measures all coefficients for one case, with the default cell; Own also has longer cells. The program's own
// messages come from the given number of slots, under the map m or, if that is nil, under random maps. If ctx ends, the
// measurements so far are returned with the error. told, if not nil, is called with the number of finished values of
// Uniform and Own, from 0 on.
func Calibrate(ctx context.Context, c Case, m mapping.Map, slots int64, told func(done, of int)) (*Calibration, error) {
	net, err := c.Network()
	if err != nil {
		return nil, err
	}
	if net.Nodes() < 2 {
		return nil, simerr.Usagef("calibration measures messages between PPs: the shape %s has only one PP; "+
			"expected 2 or more", c.Shape)
	}
	t := c.timing(64)
	r, loads, cells := &Calibration{}, []float64{0.2, 0.4, 0.6, 0.8}, []int64{64, 256, 300}
	tell := func() {
		if told != nil {
			told(len(r.Uniform)+len(r.Own), len(loads)+len(cells))
		}
	}
	tell()
	if r.T0, r.A, r.AWire, err = FitZeroLoad(ctx, net, t); err != nil {
		return r, err
	}
	for _, rho := range loads {
		b, err := UniformB(ctx, net, t, r.A, rho, 1)
		if err != nil {
			return r, err
		}
		r.Uniform = append(r.Uniform, BUnder{rho, b})
		tell()
	}
	if r.Saturate, err = SaturateB(ctx, net, t, r.A, 1); err != nil {
		return r, err
	}
	for _, cell := range cells {
		_, a, _, err := FitZeroLoad(ctx, net, c.timing(cell))
		if err != nil {
			return r, err
		}
		b, err := MeasuredB(ctx, c, m, slots, cell, a)
		if err != nil {
			return r, err
		}
		r.Own = append(r.Own, BUnder{float64(cell), b})
		tell()
	}
	return r, nil
}
