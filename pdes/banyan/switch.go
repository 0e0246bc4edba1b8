package banyan

import (
	"emsim/internal/base/agenda"
	"emsim/internal/base/rng"
	"emsim/internal/base/state"
)

// A Cell is the unit that travels through the banyan.
type Cell struct {
	Dst  uint16 // exit line
	Src  uint16 // entry line
	Born uint32 // slot in which the cell entered
}

func (c Cell) packed() uint64 { return uint64(c.Dst) | uint64(c.Src)<<16 | uint64(c.Born)<<32 }

// A Slot is what a line carries in one slot: a cell, or nothing.
type Slot struct {
	Cell
	Full bool
}

// Codec is a walk over the state of a machine.
type Codec = state.Codec

// State visits a cell.
func (x *Cell) State(c *Codec) {
	state.Below(c, 1<<16, &x.Dst, &x.Src)
	state.Num(c, &x.Born)
}

// State visits a slot.
func (x *Slot) State(c *Codec) {
	x.Cell.State(c)
	state.Bool(c, &x.Full)
}

// State visits a switch.
func (s *Switch) State(c *Codec) {
	state.Num(c, &s.slot)
	for k := range s.queue {
		s.queue[k].State(c, MaxQueue<<10, func(x *Cell) { x.State(c) })
	}
	state.Nums(c, s.stream[:])
	state.Num(c, &s.hash)
	state.Fields(c, &s.counts)
}

// Counts holds the cell counts of a switch or of a whole run.
type Counts struct {
	Injected int64 // cells that entered
	Drops    int64 // cells lost at full queues
	Sunk     int64 // cells that left from the last stage
	Delay    int64 // slots from entry to exit, summed over the sunk cells
}

// Add returns the sum of two counts.
func (c Counts) Add(d Counts) Counts {
	return Counts{c.Injected + d.Injected, c.Drops + d.Drops, c.Sunk + d.Sunk, c.Delay + d.Delay}
}

// A Switch is one LP: a 2x2 switch with two output queues. It counts slots and does not use the machine's time.
type Switch struct {
	ID     int
	slot   int64 // the slot that Step runs next
	queue  [2]agenda.FIFO[Cell]
	stream [2]rng.Stream // of the entry lines, in the first stage
	hash   uint64
	counts Counts
}

// NewSwitch returns an LP before its first slot.
func NewSwitch(m *Model, id int) *Switch {
	s := &Switch{ID: id, hash: 0xcbf29ce484222325}
	for k := range s.stream {
		s.stream[k] = source(m.Seed, 2*m.Place(id)+k)
	}
	return s
}

// Slot returns the slot that Step runs next, which is also the number of slots done.
func (s *Switch) Slot() int64 { return s.slot }

// Counts returns the switch's counts so far.
func (s *Switch) Counts() Counts { return s.counts }

// Queued returns the number of cells in the output queues.
func (s *Switch) Queued() int { return s.queue[0].Len() + s.queue[1].Len() }

// Step runs one slot. In the first stage the inputs come from the sources and in is ignored; in the last stage the
// outputs go to the sinks.
func (s *Switch) Step(m *Model, in [2]Slot) (out [2]Slot) {
	stage, t := m.Stage(s.ID), s.slot
	if stage == 0 {
		in = s.enter(m)
	}
	s.fingerprint(uint64(t))
	for i := range 2 {
		k := i ^ int(t&1) // the input served first changes from slot to slot
		if !in[k].Full {
			continue
		}
		c := in[k].Cell
		s.fingerprint(c.packed())
		q := &s.queue[m.Output(stage, c)]
		if m.Queue > 0 && q.Len() >= m.Queue {
			s.counts.Drops++
			s.fingerprint(0xdead)
			continue
		}
		q.Push(c)
	}
	for k := range out {
		if s.queue[k].Len() == 0 {
			continue
		}
		c := s.queue[k].PopOldest()
		out[k] = Slot{Cell: c, Full: true}
		s.fingerprint(uint64(c.Src)<<20 | uint64(k))
		if stage == m.Stages-1 {
			s.fingerprint(0x51)
			s.counts.Sunk++
			s.counts.Delay += t - int64(c.Born)
		}
	}
	s.slot++
	return out
}

// enter draws the cells of this slot on the two entry lines.
func (s *Switch) enter(m *Model) (in [2]Slot) {
	for k := range in {
		dst, ok := drawCell(&s.stream[k], m.Load, m.Lines())
		if !ok {
			continue
		}
		s.counts.Injected++
		in[k] = Slot{Cell: Cell{Dst: uint16(dst), Src: uint16(2*m.Place(s.ID) + k), Born: uint32(s.slot)}, Full: true}
	}
	return in
}

// fingerprint folds a word into the switch's fingerprint.
func (s *Switch) fingerprint(v uint64) { s.hash = mixHash(s.hash, v) }

func mixHash(h, v uint64) uint64 {
	h ^= v
	h *= 0x100000001b3
	return h ^ h>>29
}

// Fingerprint folds the fingerprints of all LPs, in order of their ids, into
// the fingerprint of a run. Two runs with equal fingerprints had the same cells in the
// same slots at the same switches.
func Fingerprint(lps []*Switch) uint64 {
	h := uint64(1)
	for _, s := range lps {
		h = s.Fold(h)
	}
	return h
}

// Fold folds the LP's fingerprint into the fingerprint of the LPs before it.
func (s *Switch) Fold(h uint64) uint64 {
	h = mixHash(h, s.hash)
	h = mixHash(h, uint64(s.slot))
	h = mixHash(h, uint64(s.counts.Drops)<<32|uint64(s.counts.Sunk))
	return mixHash(h, uint64(s.counts.Delay))
}

// source returns the random stream of one entry line.
func source(seed uint64, line int) rng.Stream {
	return rng.Stream(seed*1000003 + uint64(line)*0x9e3779b9)
}

// drawCell decides whether a cell enters in this slot, and draws its destination.
func drawCell(s *rng.Stream, load float64, lines int) (dst int, ok bool) {
	if s.Unit() >= load {
		return 0, false
	}
	return s.Below(lines), true
}
