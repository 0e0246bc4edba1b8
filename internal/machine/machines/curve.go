package machines

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// A network is saturated at a load of which it delivers less than this share,
// or at which packets take so many times as long as alone.
const (
	SaturatedShare   = 0.95
	SaturatedLatency = 3
)

// Least is the load that stands for none: a packet meets hardly another one [chosen].
const Least = 0.001

// closeTo is how near the loads on both sides of the saturation point are,
// divided by the greater one [chosen].
const closeTo = 0.01

// Curve is the latency of packets at loads from hardly any to a full network.
type Curve struct {
	PEs        int          `json:"pes"`
	Pattern    string       `json:"pattern"`
	Seed       uint64       `json:"seed"`
	Warm       int64        `json:"warm"`   // clocks before those that count
	Clocks     int64        `json:"clocks"` // that count, at each load
	Alone      float64      `json:"latency_alone"`
	Saturation *float64     `json:"saturation"` // greatest load that does not saturate it; null if none does
	Full       float64      `json:"throughput_full"`
	Points     []CurvePoint `json:"points"` // by load
}

// CurvePoint is one load.
type CurvePoint struct {
	Load        float64 `json:"load"`       // words offered per PE and clock, as asked for
	Offered     float64 `json:"offered"`    // as it came
	Throughput  float64 `json:"throughput"` // words delivered per PE and clock
	LatencyMean float64 `json:"latency_mean"`
	LatencyMax  uint64  `json:"latency_max"`
	Saturated   bool    `json:"saturated"`
}

// RunCurve measures a curve; the setup's load does not count. It looks for the
// saturation point by halving, and measures more loads on both sides of it.
// The points so far go with an error.
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

// point measures one load, unless it has been.
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
	p.Saturated = load > Least && (p.Throughput < SaturatedShare*p.Offered || p.LatencyMean > SaturatedLatency*c.Alone)
	c.Points = slices.Insert(c.Points, i, p)
	return p, nil
}
