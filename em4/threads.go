package em4

import (
	"slices"

	"emsim/emcr"
	"emsim/internal/base/barrier"
	"emsim/omega"
)

// part is one thread's part of the machine: a contiguous range of PEs, and their switches. schedule.go says why the
// states do not depend on how the work is divided.
type part struct {
	net      *omega.Part
	wheel    []uint64 // for each of the next clocks, the set of PEs with this deadline
	waiting  []uint64 // set of PEs without a deadline until a packet arrives
	clock    uint64   // the part's current clock
	lastMove uint64   // last clock in which something moved in the part
	faulted  bool
	_        [64]byte // padding: parts must not have a cache line in common
}

// Chooser chooses the number of threads that step a run.
type Chooser interface {
	Begin(clock uint64)              // the run continues from this clock
	Next(clock uint64) (threads int) // the run has reached this clock; called from time to time
}

// Choose lets c choose the number of threads of all runs, until SetThreads is called.
func (m *Machine) Choose(c Chooser) { m.choice = c }

// SetThreads divides the work of each clock of a run among n threads, n >= 1. The state at every clock does not depend
// on n.
func (m *Machine) SetThreads(n int) {
	m.choice = nil
	m.divide(n)
}

// divide divides the PEs among n threads, so that each thread gets PEs with about the same work since the statistics
// began.
func (m *Machine) divide(n int) {
	m.catchUpAll()
	n = min(n, (len(m.pe)+63)>>6)
	before := make([]uint64, m.Net.Groups+1) // work of the groups before each group
	for i := range m.pe {
		c := &m.pe[i].Clocks
		before[i/m.Net.Members+1] += c[emcr.ExuFmu] + c[emcr.IbuOnly] + 1
	}
	for g := range m.Net.Groups {
		before[g+1] += before[g]
	}
	bound := make([]int, n+1)
	for th := 1; th <= n; th++ { // each thread has whole groups, at least one: this gives fewer links between threads
		work := before[m.Net.Groups] * uint64(th) / uint64(n)
		g, _ := slices.BinarySearch(before, work)
		if g > 0 && work-before[g-1] < before[g]-work {
			g-- // the smaller bound is nearer
		}
		bound[th] = max(bound[th-1]+m.Net.Members, min(g, m.Net.Groups-n+th)*m.Net.Members)
	}
	m.sched().Split(bound...)
	m.parts = make([]part, n)
	for th := range m.parts {
		p := &m.parts[th]
		p.net, p.clock = m.sched().Part(th), m.clock
		p.wheel, p.waiting = make([]uint64, wheelClocks*p.net.Words()), make([]uint64, p.net.Words())
		for i := bound[th]; i < bound[th+1]; i++ {
			m.thread[i] = uint8(th)
		}
	}
	m.evaluateAllNext()
}

// startThreads starts the threads of a run.
func (m *Machine) startThreads() {
	if len(m.parts) > 1 && m.threads == nil {
		m.threads = barrier.New(len(m.parts))
	}
}

// endThreads ends the threads of a run.
func (m *Machine) endThreads() {
	if m.threads != nil {
		m.threads.Close()
		m.threads = nil
	}
}

// chooseThreads changes the number of threads to the number that m.choice returns, if there is a Chooser.
func (m *Machine) chooseThreads() {
	if m.choice == nil || m.sched().Plain() {
		return
	}
	if n := m.choice.Next(m.clock); n != len(m.parts) {
		m.endThreads()
		m.divide(n)
		m.startThreads()
	}
}

// wordClocks is the number of clocks that a word to the host takes to leave the machine [derived: see omega.HostWord].
// Windows are no longer than this. So a run that takes its totals in the clock in which the word is out knows of the
// word in time.
const wordClocks = 2

// stepTo simulates up to clock `to`, or to the end of a window in which a PE failed or a word went to the host,
// whichever comes first. If the network is plain, it simulates a single clock. Windows do not depend on the number of
// threads, so neither does the clock in which a fault is noticed.
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

// mustReturn reports whether the run must check the machine after a window, because a PE of the part has failed, or a
// word went to the host. Only the first part sends words to the host.
func (m *Machine) mustReturn(th int) bool {
	return m.parts[th].faulted || th == 0 && len(m.Net.HostWords()) > m.words
}

// clockOf simulates clock t of one part: its switches decide and move their packets, then its PEs work.
func (m *Machine) clockOf(th int, t uint64) {
	p := &m.parts[th]
	p.clock = t
	if th == 0 {
		m.stepHost(t)
	}
	if p.net.Step(t) {
		p.lastMove = t
	}
	m.stepPEs(p, t)
}

// plainClock simulates clock t with every unit evaluated, phase by phase.
func (m *Machine) plainClock(t uint64) {
	m.stepHost(t)
	for th := range m.parts {
		p := &m.parts[th]
		if p.net.Decide(t) {
			p.lastMove = t
		}
	}
	for i := range m.pe {
		m.pe[i].Step(t)
		m.afterStep(m.partOf(i), i, m.lazyPE(i))
	}
	for th := range m.parts {
		m.parts[th].net.Move(t)
	}
}

// gather collects, between two clocks, the mail between the parts and their results for the machine.
func (m *Machine) gather() {
	for th := range m.parts {
		p := &m.parts[th]
		p.net.Collect()
		p.clock = m.clock
		m.lastMove = max(m.lastMove, p.lastMove)
		m.faulted = m.faulted || p.faulted
	}
}
