// Package portrait records the data for figures of one run: what every PE did, how full its buffers were, what every
// link carried, what the units waited for, and the calls between function instances.
//
//	portrait.go  the events of a run by window and PE
//	cells.go     the state of every PE in every clock, or in a few clocks
//	family.go    function instances, and the calls between them
//	calls.go     the numbers of calls by PE and by function
//	moves.go     a record of the moves, in the form of the other machines
//
// Portrait and Moves are trace sinks. Both must see all PEs of the machine.
package portrait

import (
	"cmp"

	"emsim/internal/base/simerr"
	"emsim/omega"
	"emsim/packet"
	"emsim/trace"
)

// States is the number of activities of a PE.
const States = int(trace.Idle) + 1

// StateWords holds descriptions of the activities.
var StateWords = [States]string{"FMU or EXU at work", "only the IBU at work", "waiting for the network", "idle"}

// Cell holds what a PE did in a window.
type Cell struct {
	State [States]uint32       // clocks by activity
	Level [trace.Levels]uint64 // sum over the clocks, by level
	Spill uint32               // packets written to the MIB
	Calls uint32               // function instances that received their first operand
}

// Portrait is a recorded run.
type Portrait struct {
	Topology omega.Topology
	ClockNS  float64
	Start    uint64                // clock of the machine at which the run started
	From     uint64                // first recorded clock
	End      uint64                // first clock that is not recorded
	Window   uint64                // clocks in a window
	Cells    [][]Cell              // by window and PE; the last window may be shorter
	Hops     [][2]uint64           // by PE and output to another PE: packets that left by it
	Blocked  [][2]uint64           // by PE and output to another PE: clocks in which a packet waited for the output
	Waits    [trace.Units][]uint64 // clocks by unit and status, summed over all PEs, and over the slots of the SU
	Timeline Timeline
	Calls    Calls

	pes []peState
}

// peState is the current state of a PE.
type peState struct {
	unit  [trace.Units]since
	slot  [trace.Slots]slot
	level [trace.Levels]value
}

type since struct {
	status trace.Status
	clock  uint64
}

// slot is the state of the packet in a slot of a switch.
type slot struct {
	since
	waited uint64 // clocks that the packet has waited for its output
}

type value struct{ v, clock uint64 }

// Options select what is recorded.
type Options struct {
	Window   uint64 // clocks in a window; 0 chooses a length for at most 400 windows, or for fewer if memory is short
	MaxCells int    // the largest number of cells in the timeline; 0 means 8 million
}

const (
	windows   = 400
	maxCells  = 8 << 20
	mostCells = 8 << 20 // over all PEs: 512 MiB, at 64 bytes each
)

// round returns the least of 1, 2, 5, 10, 20, ... that is at least n.
func round(n uint64) uint64 {
	for step := uint64(1); ; step *= 10 {
		for _, f := range []uint64{1, 2, 5} {
			if f*step >= n {
				return f * step
			}
		}
	}
}

// New returns a Portrait of the clocks from..end-1 of a machine on which a run began at clock start. It returns an
// error if the windows are too short.
func New(m Machine, t omega.Topology, clockNS float64, start, from, end uint64, o Options) (*Portrait, error) {
	clocks := end - from
	p := &Portrait{Topology: t, ClockNS: clockNS, Start: start, From: from, End: end, Window: min(o.Window, clocks)}
	most := mostCells / uint64(t.N)
	p.Window = cmp.Or(p.Window, round((clocks+min(windows, most)-1)/min(windows, most)))
	if clocks/p.Window > most {
		return nil, simerr.Usagef("--sample is %d: a run of %d clocks on %d PEs needs at least %d, or its windows "+
			"take too much memory", o.Window, clocks, t.N, clocks/most+1)
	}
	p.Cells = make([][]Cell, (clocks+p.Window-1)/p.Window)
	for w := range p.Cells {
		p.Cells[w] = make([]Cell, t.N)
	}
	p.Hops, p.Blocked = make([][2]uint64, t.N), make([][2]uint64, t.N)
	for u := range p.Waits {
		p.Waits[u] = make([]uint64, len(trace.Statuses()))
	}
	o.MaxCells = cmp.Or(o.MaxCells, maxCells)
	p.Timeline.init(t.N, clocks, uint64(o.MaxCells))
	p.Calls.init(m, t.N)
	p.pes = make([]peState, t.N)
	for i := range p.pes {
		x := &p.pes[i]
		for u := range x.unit {
			x.unit[u] = since{trace.Idle, from}
		}
		for s := range x.slot {
			x.slot[s].since = since{trace.Idle, from}
		}
		for l := range x.level {
			x.level[l].clock = from
		}
	}
	return p, nil
}

// WindowEnd returns the clock of the run at which window w ends.
func (p *Portrait) WindowEnd(w int) uint64 {
	return min(p.End, p.From+uint64(w+1)*p.Window) - p.Start
}

// WindowClocks returns the length of window w in clocks.
func (p *Portrait) WindowClocks(w int) uint64 {
	return min(p.End-p.From, uint64(w+1)*p.Window) - uint64(w)*p.Window
}

// Clocks returns the number of recorded clocks.
func (p *Portrait) Clocks() uint64 { return p.End - p.From }

// PE returns the address of a PE.
func (p *Portrait) PE(i int) packet.PE { return p.Topology.Address(i) }

// cellAt returns a PE's cell at a clock.
func (p *Portrait) cellAt(clock uint64, pe uint32) *Cell {
	return &p.Cells[(clock-p.From)/p.Window][pe]
}

// Event counts the clocks that a status or a level lasted until this event, and the spills, hops and calls.
func (p *Portrait) Event(e *trace.Event) {
	if e.Clock >= p.End || e.Clock < p.From {
		return
	}
	x := &p.pes[e.PE]
	switch e.Kind {
	case trace.Changed:
		if e.Unit == trace.SU {
			p.countSlot(&x.slot[e.Slot], e.Clock)
			x.slot[e.Slot].status = e.Status
			return
		}
		p.countUnit(e.PE, e.Unit, &x.unit[e.Unit], e.Clock)
		x.unit[e.Unit].status = e.Status
	case trace.Levelled:
		p.level(e.PE, e.Level, &x.level[e.Level], e.Clock)
		x.level[e.Level].v = e.Value
	case trace.Spilled:
		p.cellAt(e.Clock, e.PE).Spill++
	case trace.Moved:
		if e.Out != trace.Own {
			p.Hops[e.PE][e.Out]++
			p.Blocked[e.PE][e.Out] += x.slot[e.Slot].waited
		}
		x.slot[e.Slot].waited = 0
	case trace.Made, trace.Taken, trace.Begun:
		if p.Calls.event(e) {
			p.cellAt(e.Clock, e.PE).Calls++
		}
	}
}

// countUnit counts a unit's status up to a clock.
func (p *Portrait) countUnit(pe uint32, u trace.Unit, s *since, to uint64) {
	p.Waits[u][s.status] += to - s.clock
	if u == trace.PE {
		p.Timeline.addClocks(pe, uint8(s.status-trace.ExuFmu), to-s.clock)
		p.eachCell(pe, s.clock, to, func(c *Cell, n uint64) { c.State[s.status-trace.ExuFmu] += uint32(n) })
	}
	s.clock = to
}

// countSlot counts the status of the packet in a slot of a switch up to a clock.
func (p *Portrait) countSlot(s *slot, to uint64) {
	p.Waits[trace.SU][s.status] += to - s.clock
	if s.status.IsWait() && s.status != trace.WaitInject {
		s.waited += to - s.clock
	}
	s.clock = to
}

// level adds the value of a level for each clock before the clock `to`.
func (p *Portrait) level(pe uint32, l trace.Level, v *value, to uint64) {
	p.eachCell(pe, v.clock, to, func(c *Cell, n uint64) { c.Level[l] += n * v.v })
	v.clock = to
}

// eachCell calls f with each cell in the clocks from..to-1, and the number of these clocks in it.
func (p *Portrait) eachCell(pe uint32, from, to uint64, f func(c *Cell, clocks uint64)) {
	for from < to {
		end := min(to, p.From+((from-p.From)/p.Window+1)*p.Window)
		f(p.cellAt(from, pe), end-from)
		from = end
	}
}

// Close counts everything up to the end of the recording.
func (p *Portrait) Close(uint64) error {
	for i := range p.pes {
		x, pe := &p.pes[i], uint32(i)
		for u := range x.unit {
			if trace.Unit(u) != trace.SU {
				p.countUnit(pe, trace.Unit(u), &x.unit[u], p.End)
			}
		}
		for s := range x.slot {
			p.countSlot(&x.slot[s], p.End)
		}
		for l := range x.level {
			p.level(pe, trace.Level(l), &x.level[l], p.End)
		}
	}
	p.Timeline.finish()
	p.Calls.finish()
	return nil
}
