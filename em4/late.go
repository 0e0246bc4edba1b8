package em4

import (
	"math/bits"

	"emsim/emcr"
	"emsim/packet"
)

// dueClocks is more than any PE is before its Due [derived: the quiet clocks of
// a program and those in which the IBU has the memory are cut at 24 each, an
// instruction takes at most 31, the injection at most 8].
const dueClocks = 128

// late says when each PE is evaluated. Between these clocks nobody needs to
// know what is in it; the PE passes through the clocks that it missed when it
// is asked.
type late struct {
	words int
	sets  []uint64 // for each of the next clocks the PEs that are due then
	owner []uint8  // by word: the thread
	due   []uint64 // by PE: the clock in which it is due; packet.Never when something has to come first
}

func (l *late) init(m *Machine) {
	l.words = m.Net.Words()
	l.sets = make([]uint64, dueClocks*l.words)
	l.due = make([]uint64, len(m.pe))
	for i := range l.due {
		l.due[i] = packet.Never
	}
	m.Net.Sync = m.sync
}

// set notes when PE i is due.
func (l *late) set(i int, t uint64) {
	l.due[i] = t
	if t != packet.Never {
		l.sets[int(t%dueClocks)*l.words+i>>6] |= 1 << (i & 63)
	}
}

// take returns the PEs of word w that are due in clock t.
func (l *late) take(w int, t uint64) uint64 {
	at := &l.sets[int(t%dueClocks)*l.words+w]
	s := *at
	*at = 0
	return s
}

// lag returns a PE for the scheduler.
func (m *Machine) lag(i int) *emcr.Lag { return (*emcr.Lag)(&m.pe[i]) }

// sync brings a PE to the start of clock t.
func (m *Machine) sync(i int, t uint64) {
	if m.lag(i).Next() < t {
		m.lag(i).Advance(t - 1)
		m.follow(i)
	}
}

// settle brings all PEs to the start of the next clock.
func (m *Machine) settle() {
	for i := range m.pe {
		m.sync(i, m.clock)
	}
	m.fold()
}

// dueAll makes all PEs due in the next clock.
func (m *Machine) dueAll() {
	for i := range m.pe {
		m.late.set(i, m.clock)
	}
}

// takings finds out when the PEs are due whose packet the switch has taken.
func (m *Machine) takings(w int, t uint64) {
	for s := m.Net.Taken()[w]; s != 0; s &= s - 1 {
		i := w<<6 + bits.TrailingZeros64(s)
		m.late.set(i, m.lag(i).Taken(t))
	}
}

// arrivals finds out when the PEs are due that have got a packet. One that is
// due, or waits for the switch, does nothing earlier because of it.
func (m *Machine) arrivals(w int, t uint64) {
	woken := m.Net.Woken()
	for s := woken[w]; s != 0; s &= s - 1 {
		i := w<<6 + bits.TrailingZeros64(s)
		if m.late.due[i] == packet.Never && !m.lag(i).Blocked() {
			m.late.set(i, m.lag(i).Arrived(t))
		}
	}
	woken[w] = 0
}
