package em4

import (
	"slices"

	"emsim/emcr"
	"emsim/internal/base/barrier"
	"emsim/omega"
)

// share is one thread's part of the machine: PEs that lie side by side, and
// their switches. schedule.go says why the states do not depend on how the work
// is shared.
type share struct {
	part     *omega.Part
	lo, hi   int      // words of the sets that have PEs of the share
	wheel    []uint64 // for each of the next clocks the set of PEs with that deadline
	waiting  []uint64 // set of PEs that have none until a packet comes
	clock    uint64   // that it is at
	lastMove uint64   // last clock in which something moved here
	faulted  bool
	_        [64]byte // no cache line is another share's, too
}

// Chooser chooses the number of threads that step a run.
type Chooser interface {
	Begin(clock uint64)              // the run continues from this clock
	Next(clock uint64) (threads int) // it has reached this one; called now and then
}

// Choose has c choose the number of threads of runs from now on, until SetThreads.
func (m *Machine) Choose(c Chooser) { m.choice = c }

// SetThreads shares the work of every clock of a run among n threads, n >= 1. The
// state at every clock does not depend on n.
func (m *Machine) SetThreads(n int) {
	m.choice = nil
	m.divide(n)
}

// divide shares the PEs among n threads, so that each has as much of the work that
// the PEs have had since the statistics began.
func (m *Machine) divide(n int) {
	m.catchUpAll()
	n = m.sched().Threads(min(n, (len(m.pe)+63)>>6))
	before := make([]uint64, m.Net.Groups+1) // work of the groups before
	for i := range m.pe {
		c := &m.pe[i].Clocks
		before[i/m.Net.Members+1] += c[emcr.ExuFmu] + c[emcr.IbuOnly] + 1
	}
	for g := range m.Net.Groups {
		before[g+1] += before[g]
	}
	bound := make([]int, n+1)
	for th := 1; th <= n; th++ { // in whole groups, at least one: fewer links between threads
		work := before[m.Net.Groups] * uint64(th) / uint64(n)
		g, _ := slices.BinarySearch(before, work)
		if g > 0 && work-before[g-1] < before[g]-work {
			g-- // is nearer
		}
		bound[th] = max(bound[th-1]+m.Net.Members, min(g, m.Net.Groups-n+th)*m.Net.Members)
	}
	m.sched().Split(bound...)
	m.shares = make([]share, n)
	for th := range m.shares {
		p := &m.shares[th]
		p.part, p.clock = m.sched().Part(th), m.clock
		p.lo, p.hi = p.part.Words()
		p.wheel, p.waiting = make([]uint64, wheelClocks*(p.hi-p.lo)), make([]uint64, p.hi-p.lo)
		for i := bound[th]; i < bound[th+1]; i++ {
			m.thread[i] = uint8(th)
		}
	}
	m.evaluateAllNext()
}

// startThreads starts the threads of a run.
func (m *Machine) startThreads() {
	if len(m.shares) > 1 && m.threads == nil {
		m.threads = barrier.New(len(m.shares))
	}
}

// endThreads ends them.
func (m *Machine) endThreads() {
	if m.threads != nil {
		m.threads.Close()
		m.threads = nil
	}
}

// chooseThreads sees how fast the run is, and changes the number of its threads if
// that is worth trying.
func (m *Machine) chooseThreads() {
	if m.choice == nil || m.sched().Plain() {
		return
	}
	if n := m.choice.Next(m.clock); n != len(m.shares) {
		m.endThreads()
		m.divide(n)
		m.startThreads()
	}
}

// wordClocks is how long a word to the host is on its way out [derived: the way of
// omega.HostWord]. A window is no longer, so a run that takes its totals in the
// clock in which the word is out knows of the word in time.
const wordClocks = 2

// stepTo simulates some clocks: up to clock `to`, or to the end of a window in
// which a PE failed or a word went to the host, whichever comes first. Windows do
// not depend on the number of threads, so neither does the clock in which a fault
// is noticed.
func (m *Machine) stepTo(to uint64) {
	t := m.clock
	if m.watch.rec != nil {
		if m.updateWatch(t); t < m.watch.from {
			to = min(to, m.watch.from)
		}
	}
	if m.sched().Plain() {
		m.plainClock(t)
		m.clock++
		m.gather()
		return
	}
	m.words = len(m.Net.HostWords())
	m.clock = m.windows.Step(m.threads, t, to)
	m.gather()
}

// mustLook reports whether somebody should look at the machine after a window in
// which something happened in a share: a fault, or a word to the host, which is in the
// first one.
func (m *Machine) mustLook(th int) bool {
	return m.shares[th].faulted || th == 0 && len(m.Net.HostWords()) > m.words
}

// clockOf does clock t for one share: switches decide and move their packets, PEs
// work.
func (m *Machine) clockOf(th int, t uint64) {
	p := &m.shares[th]
	p.clock = t
	if th == 0 {
		m.stepHost(t)
	}
	if p.part.Step(t) {
		p.lastMove = t
	}
	m.stepPEs(p, t)
}

// plainClock does clock t with every unit evaluated, phase by phase.
func (m *Machine) plainClock(t uint64) {
	m.stepHost(t)
	for th := range m.shares {
		p := &m.shares[th]
		if p.part.Decide(t) {
			p.lastMove = t
		}
	}
	for i := range m.pe {
		m.pe[i].Step(t)
		m.afterStep(m.shareOf(i), i, m.lazyPE(i))
	}
	for th := range m.shares {
		m.shares[th].part.Move(t)
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
