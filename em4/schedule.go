package em4

import (
	"math/bits"

	"emsim/emcr"
	"emsim/omega"
	"emsim/packet"
)

// How the machine is simulated
//
// In hardware every unit works in every clock. The obvious simulator does the
// same: arbitrate all switches, step all PEs, transfer all packets, next clock.
// That is what SetEager gives, and what the files of hardware describe
// (omega/su.go; emcr/mcu.go, fmu.go, exu.go; ibu/ibu.go). It is too slow: in
// most clocks most units of a large machine do nothing, or do what nobody looks
// at until later. So the simulator is turned inside out, in three ways, and none
// of them changes the state at any clock.
//
// 1. Switches sleep (omega/schedule.go). A switch that cannot move a packet
// decides the same until something changes for it: a packet arrives, a bank
// downstream or one of its ports is free again, its PE's intake has been
// emptied. Each of these causes knows its clock, often several clocks ahead, and
// notes the switch in a wheel of sets, one for each of the next clocks. A clock
// asks only the switches in its own set.
//
// 2. PEs are lazy (emcr/lazy.go, and below). A PE touches nothing outside itself
// but its pins, and its switch reads these at few moments: when a packet leaves
// the PE, when one is delivered, when a passing MLPE packet asks for the load.
// Between two such moments the PE's clocks can be simulated later, all in one
// go, while the PE's state is in the host's cache. A PE catches up
//
//	before its switch reads its pins                   BeforeRead
//	by its deadline: the last clock by which it must   Lazy.Deadline
//	  be simulated, because its next packet can be
//	  visible to the switch one clock later
//	before anybody looks at it from outside            Machine.PE, catchUpAll
//
// The deadline comes from the program: the loader computes for every instruction
// how many clocks lie before the next one that can send. A PE that is empty, or
// blocked by its switch, has no deadline until a packet comes or is accepted.
// Catching up goes from event to event (emcr/leap.go): while the input buffer
// leaves the memory port alone, FMU and EXU run on without being asked in every
// clock who has it; while the buffer moves packets, the others stand still. What
// a unit does when it acts is the same code as in a plain clock. Clocks that do
// not fit, about one in a hundred, are stepped plainly, and so are all clocks of
// PEs whose buffer has a memory or a queue of its own, or that have an output
// packet buffer, except that clocks in which no unit can act are always added up
// at once.
//
// 3. Threads share a clock (threads.go, internal/barrier). Each owns some words
// of the sets: 64 PEs and their switches per word. The threads meet after each
// phase of a clock.
//
// Why the states are those of the eager machine:
//
//   - A sleeping switch would decide "nothing moves", which changes nothing.
//     Waking it too often costs time only; waking it too late is prevented by
//     the rule that whoever changes what a verdict rests on also wakes.
//   - A lazy PE passes through the same events in the same clocks with the same
//     inputs. Its inputs carry their clocks (InReady, AcceptedAt), so it sees
//     them in the right one; its outputs are read only after it has caught up.
//   - In the first phase of a clock a thread writes only what it owns and reads
//     what nobody writes then; in the second every bank has one writer and
//     no reader.
//
// Tests compare the hash of the whole state at every clock with that of the
// eager machine: TestOrderAndSleepDoNotMatter and its relatives here, TestInStep,
// TestCatchUpEqualsSteps and TestDeadlineIsInTime in emcr, TestThreadsDoNotMatter in em4 and omega. Who
// is simulated when is in no hash and in no checkpoint. While a recorder or the
// debugger's breakpoints watch, every unit is evaluated in every clock.
//
// What was tried. The first version asked every switch that held a packet in
// every clock; the second asked again in every clock as long as something was in
// the way. Now the reason for waiting says until when it holds. Some ideas gave
// nothing: touching the next packet's operand word early (touching the matching
// word early does help), keeping the fields that every clock needs next to each
// other in a PE, huge pages, words and tags of memory in one cell. A
// profile-guided build gives 4 to 8 % but takes a minute to compile. What a clock
// costs now is in docs/PERFORMANCE.md.

// wheelClocks is more than any PE's deadline can be ahead [derived: lookahead
// and the clocks in which the IBU has the memory are cut at 24 each, an
// instruction takes at most 31, the injection at most 8].
const wheelClocks = 128

// lazyPEs says by which clock each PE must be simulated.
type lazyPEs struct {
	words    int
	wheel    []uint64 // for each of the next clocks the set of PEs with that deadline
	deadline []uint64 // by PE; packet.Never if something has to come first
	thread   []uint8  // by word of the sets: the thread that owns it
}

func (l *lazyPEs) init(m *Machine) {
	l.words = m.sched().Words()
	l.wheel = make([]uint64, wheelClocks*l.words)
	l.deadline = make([]uint64, len(m.pe))
	for i := range l.deadline {
		l.deadline[i] = packet.Never
	}
	m.sched().BeforeRead(m.catchUp)
}

// set sets the deadline of PE i.
func (l *lazyPEs) set(i int, t uint64) {
	l.deadline[i] = t
	if t != packet.Never {
		l.wheel[int(t%wheelClocks)*l.words+i>>6] |= 1 << (i & 63)
	}
}

// takeDue returns the PEs of word w with deadline t, and forgets them.
func (l *lazyPEs) takeDue(w int, t uint64) uint64 {
	at := &l.wheel[int(t%wheelClocks)*l.words+w]
	s := *at
	*at = 0
	return s
}

// sched returns the network as its scheduler.
func (m *Machine) sched() *omega.Scheduler { return (*omega.Scheduler)(m.Net) }

// lazyPE returns a PE as its scheduler sees it.
func (m *Machine) lazyPE(i int) *emcr.Lazy { return (*emcr.Lazy)(&m.pe[i]) }

// catchUp simulates PE i up to the start of clock t.
func (m *Machine) catchUp(i int, t uint64) {
	if m.lazyPE(i).NextClock() < t {
		m.lazyPE(i).CatchUp(t - 1)
		m.afterStep(i)
	}
}

// catchUpAll simulates all PEs up to the start of the machine's next clock.
func (m *Machine) catchUpAll() {
	for i := range m.pe {
		m.catchUp(i, m.clock)
	}
	m.gather()
}

// Stepped returns the number of PE-clocks that were simulated one by one since
// the machine was built: the others were simulated several at a time.
func (m *Machine) Stepped() uint64 {
	n := uint64(0)
	for i := range m.pe {
		n += m.lazyPE(i).Stepped()
	}
	return n
}

// evaluateAllNext has every PE evaluated in the next clock.
func (m *Machine) evaluateAllNext() {
	for i := range m.pe {
		m.lazy.set(i, m.clock)
	}
}

// stepPEs simulates the PEs of word w that must be simulated in clock t.
func (m *Machine) stepPEs(w int, t uint64) {
	if m.eager || m.watch.on {
		for s := m.present(w); s != 0; s &= s - 1 {
			i := w<<6 + bits.TrailingZeros64(s)
			m.pe[i].Step(t)
			m.afterStep(i)
		}
		return
	}
	m.noteAccepted(w, t)
	for s := m.lazy.takeDue(w, t); s != 0; s &= s - 1 {
		i := w<<6 + bits.TrailingZeros64(s)
		p := m.lazyPE(i)
		p.CatchUp(t)
		m.afterStep(i)
		m.lazy.set(i, p.Deadline())
	}
}

// afterStep passes on what a PE has done: the packet on its pins to its switch,
// its last activity and its fault to its thread's share.
func (m *Machine) afterStep(i int) {
	p := &m.pe[i]
	if pins := &m.pins[i]; pins.OutFull && pins.OutReady >= m.clock {
		m.sched().Offer(i, pins.OutReady)
	}
	share := &m.shares[m.lazy.thread[i>>6]]
	share.lastMove = max(share.lastMove, m.lazyPE(i).LastActive())
	if p.Fault() != nil {
		share.faulted = true
	}
}

// present returns the PEs of word w as a bit set.
func (m *Machine) present(w int) uint64 {
	if left := len(m.pe) - w*64; left < 64 {
		return 1<<left - 1
	}
	return ^uint64(0)
}

// noteAccepted sets the deadlines of the PEs of word w whose packet the switch
// has accepted.
func (m *Machine) noteAccepted(w int, t uint64) {
	for s := m.sched().Accepted()[w]; s != 0; s &= s - 1 {
		i := w<<6 + bits.TrailingZeros64(s)
		m.lazy.set(i, m.lazyPE(i).DeadlineOnAccept(t))
	}
}

// noteDelivered sets the deadlines of the PEs of word w that got a packet. A PE
// that has a deadline, or is blocked, sends nothing earlier because of it.
func (m *Machine) noteDelivered(w int, t uint64) {
	delivered := m.sched().Delivered()
	for s := delivered[w]; s != 0; s &= s - 1 {
		i := w<<6 + bits.TrailingZeros64(s)
		if m.lazy.deadline[i] == packet.Never && !m.lazyPE(i).Blocked() {
			m.lazy.set(i, m.lazyPE(i).DeadlineOnDelivery(t))
		}
	}
	delivered[w] = 0
}
