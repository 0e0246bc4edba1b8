package em4

import (
	"emsim/emcr"
	"emsim/ibu"
	"emsim/internal/base/state"
	"emsim/omega"
)

type (
	// PECounters are the counters of a PE.
	PECounters = emcr.Counters
	// BufferCounters are the counters of a PE's input buffer.
	BufferCounters = ibu.Counters
	// SwitchCounters are the counters of a PE's switching unit, by output.
	SwitchCounters = omega.Counters
)

// Counters hold everything that one PE and its switch have counted since the statistics began, or the totals over
// several PEs. All fields are uint64 or arrays of uint64; Statistics describes each of them.
type Counters struct {
	PECounters
	BufferCounters
	SwitchCounters
	SegmentsPeak uint64 // most operand segments in use at once
	BusyPeak     uint64 // clocks with FMU or EXU at work; in a total, of the busiest PE
}

// Counters returns the counters of a PE and its switch at the start of the next
// clock.
func (m *Machine) Counters(i int) Counters {
	p := m.PE(i)
	return Counters{
		PECounters: p.Counters, BufferCounters: p.IBU().Counters, SwitchCounters: m.Net.Counters(i, m.clock),
		SegmentsPeak: uint64(p.SegmentsPeak()), BusyPeak: p.Counters.Clocks[emcr.ExuFmu],
	}
}

// State visits the counters.
func (c *Counters) State(s *state.Codec) { state.Fields(s, c) }

// Totals are the statistics of the whole machine over a span of clocks. Counts
// are sums over all PEs; a peak is the highest of all PEs since the statistics
// began.
type Totals struct {
	Clocks   uint64 // clocks of the span; Counters.Clocks are PE-clocks by activity
	Counters        // Sent includes the packets of the host
}

// totals returns the statistics, summed over all PEs. start is the clock in which they began.
func (m *Machine) totals(start uint64) Totals {
	m.catchUpAll()
	t := &Totals{Clocks: m.clock - start}
	for i, one := 0, new(Counters); i < len(m.pe); i++ {
		*one = m.Counters(i)
		t.merge(one)
	}
	t.Sent += m.hostSent
	return *t
}

// merge adds the counters of a PE: counts are summed, and the higher peak is
// kept.
func (c *Counters) merge(d *Counters) {
	for _, s := range statistics {
		switch {
		case s.links != nil:
			for n, v := range s.links(d) {
				accumulate(&s.links(c)[n], v, s.Kind)
			}
		case s.one != nil:
			accumulate(s.one(c), *s.one(d), s.Kind)
		}
	}
}

// accumulate adds a number of kind k to a total.
func accumulate(total *uint64, n uint64, k Kind) {
	if k == Peak {
		*total = max(*total, n)
	} else {
		*total += n
	}
}

// minus returns the difference from an earlier total. Peaks stay as they are.
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
	t.merge(&u.Counters)
	return t
}

// States returns the PE-clocks of each activity. Their sum is Clocks × PEs.
func (t Totals) States() [emcr.Activities]uint64 { return t.Counters.Clocks }

// Share returns an activity's share 0..1 of all PE-clocks.
func (t Totals) Share(s emcr.Activity) float64 { return t.share(t.Counters.Clocks[s]) }

// share returns a number of PE-clocks as a share 0..1 of all PE-clocks.
func (t *Totals) share(clocks uint64) float64 {
	return float64(clocks) / float64(max(1, t.peClocks()))
}

// peClocks returns the number of PE-clocks over all PEs.
func (t *Totals) peClocks() (sum uint64) {
	for _, n := range t.Counters.Clocks {
		sum += n
	}
	return sum
}

// Imbalance returns the clocks of the busiest PE with FMU or EXU at work, divided by the mean over the PEs. It returns
// 1 if the work is even, or if there is no work.
func (t Totals) Imbalance() float64 {
	busy := t.Counters.Clocks[emcr.ExuFmu]
	if busy == 0 || t.Clocks == 0 {
		return 1
	}
	pes := (t.peClocks() + t.Clocks/2) / t.Clocks
	return float64(t.BusyPeak) * float64(pes) / float64(busy)
}

// Utilisation returns the paper's PE utilisation 0..1: "the average share of PEs
// that are working in each clock" [003 §3.2], where "a PE is working while any of
// IBU, FMU and EXU is" [003 §4.2].
func (t Totals) Utilisation() float64 { return t.Share(emcr.ExuFmu) + t.Share(emcr.IbuOnly) }

// State visits the totals.
func (t *Totals) State(c *state.Codec) {
	state.Num(c, &t.Clocks)
	t.Counters.State(c)
}
