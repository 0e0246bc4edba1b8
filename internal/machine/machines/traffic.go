package machines

import (
	"context"
	"math"
	"math/bits"
	"time"

	"emsim/em4"
	"emsim/internal/machine/threads"
	"emsim/omega"
)

// stillClocks is longer than the network can go without moving a packet:
// after this many clocks it is stuck for ever.
const stillClocks = 64

// Traffic steps a network under traffic, and notices when nothing can move any
// more.
type Traffic struct {
	*omega.Traffic
	Look func() // if not nil, called now and then

	choice       *threads.Choice // of the number of threads; nil if that is fixed
	moves, since uint64
}

// Measure steps through the clocks of a setup, and with drain until all packets are
// delivered. It returns what came of them, also with an error: that of ctx, or a deadlock.
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
	n := &Net{NetSetup: s, Tally: t.Tally().Since(from), Queued: t.Queued(), InFlight: t.InFlight(), LatencyMax: t.Slowest, FlitHops: t.Net.FlitHops(), Wall: time.Since(begin)}
	if n.Arrived > 0 {
		mean := float64(n.Latency) / float64(n.Arrived)
		n.LatencyMean = &mean
	}
	n.Throughput = n.words(n.Arrived)
	return n, err
}

// StepTo steps to a clock. The error is that of ctx or a deadlock.
func (t *Traffic) StepTo(ctx context.Context, clock uint64) error {
	if t.choice != nil {
		t.choice.Begin(t.Clock())
	}
	for t.Clock() < clock {
		look := t.checkMask()
		t.Steps(min(look+1-t.Clock()&look, clock-t.Clock()), true)
		if err := t.check(ctx); err != nil {
			return err
		}
		if t.choice != nil {
			t.UseThreads(t.choice.Next(t.Clock()))
		}
	}
	return nil
}

// Drain goes on without new packets until all are delivered; errors as those of StepTo.
func (t *Traffic) Drain(ctx context.Context) error {
	for t.InFlight()+t.Queued() > 0 {
		t.Steps(1, false)
		if err := t.check(ctx); err != nil {
			return err
		}
	}
	return nil
}

// CountAnew begins to count anew. What has moved is a sum of counts, which could be the
// same by chance before and after.
func (t *Traffic) CountAnew() omega.Tally {
	t.moves, t.since = math.MaxUint64, t.Clock()
	return t.Traffic.CountAnew()
}

// checkMask is a mask of clocks: checking at every one is worthwhile only if a
// clock takes long.
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
	if t.Look != nil {
		t.Look()
	}
	return nil
}

// deadlock says which switches wait for what.
func (t *Traffic) deadlock(inFlight int) error {
	const listed = 20
	h := em4.Hang{Clock: t.Clock(), InFlight: inFlight}
	wait := func(x omega.Slot) em4.Wait {
		return em4.Wait{PE: t.Net.Address(x.Unit), Unit: "SU " + omega.PortName(x.Input), Status: x.Status, For: x.String()}
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
