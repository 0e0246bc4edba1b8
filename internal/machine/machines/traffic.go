package machines

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"
	"time"

	"emsim/em4"
	"emsim/internal/machine/threads"
	"emsim/omega"
)

// stillClocks is longer than a live network can go without moving a packet. After this many clocks without a move, it
// is stuck for ever.
const stillClocks = 64

// Traffic steps a network under traffic, and detects deadlocks.
type Traffic struct {
	*omega.Traffic
	Progress func() // if not nil, called now and then

	choice       *threads.Choice // of the number of threads; nil if the number is fixed
	moves, since uint64
}

// Measure steps through the clocks of a setup and, with drain, until all packets are delivered. It returns the results
// so far even with an error, which is ctx's or a deadlock.
func (t *Traffic) Measure(ctx context.Context, s *NetSetup, drain bool) (*Net, error) {
	var from omega.Tally
	err := t.StepTo(ctx, uint64(s.Warm))
	if err == nil && s.Warm > 0 {
		from = t.CountAnew()
	}
	begin := time.Now()
	if err == nil {
		err = t.StepTo(ctx, uint64(s.Warm+s.Clocks))
	}
	if err == nil && drain {
		err = t.Drain(ctx)
	}
	n := &Net{
		NetSetup: s, Tally: t.Tally().Since(from), Queued: t.Queued(), InFlight: t.InFlight(),
		LatencyMax: t.Slowest, FlitHops: t.Net.FlitHops(), Wall: time.Since(begin),
	}
	if n.Arrived > 0 {
		mean := float64(n.Latency) / float64(n.Arrived)
		n.LatencyMean = &mean
	}
	n.Throughput = n.words(n.Arrived)
	return n, err
}

// StepTo steps to a clock. It returns ctx's error or a deadlock.
func (t *Traffic) StepTo(ctx context.Context, clock uint64) error {
	if t.choice != nil {
		t.choice.Begin(t.Clock())
	}
	for t.Clock() < clock {
		mask := t.checkMask()
		t.Steps(min(mask+1-t.Clock()&mask, clock-t.Clock()), true)
		if err := t.check(ctx); err != nil {
			return err
		}
		if t.choice != nil {
			t.UseThreads(t.choice.Next(t.Clock()))
		}
	}
	return nil
}

// Drain steps without new packets until all are delivered. It returns ctx's error or a deadlock.
func (t *Traffic) Drain(ctx context.Context) error {
	for t.InFlight()+t.Queued() > 0 {
		t.Steps(1, false)
		if err := t.check(ctx); err != nil {
			return err
		}
	}
	return nil
}

// CountAnew resets the counts. It also invalidates t.moves, because a new sum of counts could by chance equal the old
// one.
func (t *Traffic) CountAnew() omega.Tally {
	t.moves, t.since = math.MaxUint64, t.Clock()
	return t.Traffic.CountAnew()
}

// checkMask returns a mask of the clocks at which to check. Checking at every clock is worthwhile only if a clock takes
// long.
func (t *Traffic) checkMask() uint64 { return uint64(stillClocks-1) >> bits.Len(uint(t.Net.N)>>10) }

func (t *Traffic) check(ctx context.Context) error {
	if t.Clock()&t.checkMask() == 0 && ctx.Err() != nil {
		return ctx.Err()
	}
	if t.Clock()%stillClocks != 0 {
		return nil
	}
	now := t.Arrived + t.Net.FlitHops() + t.Offered - t.Queued()
	if now != t.moves {
		t.moves, t.since = now, t.Clock()
	} else if n := t.InFlight(); n > 0 && t.Clock()-t.since >= stillClocks {
		return t.deadlock(int(n))
	}
	if t.Progress != nil {
		t.Progress()
	}
	return nil
}

// deadlock returns an error that lists the waiting switches.
func (t *Traffic) deadlock(inFlight int) error {
	const listed = 20
	h := em4.Hang{Clock: t.Clock(), InFlight: inFlight}
	wait := func(x omega.Slot) em4.Wait {
		return em4.Wait{
			PE: t.Net.Address(x.Unit), Unit: "SU " + omega.PortName(x.Input), Status: x.Status,
			For: x.String(),
		}
	}
	for i := range t.Net.N {
		for _, x := range t.Net.Slots(i, t.Clock()) {
			switch {
			case !x.Stuck():
			case len(h.Waits) < listed:
				h.Waits = append(h.Waits, wait(x))
			default:
				h.More++
			}
		}
	}
	for _, x := range t.Net.WaitCycle(t.Clock()) {
		h.Cycle = append(h.Cycle, wait(x))
	}
	return h.Deadlock()
}

// A network is saturated at a load if it delivers less than SaturatedShare of the load. It is also saturated if the
// latency of packets is more than SaturatedLatency times the latency of lone packets.
const (
	SaturatedShare   = 0.95
	SaturatedLatency = 3
)

// steadyLatencies is how long a run must be, in latencies of a lone packet, to tell whether the network is saturated.
// By Little's law, the packets in flight at the end of a steady run make up at most SaturatedLatency/steadyLatencies of
// all packets: 3/60. That is the share that a saturated network does not deliver.
const steadyLatencies = SaturatedLatency / (1 - SaturatedShare)

// saturated reports whether, at p, the network delivers too little of the offered load or its latency is too far above
// the unloaded latency.
func (c *Curve) saturated(p *CurvePoint) bool {
	return p.Load > Least && (p.Throughput < SaturatedShare*p.Offered || p.LatencyMean > SaturatedLatency*c.Alone)
}

// Least is the load at which latency counts as unloaded, because packets hardly ever meet [chosen].
const Least = 0.001

// closeTo is how close the loads below and above the saturation point are at the end of the search, relative to the
// greater load [chosen].
const closeTo = 0.01

// Curve is the latency of packets as a function of load, from hardly any load to a full network.
type Curve struct {
	PEs        int          `json:"pes"`
	Pattern    string       `json:"pattern"`
	Seed       uint64       `json:"seed"`
	Warm       int64        `json:"warm"`   // clocks before counting begins
	Clocks     int64        `json:"clocks"` // clocks counted at each load
	Alone      float64      `json:"latency_alone"`
	Saturation *float64     `json:"saturation"` // greatest load that does not saturate it; null if no load saturates it
	Full       float64      `json:"throughput_full"`
	Points     []CurvePoint `json:"points"` // by load
}

// CurvePoint is the result at one load.
type CurvePoint struct {
	Load        float64 `json:"load"`       // words to offer per PE and clock
	Offered     float64 `json:"offered"`    // words actually offered
	Throughput  float64 `json:"throughput"` // words delivered per PE and clock
	LatencyMean float64 `json:"latency_mean"`
	LatencyMax  uint64  `json:"latency_max"`
	Saturated   bool    `json:"saturated"`
}

// RunCurve measures a curve; it ignores the setup's load. It finds the saturation point by bisection, and measures more
// loads on both sides of it. With an error it also returns the points measured so far.
func RunCurve(ctx context.Context, s NetSetup, threads int) (*Curve, error) {
	c := &Curve{PEs: s.PEs, Pattern: string(s.Pattern), Seed: s.Seed, Warm: s.Warm, Clocks: s.Clocks}
	at := func(load float64) (CurvePoint, error) { return c.point(ctx, s, load, threads) }
	if _, err := at(Least); err != nil {
		return c, err
	}
	full, err := at(1)
	if err != nil {
		return c, err
	}
	c.Full = full.Throughput
	below, above := Least, 1.0
	for full.Saturated && above-below > closeTo*above {
		middle := math.Round((below+above)/2*1e5) / 1e5
		if middle <= below || middle >= above {
			break
		}
		p, err := at(middle)
		if err != nil {
			return c, err
		}
		if p.Saturated {
			above = middle
		} else {
			below = middle
		}
	}
	end := 1.0
	if full.Saturated {
		c.Saturation, end = &below, below
	}
	for _, part := range []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.1, 1.25, 1.5} {
		if load := math.Round(part*end*1e5) / 1e5; load > Least && load < 1 {
			if _, err := at(load); err != nil {
				return c, err
			}
		}
	}
	return c, nil
}

// point returns the result at one load. It measures a load only once.
func (c *Curve) point(ctx context.Context, s NetSetup, load float64, threads int) (CurvePoint, error) {
	byLoad := func(p CurvePoint, load float64) int { return cmp.Compare(p.Load, load) }
	i, found := slices.BinarySearchFunc(c.Points, load, byLoad)
	if found {
		return c.Points[i], nil
	}
	s.Load = load
	tr, err := s.Build()
	if err != nil {
		return CurvePoint{}, err
	}
	defer tr.UseThreads(threads)()
	x, err := (&Traffic{Traffic: tr}).Measure(ctx, &s, false)
	if err != nil {
		return CurvePoint{}, err
	}
	p := CurvePoint{Load: load, Offered: x.words(x.Offered), Throughput: x.Throughput, LatencyMax: x.LatencyMax}
	if x.LatencyMean != nil {
		p.LatencyMean = *x.LatencyMean
	}
	if load == Least {
		c.Alone = p.LatencyMean
	}
	p.Saturated = c.saturated(&p)
	c.Points = slices.Insert(c.Points, i, p)
	return p, nil
}
