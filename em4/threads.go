package em4

import (
	"runtime"

	"emsim/internal/barrier"
	"emsim/omega"
)

// share is one thread's part of the machine: PEs that lie side by side, and
// their switches. schedule.go says why the states do not depend on how the work
// is shared.
type share struct {
	part     *omega.Part
	lo, hi   int      // words of the sets that have PEs of the share
	wheel    []uint64 // for each of the next clocks the set of PEs with that deadline
	clock    uint64   // that it is at
	lastMove uint64   // last clock in which something moved here
	faulted  bool
	_        [64]byte // no cache line is another share's, too
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
	m.catchUpAll()
	n = min(n, (len(m.pe)+63)>>6)
	bound := make([]int, n+1)
	for th := range bound {
		bound[th] = th * m.Net.Groups / n * m.Net.Members // whole groups: fewer links between threads
	}
	m.sched().Split(bound...)
	m.shares = make([]share, n)
	for th := range m.shares {
		p := &m.shares[th]
		p.part, p.clock = m.sched().Part(th), m.clock
		p.lo, p.hi = p.part.Words()
		p.wheel = make([]uint64, wheelClocks*(p.hi-p.lo))
		for i := bound[th]; i < bound[th+1]; i++ {
			m.lazy.thread[i] = uint8(th)
		}
	}
	m.evaluateAllNext()
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

// clockOf is clock t for one share: switches decide and move their packets, PEs
// work.
func (m *Machine) clockOf(p *share, t uint64) {
	p.clock = t
	if p == &m.shares[0] {
		m.stepHost(t)
	}
	if p.part.Step(t) {
		p.lastMove = t
	}
	m.stepPEs(p, t)
}

// plainClock is clock t with every unit evaluated, phase by phase.
func (m *Machine) plainClock(t uint64) {
	m.stepHost(t)
	for th := range m.shares {
		p := &m.shares[th]
		p.clock = t
		if p.part.Decide(t) {
			p.lastMove = t
		}
	}
	for th := range m.shares {
		m.stepEveryPE(&m.shares[th], t)
	}
	for th := range m.shares {
		m.shares[th].part.Move(t)
	}
	m.forgetDelivered()
}

// forgetDelivered is for whoever sets no deadlines because all PEs will be
// evaluated.
func (m *Machine) forgetDelivered() {
	for th := range m.shares {
		p := &m.shares[th]
		for w := p.lo; w < p.hi; w++ {
			p.part.TakeDelivered(w)
		}
	}
}

// gather brings together what the shares have for each other and for the
// machine, between two clocks.
func (m *Machine) gather() {
	for th := range m.shares {
		p := &m.shares[th]
		p.part.Collect()
		p.clock = m.clock
		m.lastMove = max(m.lastMove, p.lastMove)
		m.faulted = m.faulted || p.faulted
	}
}
