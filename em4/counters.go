package em4

import (
	"emsim/emcr"
	"emsim/ibu"
	"emsim/internal/state"
	"emsim/omega"
)

type (
	// PECounters are those of a PE.
	PECounters = emcr.Counters
	// BufferCounters are those of its input buffer.
	BufferCounters = ibu.Counters
	// SwitchCounters are those of its switching unit, by output.
	SwitchCounters = omega.Counters
)

// Counters are all that the hardware of one PE with its switch has counted
// since the statistics began, or their totals over several PEs. They are uint64
// and arrays of it; Statistics says what each is.
type Counters struct {
	PECounters
	BufferCounters
	SwitchCounters
	SegmentsPeak uint64 // most operand segments in use at once
}

// Counters returns the counters of a PE and its switch at the start of the next
// clock.
func (m *Machine) Counters(i int) Counters {
	p := m.PE(i)
	return Counters{
		PECounters: p.Counters, BufferCounters: p.IBU().Counters, SwitchCounters: m.Net.Counters(i, m.clock),
		SegmentsPeak: uint64(p.SegmentsPeak()),
	}
}

// State visits the counters.
func (c *Counters) State(s *state.Codec) { state.Fields(s, c) }

// Totals are the statistics of the whole machine over a span of clocks. Sums
// are those of all PEs; a peak is that of the PE that has the highest, since
// the statistics began.
type Totals struct {
	Clocks   uint64 // the span's; Counters.Clocks are PE-clocks by state
	Counters        // Sent includes the host's packets
}

// totals sums the statistics since the clock start.
func (m *Machine) totals(start uint64) Totals {
	m.catchUpAll()
	t := &Totals{Clocks: m.clock - start}
	for i, one := 0, new(Counters); i < len(m.pe); i++ {
		*one = m.Counters(i)
		t.add(one)
	}
	t.Sent += m.hostSent
	return *t
}

// add adds the counters of a PE: counts are summed, of peaks the higher one
// stays.
func (c *Counters) add(d *Counters) {
	for _, s := range statistics {
		switch {
		case s.links != nil:
			a, b := s.links(c), s.links(d)
			for n := range a {
				plus(&a[n], b[n], s.Kind)
			}
		case s.one != nil:
			plus(s.one(c), *s.one(d), s.Kind)
		}
	}
}

// plus adds a number to the total of some kind.
func plus(total *uint64, n uint64, k Kind) {
	if k == Peak {
		*total = max(*total, n)
	} else {
		*total += n
	}
}

// minus returns what was added to the counts since an earlier total; peaks
// stay as they are.
func (t Totals) minus(u Totals) Totals {
	t.Clocks -= u.Clocks
	for _, s := range statistics {
		if s.Kind == Sum {
			for n := range s.numbers() {
				*s.number(&t.Counters, n) -= *s.number(&u.Counters, n)
			}
		}
	}
	return t
}

// Plus returns the totals of two spans together.
func (t Totals) Plus(u Totals) Totals {
	t.Clocks += u.Clocks
	t.add(&u.Counters)
	return t
}

// States returns the PE-clocks spent in each state; they sum to Clocks × PEs.
func (t Totals) States() [emcr.Activities]uint64 { return t.Counters.Clocks }

// Share returns the part 0..1 of all PE-clocks that were spent in a state.
func (t Totals) Share(s emcr.Activity) float64 { return t.share(t.Counters.Clocks[s]) }

// share returns the part 0..1 that some PE-clocks are of all.
func (t *Totals) share(clocks uint64) float64 {
	sum := uint64(0)
	for _, n := range t.Counters.Clocks {
		sum += n
	}
	if sum == 0 {
		return 0
	}
	return float64(clocks) / float64(sum)
}

// Utilisation returns the papers' PE utilisation 0..1: IBU, FMU or EXU at
// work, waiting excluded [003 §3.2, §4.2].
func (t Totals) Utilisation() float64 { return t.Share(emcr.ExuFmu) + t.Share(emcr.IbuOnly) }

// State visits the totals.
func (t *Totals) State(c *state.Codec) {
	state.Num(c, &t.Clocks)
	t.Counters.State(c)
}
