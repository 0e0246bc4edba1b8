package rhinet

import (
	"math"
	"slices"

	"emsim/internal/base/rng"
)

// cpu is the processor of one host. If a competing process runs, the program
// advances only in its own time slices. The slices alternate in wall time,
// independently of the program:
//
//	   on (program)       off (competitor)
//	|------------------|--------------|------------------|---- ...
//	                 onEnd         offEnd
//
// Times are ticks. The pattern moves forward only: query it with ascending times.
type cpu struct {
	sliced bool // a competing process runs here, at least some of the time
	rnd    rng.Stream

	onEnd, offEnd int64
	on, off       int64 // mean slice of the program, slice of the competitor
	jitter        int64
	moveEvery     int64          // ticks between two moves of the competitor; 0 means it stays
	present       [loadUnit]bool // with moveEvery: the competitor is here in the windows k with present[k%8]
	traced        bool           // a trace in busy says when the competitor is here
	busy          []span64       // the trace: busy times that have not ended yet

	picosPerRow int64 // cost of a row in 10⁻¹² s; an integer, so sums are the same on every computer
}

// newRandom returns the random numbers of a rank. Each rank has its own stream, so its draws depend neither on the
// number of ranks nor on the order in which they run.
func newRandom(seed uint64, rank int) rng.Stream {
	return rng.Stream(seed*1_000_003 + 77 + uint64(rank)*0x51ed270b)
}

// newCPU draws the rank's speed and, on a loaded host, the phase of its slices. The first draw is the speed, the
// second the first slice, and the third the point in it at which the run begins. Then each slice takes one draw.
func newCPU(c *Config, rank int) cpu {
	p := cpu{rnd: newRandom(c.Seed, rank)}
	relative := 1 + float64(c.Host.Spread*(2*p.rnd.Unit()-1))
	if c.hosts() != nil && c.hosts()[rank].Speed != 0 {
		relative = 1 / c.hosts()[rank].Speed
	}
	cost := c.Host.RowCost
	if c.Application == Heat {
		cost = c.Heat.RowCost
	}
	picos := float64(float64(int64(cost)*1000) * relative)
	if c.Network == Ethernet {
		picos = float64(picos * c.Host.EthernetCost)
	}
	p.picosPerRow = max(1, int64(picos+0.5))

	if c.hosts() != nil {
		p.trace(c.hosts()[rank].Busy)
	} else {
		for k := range p.present {
			p.present[k] = c.loaded(rank, k)
			p.sliced = p.sliced || p.present[k]
		}
		p.moveEvery = ticksOf(c.Host.MoveEvery)
		if p.moveEvery == 0 {
			p.sliced = p.present[0]
		}
	}
	if p.sliced {
		p.on, p.off, p.jitter = ticksOf(c.Host.SliceOn), ticksOf(c.Host.SliceOff), ticksOf(c.Host.SliceJitter)
		first := p.drawOn()
		into := int64(p.rnd.Unit() * float64(first+p.off))
		p.onEnd, p.offEnd = first-into, first+p.off-into
	}
	return p
}

// loaded reports whether rank's host has the competing process in window k of a load that moves. In window 0 the load
// is at Host.LoadedPosition. Hosts that Load lists by number stay loaded.
func (c *Config) loaded(rank, k int) bool {
	at := (c.Host.LoadedPosition + k) % loadUnit
	switch c.Load {
	case OneLoad:
		return rank%loadUnit == at
	case TwoLoad:
		return rank%loadUnit == at || rank%loadUnit == at^1
	}
	hosts, _ := c.Load.hosts() // Validate has checked them
	return slices.Contains(hosts, rank)
}

func (p *cpu) drawOn() int64 {
	return p.on + int64(float64(p.jitter)*(2*p.rnd.Unit()-1))
}

// ticksFor returns the ticks of CPU time that rows take, to the nearest tick.
func (p *cpu) ticksFor(rows int) int64 {
	const tick = TickNs * 1000
	return (int64(rows)*p.picosPerRow + tick/2) / tick
}

// advance returns the tick at which work that begins at from is done. work is in ticks of CPU time.
func (p *cpu) advance(from, work int64) int64 {
	if !p.sliced {
		return from + work
	}
	for work > 0 {
		free, until := p.slice(from)
		if free {
			if work <= until-from {
				return from + work
			}
			work -= until - from
		}
		from = until
	}
	return from
}

// slice reports whether the program has the CPU at t, and until when this state lasts.
func (p *cpu) slice(t int64) (free bool, until int64) {
	for t >= p.offEnd {
		p.onEnd = p.offEnd + p.drawOn()
		p.offEnd = p.onEnd + p.off
	}
	free, until = t < p.onEnd, p.offEnd
	if free {
		until = p.onEnd
	}
	if p.traced {
		return p.traceAt(t, free, until)
	}
	if p.moveEvery > 0 {
		k := t / p.moveEvery
		until = min(until, (k+1)*p.moveEvery)
		free = free || !p.present[k%loadUnit]
	}
	return free, until
}

// span64 is a busy time of a trace, in ticks.
type span64 struct {
	from, until int64
	stop        bool
}

// trace replaces the drawn slices with the times of a trace.
func (p *cpu) trace(list []Busy) {
	p.traced, p.sliced = true, len(list) > 0
	for _, b := range list {
		until := ticksOf(b.Until)
		if b.Until == 0 {
			until = math.MaxInt64
		}
		p.busy = append(p.busy, span64{ticksOf(b.From), until, b.Stop})
	}
}

// traceAt applies the trace to the slice at t. It returns whether the program has the CPU, and until when.
func (p *cpu) traceAt(t int64, free bool, until int64) (bool, int64) {
	for len(p.busy) > 0 && p.busy[0].until <= t {
		p.busy = p.busy[1:]
	}
	switch {
	case len(p.busy) == 0:
		return true, math.MaxInt64
	case t < p.busy[0].from:
		return true, p.busy[0].from
	case p.busy[0].stop:
		return false, p.busy[0].until
	}
	return free, min(until, p.busy[0].until)
}
