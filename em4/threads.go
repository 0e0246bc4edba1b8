package em4

import (
	"runtime"

	"emsim/internal/crew"
)

// part is the share of one thread: the PEs and switches of whole words of the
// sets. In the first half of a clock a thread reads what is of others and
// writes only its own; in the second half a switch writes into the banks
// downstream, which nobody reads then. So the state does not depend on how the
// work is shared.
type part struct {
	lo, hi   int    // words
	lastMove uint64 // last clock in which something moved here
	faulted  bool
	_        [32]byte // threads write to cache lines of their own
}

// wordsOfAThread is what makes it worth while to wait for one [measured:
// docs/PERFORMANCE.md].
const wordsOfAThread = 3

// DefaultThreads returns the number of threads that is fastest for a machine on
// this computer.
func DefaultThreads(pes int) int {
	return max(1, min(runtime.GOMAXPROCS(0), pes/64/wordsOfAThread))
}

// SetThreads shares the work of every clock of a run among n threads, n >= 1.
// The state at every clock is the same for any number.
func (m *Machine) SetThreads(n int) {
	words := m.Net.Words()
	n = min(n, words)
	m.Net.SetThreads(n)
	m.parts = make([]part, n)
	m.late.owner = make([]uint8, words)
	for th := range m.parts {
		p := &m.parts[th]
		p.lo, p.hi = th*words/n, (th+1)*words/n
		for w := p.lo; w < p.hi; w++ {
			m.late.owner[w] = uint8(th)
		}
	}
}

// team starts the threads of a run and returns what ends them.
func (m *Machine) team() (end func()) {
	if len(m.parts) == 1 || m.crew != nil {
		return func() {}
	}
	m.crew = crew.New(len(m.parts))
	return func() {
		m.crew.Close()
		m.crew = nil
	}
}

// decide is the first half of a clock for one thread.
func (m *Machine) decide(th int) {
	p, t := &m.parts[th], m.clock
	if m.Net.Arbitrate(t, p.lo, p.hi) {
		p.lastMove = t
	}
	for w := p.lo; w < p.hi; w++ {
		m.stepPEs(w, t)
	}
}

// change is the second half.
func (m *Machine) change(th int) {
	p, t := &m.parts[th], m.clock
	m.Net.Transfer(t, p.lo, p.hi, th)
	for w := p.lo; w < p.hi; w++ {
		m.arrivals(w, t)
	}
}

// fold brings together what the threads noted.
func (m *Machine) fold() {
	for th := range m.parts {
		p := &m.parts[th]
		m.lastMove = max(m.lastMove, p.lastMove)
		m.faulted = m.faulted || p.faulted
	}
}
