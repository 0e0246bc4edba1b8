package em4

import (
	"runtime"

	"emsim/internal/barrier"
)

// share is one thread's part of the machine: the PEs and switches of whole
// words of the sets. schedule.go says why the states do not depend on how the
// work is shared.
type share struct {
	lo, hi   int    // words of the sets
	lastMove uint64 // last clock in which something moved here
	faulted  bool
	_        [32]byte // fills a cache line of its own
}

// wordsPerThread is how much work makes it worthwhile to wait for another
// thread [measured: docs/PERFORMANCE.md].
const wordsPerThread = 3

// DefaultThreads returns the number of threads that is fastest for a machine of
// so many PEs on this computer.
func DefaultThreads(pes int) int {
	return max(1, min(runtime.GOMAXPROCS(0), pes/64/wordsPerThread))
}

// SetThreads shares the work of every clock of a run among n threads, n >= 1.
// The state at every clock does not depend on n.
func (m *Machine) SetThreads(n int) {
	words := m.sched().Words()
	n = min(n, words)
	m.sched().SetThreads(n)
	m.shares = make([]share, n)
	m.lazy.thread = make([]uint8, words)
	for th := range m.shares {
		p := &m.shares[th]
		p.lo, p.hi = th*words/n, (th+1)*words/n
		for w := p.lo; w < p.hi; w++ {
			m.lazy.thread[w] = uint8(th)
		}
	}
}

// startThreads starts the threads of a run; the returned function ends them.
func (m *Machine) startThreads() (end func()) {
	if len(m.shares) == 1 || m.threads != nil {
		return func() {}
	}
	m.threads = barrier.New(len(m.shares))
	return func() {
		m.threads.Close()
		m.threads = nil
	}
}

// decidePhase is the first phase of a clock for one thread: switches arbitrate,
// PEs work.
func (m *Machine) decidePhase(th int) {
	p, t := &m.shares[th], m.clock
	if m.sched().Arbitrate(t, p.lo, p.hi) {
		p.lastMove = t
	}
	for w := p.lo; w < p.hi; w++ {
		m.stepPEs(w, t)
	}
}

// movePhase is the second phase of a clock for one thread: packets move.
func (m *Machine) movePhase(th int) {
	p, t := &m.shares[th], m.clock
	m.sched().Transfer(t, p.lo, p.hi, th)
	for w := p.lo; w < p.hi; w++ {
		m.noteDelivered(w, t)
	}
}

// gather collects what the threads noted in their shares.
func (m *Machine) gather() {
	for th := range m.shares {
		p := &m.shares[th]
		m.lastMove = max(m.lastMove, p.lastMove)
		m.faulted = m.faulted || p.faulted
	}
}
