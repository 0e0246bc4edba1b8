package balance

import (
	"slices"

	"emsim/cluster/rhinet"
)

// PeriodicConfig holds what differs between the five algorithms of paper 001.
type PeriodicConfig struct {
	Size  int  // workers in a group; 1 means no groups
	Ring  bool // the participants pass all reports around a ring, and all decide; otherwise the first one decides
	Own   bool // balance only inside the groups (GLB)
	Turns bool // odd phases balance inside the groups, even ones between them (IGCLB, IGDLB)

	Interval int64 // ticks between two phases if there are no barriers; 0 means none
	Every    int   // rounds between two phases if there are barriers
}

// periodic redistributes the units at fixed times, in proportion to the
// measured speeds: equation (1) of paper 001,
//
//	units_i = INT(speed_i / Σ speed_j × units of all)
//
// A report has a worker's number of units, and its speed: the units run since
// the last phase, divided by the time that they took.
type periodic struct {
	Hooks
	c      PeriodicConfig
	rounds int
	phase  int  // number of the last phase begun
	due    bool // a phase became due before the last one was over
	active bool
	speed  float64 // last measured speed, 0 before the first
	doneAt int     // units finished and time spent up to the last phase
	busyAt int64

	known []report
	have  int
	told  bool      // the reports of this worker's group have been passed on
	early []Message // messages of phases that this worker has not begun
}

// report is what a worker reports about itself.
type report struct {
	here  bool
	units int64
	speed float64
}

// The messages; A is the phase.
const (
	reports = 1 + iota // B: the first worker that the reports are about
	split              // Data: triples of giver, receiver and number of units
	arrival
)

// NewPeriodic makes one worker's part of an algorithm of paper 001.
func NewPeriodic(w *Worker, c PeriodicConfig) Agent {
	p := &periodic{Hooks: Hooks{w}, c: c}
	if c.Interval > 0 {
		w.After(c.Interval, 0)
	}
	return p
}

func periodicOn(c PeriodicConfig) func(*Worker) Agent {
	return func(w *Worker) Agent {
		c := c
		c.Interval, c.Every = w.period(), w.world.numbers.Every
		if w.world.load.Shape == Loop {
			c.Interval = 0 // these phases are only at barriers
		}
		return NewPeriodic(w, c)
	}
}

// Timer begins a phase.
func (p *periodic) Timer(key int) {
	if key == Barrier {
		if p.rounds++; p.rounds%p.c.Every != 0 {
			return
		}
		p.W.Pause() // in a loop all workers wait for the new split [001 §4.1]
	} else {
		p.W.After(p.c.Interval, 0)
	}
	if p.active {
		p.due = true
		return
	}
	p.begin()
}

// among reports whether this phase balances between groups rather than inside them.
func (p *periodic) among() bool { return !p.c.Own && (!p.c.Turns || p.phase%2 == 0) }

// groupStart returns the first worker of a worker's group.
func (p *periodic) groupStart(worker int) int { return worker - worker%p.c.Size }

// groupEnd returns the worker after the last one of a worker's group.
func (p *periodic) groupEnd(worker int) int { return min(p.groupStart(worker)+p.c.Size, p.W.Workers()) }

func (p *periodic) begin() {
	p.phase++
	p.active, p.told, p.have = true, false, 0
	p.known = slices.Grow(p.known[:0], p.W.Workers())[:p.W.Workers()]
	clear(p.known)
	if n, t := p.W.Finished()-p.doneAt, p.W.Busy()-p.busyAt; n > 0 && t > 0 {
		p.speed = float64(n) / float64(t)
	}
	p.doneAt, p.busyAt = p.W.Finished(), p.W.Busy()
	p.noteReport(p.W.ID, report{true, int64(p.W.Givable()), p.speed})
	first := p.groupStart(p.W.ID)
	switch {
	case !p.among():
		for mate := first; mate < p.groupEnd(first); mate++ {
			if mate != p.W.ID {
				p.tellReports(mate, p.W.ID, p.W.ID+1)
			}
		}
	case first != p.W.ID:
		p.tellReports(first, p.W.ID, p.W.ID+1)
	}
	early := p.early
	p.early = nil
	p.proceed()
	for k := range early {
		p.Message(&early[k])
	}
}

func (p *periodic) noteReport(worker int, r report) {
	if !p.known[worker].here {
		p.known[worker] = r
		p.have++
	}
}

// tellReports sends the reports about workers `from` to `to`-1 to the worker `who`.
func (p *periodic) tellReports(who, from, to int) {
	p.W.Tell(who, Message{Kind: reports, A: int64(p.phase), B: int64(from), reports: slices.Clone(p.known[from:to])})
}

// proceed does the next steps that are possible after a report has arrived.
func (p *periodic) proceed() {
	n, me := p.W.Workers(), p.W.ID
	first, last := p.groupStart(me), p.groupEnd(me)
	whole := true // all reports of this worker's group have arrived
	for i := first; i < last; i++ {
		whole = whole && p.known[i].here
	}
	switch {
	case !p.active || !whole:
	case !p.among():
		p.adopt(p.decide(first, last))
	case first != me: // this worker waits for the split
	default:
		if !p.told && last-first < n {
			p.told = true
			if p.c.Ring {
				p.tellReports(last%n, first, last)
			} else if me != 0 {
				p.tellReports(0, first, last)
			}
		}
		if p.have < n || !p.c.Ring && me != 0 {
			return
		}
		moves := p.decide(0, n)
		for g := p.c.Size; g < n && !p.c.Ring; g += p.c.Size {
			p.W.Tell(g, Message{Kind: split, A: int64(p.phase), Data: moves})
		}
		p.spread(moves)
	}
}

// spread sends the split to the other workers of the group, and adopts it.
func (p *periodic) spread(moves []int64) {
	for mate := p.W.ID + 1; mate < p.groupEnd(p.W.ID); mate++ {
		p.W.Tell(mate, Message{Kind: split, A: int64(p.phase), Data: moves})
	}
	p.adopt(moves)
}

// Message handles reports and splits.
func (p *periodic) Message(m *Message) {
	switch {
	case m.Kind == arrival || m.Kind == 0:
		return
	case int(m.A) > p.phase:
		p.early = append(p.early, *m)
		return
	case int(m.A) < p.phase || !p.active:
		return
	case m.Kind == split:
		if p.groupStart(p.W.ID) == p.W.ID {
			p.spread(m.Data)
		} else {
			p.adopt(m.Data)
		}
		return
	}
	before, from := p.have, int(m.B)
	for k, r := range m.reports {
		p.noteReport(from+k, r)
	}
	if p.c.Ring && p.among() && p.groupStart(from) != p.W.ID && p.have > before {
		if to := p.groupEnd(p.W.ID) % p.W.Workers(); p.groupStart(to) != p.groupStart(from) {
			p.W.Tell(to, Message{Kind: reports, A: m.A, B: m.B, reports: m.reports})
		}
	}
	p.proceed()
}

// decide splits the units of workers `from` to `to`-1 by equation (1). It returns the moves as triples of giver,
// receiver and number.
func (p *periodic) decide(from, to int) []int64 {
	k := p.known[from:to]
	speeds, total := make([]float64, len(k)), int64(0)
	for i, r := range k {
		if !(r.speed > 0) {
			p.W.NoValue("a worker without history has no speed in equation (1)")
			return nil
		}
		speeds[i] = r.speed
		total += r.units
	}
	want := rhinet.Apportion(int(total), speeds)
	var moves []int64
	taker := 0
	for giver := range k {
		for k[giver].units > int64(want[giver]) {
			for k[taker].units >= int64(want[taker]) {
				taker++
			}
			n := min(k[giver].units-int64(want[giver]), int64(want[taker])-k[taker].units)
			k[giver].units -= n
			k[taker].units += n
			moves = append(moves, int64(from+giver), int64(from+taker), n)
		}
	}
	return moves
}

// adopt gives the units that a split moves away from this worker.
func (p *periodic) adopt(moves []int64) {
	for ; len(moves) > 0; moves = moves[3:] {
		if int(moves[0]) == p.W.ID {
			p.W.Give(int(moves[1]), int(moves[2]), Message{Kind: arrival})
		}
	}
	p.active = false
	p.W.Resume()
	if p.due {
		p.due = false
		p.begin()
	}
}
