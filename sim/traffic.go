package sim

import (
	"context"
	"fmt"

	"emsim/omega"
)

// Traffic is the network of an EM-4 alone. Instead of PEs it has sources that
// offer packets of two words at random and take at once whatever arrives.
type Traffic struct{ model *omega.Traffic }

// Patterns lists where packets can go: "uniform", any other PE; "neighbour",
// the next PE in and out of the group in turn; "hotspot", one packet in eight
// to PE [0,0]; "reverse", against the direction of the links.
func Patterns() []string {
	var names []string
	for _, p := range omega.Patterns() {
		names = append(names, string(p))
	}
	return names
}

// NewTraffic builds the network that c describes. load is in words offered per
// PE and clock, 0..1.
func NewTraffic(c Config, pattern string, load float64, seed uint64) (*Traffic, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	topo, err := omega.ForPEs(c.PEs)
	if err != nil {
		return nil, err
	}
	t, err := omega.NewTraffic(topo, c.Network(), omega.TrafficConfig{Pattern: omega.Pattern(pattern), Load: load, Seed: seed})
	if err != nil {
		return nil, err
	}
	return &Traffic{t}, nil
}

// Advance steps the given number of clocks, in which the sources offer packets.
// If the context ends first, it stops and returns the context's error.
func (t *Traffic) Advance(ctx context.Context, clocks uint64) error {
	return t.advance(ctx, clocks, true)
}

// Drain steps until every packet offered has arrived; no new ones are offered.
// If the given number of clocks is not enough, as in a network that is stuck,
// the error says how many packets are left.
func (t *Traffic) Drain(ctx context.Context, clocks uint64) error {
	left := func() uint64 { return t.model.InFlight() + t.model.Queued() }
	for range clocks {
		if left() == 0 {
			return nil
		}
		if err := t.advance(ctx, 1, false); err != nil {
			return err
		}
	}
	if n := left(); n > 0 {
		return fmt.Errorf("%d packets have not arrived after %d clocks", n, clocks)
	}
	return nil
}

func (t *Traffic) advance(ctx context.Context, clocks uint64, offer bool) error {
	for i := range clocks {
		if i&0xff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		t.model.Step(offer)
	}
	return nil
}

// Clock returns the number of clocks stepped.
func (t *Traffic) Clock() uint64 { return t.model.Clock() }

// Delivery says what became of the packets. Latency is in clocks, from a
// packet's offer to the arrival of its second word.
type Delivery struct {
	Offered, Delivered, InFlight uint64 // packets; one that has not entered the network counts only as offered
	LatencyMean                  float64
	LatencyMax                   uint64
}

// Delivery returns the counts up to now.
func (t *Traffic) Delivery() Delivery {
	d := Delivery{Offered: t.model.Offered, Delivered: t.model.Arrived, InFlight: t.model.InFlight(), LatencyMax: t.model.Slowest}
	if d.Delivered > 0 {
		d.LatencyMean = float64(t.model.Latency) / float64(d.Delivered)
	}
	return d
}
