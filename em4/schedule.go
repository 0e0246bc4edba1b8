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
// 1. Switches decide only when packets have arrived (omega/schedule.go), and 64 at a
// time where many have (omega/lanes.go). What a switch decides depends on few bits: which
// slots hold a packet that has arrived, to which output it goes, where there is
// room, which ports are busy, who was served last. Kept as words of 64 switches,
// they are judged, nominated and served by a few hundred operations, whatever the
// switches hold; only packets that move are touched. What changes such a word
// later, a packet on its way or a bank that is free again, is known some clocks
// ahead and lies in a wheel of words, one for each of the next clocks. Only of a
// full intake nobody knows when it will be empty: the PE gives the first clock in
// which it can be (ibu/lazy.go), and from then on it is asked in every clock.
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
// 3. Threads share the machine (threads.go, omega/mail.go, internal/base/barrier).
// Each has the PEs and switches of some groups, and goes through a window of
// clocks by itself. What its switches send to those of another thread, packets
// and word of emptied banks, lies in mailboxes until the threads meet at the
// window's end: at the shorter of hop_clocks and bank_clocks, but at most two
// clocks (stepTo).
//
// Why the states are those of the eager machine:
//
//   - A switch without a packet that has arrived moves nothing. Where one has, all
//     64 of its word decide in every clock, from bits that every move brings up to
//     date: there is no wake-up that could come too late.
//   - What a switch moves in a clock no other switch can see in this clock, even
//     if it decides later: a packet on its way carries the clock in which it
//     arrives, at least one later (hop_clocks), and an emptied bank the clock from
//     which it can be filled, at least two later (bank_clocks). Before that clock
//     the bank is refused, as a full one is.
//   - The PEs of a clock are stepped after the switches. Their packets and loads
//     of this clock are for the next one.
//   - A lazy PE passes through the same events in the same clocks with the same
//     inputs. Its inputs carry their clocks (InReady, AcceptedAt), so it sees
//     them in the right one; its outputs are read only after it has caught up.
//   - What a thread has sent in a window matters to the others only after it: a
//     packet hop_clocks later, an emptied bank bank_clocks later. The upstream
//     unit has its own copy of the room behind a link to another thread, full
//     from its packet on until word comes that the bank has been emptied.
//   - Nobody looks at the machine within a window. A run steps to the next clock
//     in which it has something to do (Run.nextStop), and the last window before
//     it is shorter. Three things can come up in a window itself. Silence, which
//     ends a run after quietClocks: a window does not go beyond the clock in which
//     it would be so long, if nothing moves until then. A word to the host, at
//     whose clock the totals are taken: it takes two clocks to get out, so a
//     window of two clocks ends in time. A fault ends the run at the end of the
//     window in which it is noticed. One thread steps in the same windows as
//     several, so all of them stop in the same clock.
//
// Tests compare the hash of the whole state at every clock with that of the
// eager machine: TestOrderAndSleepDoNotMatter and its relatives here, TestInStep,
// TestCatchUpEqualsSteps and TestDeadlineIsInTime in emcr, TestThreadsDoNotMatter
// in em4 and omega. Who
// is simulated when is in no hash and in no checkpoint. While a recorder or the
// debugger's breakpoints watch, every unit is evaluated in every clock, by one
// thread and phase by phase: so a trace shows a full bank as full to the end of
// its clock, whichever switch decides first.
//
// What was tried. The first version asked every switch that held a packet in
// every clock; the second asked again in every clock as long as something was in
// the way; the third asked when the first of several reasons was gone; the fourth
// when all known reasons were gone, 1.1 times for every packet that moved. Some ideas gave nothing: reading the matching
// word of a packet early, when it enters the FIFO or becomes its head; keeping the
// fields that every clock needs next to each other in a PE; words and tags of
// memory in one cell; one directory of memory pages instead of two. Every second
// deadline is too early, as the PE then sends nothing. Bounds that know the block
// of the next packet save 5 % of all catching up, and take as long to compute.
// Touching what a batch of packets moves before it moves, and large pages, make
// large machines two to three times as fast and those up to 1024 PEs slower. What a
// clock costs now is in docs/PERFORMANCE.md.

// wheelClocks is more than any PE's deadline can be ahead [derived: lookahead
// and the clocks in which the IBU has the memory are cut at 24 each, an
// instruction takes at most 31, the injection at most 8].
const wheelClocks = 128

// lazyPEs says by which clock each PE must be simulated.
type lazyPEs struct {
	deadline []uint64 // by PE; packet.Never if something has to come first
	thread   []uint8  // by PE: the thread that owns it
}

func (l *lazyPEs) init(m *Machine) {
	l.deadline, l.thread = make([]uint64, len(m.pe)), make([]uint8, len(m.pe))
	for i := range l.deadline {
		l.deadline[i] = packet.Never
	}
	m.sched().BeforeRead(m.catchUp, func(i int) uint64 { return m.lazyPE(i).IntakeFree() })
}

// wheelWord returns the place in the wheel for the PEs of word w with deadline
// t.
func (p *share) wheelWord(w int, t uint64) *uint64 {
	return &p.wheel[int(t%wheelClocks)*(p.hi-p.lo)+w-p.lo]
}

// setDeadline sets the deadline of PE i, which is in the share.
func (m *Machine) setDeadline(p *share, i int, t uint64) {
	m.lazy.deadline[i] = t
	if t != packet.Never {
		*p.wheelWord(i>>6, t) |= 1 << (i & 63)
	}
}

// shareOf returns the share that PE i is in.
func (m *Machine) shareOf(i int) *share { return &m.shares[m.lazy.thread[i]] }

// sched returns the network as its scheduler.
func (m *Machine) sched() *omega.Scheduler { return (*omega.Scheduler)(m.Net) }

// lazyPE returns a PE as its scheduler sees it.
func (m *Machine) lazyPE(i int) *emcr.Lazy { return (*emcr.Lazy)(&m.pe[i]) }

// catchUp simulates PE i up to the start of clock t.
func (m *Machine) catchUp(i int, t uint64) {
	if pe := m.lazyPE(i); pe.NextClock() < t {
		pe.CatchUp(t - 1)
		m.afterStep(m.shareOf(i), i, pe)
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
		m.setDeadline(m.shareOf(i), i, m.clock)
	}
}

// stepPEs simulates the share's PEs that must be simulated in clock t.
func (m *Machine) stepPEs(p *share, t uint64) {
	for w := p.lo; w < p.hi; w++ {
		m.noteAccepted(p, w, t)
		at := p.wheelWord(w, t)
		due := *at
		*at = 0
		for s := due; s != 0; s &= s - 1 {
			i := w<<6 + bits.TrailingZeros64(s)
			pe := m.lazyPE(i)
			pe.CatchUp(t)
			m.afterStep(p, i, pe)
			m.setDeadline(p, i, pe.Deadline())
		}
		m.noteDelivered(p, w, t)
	}
}

// stepEveryPE simulates all of the share's PEs in clock t.
func (m *Machine) stepEveryPE(p *share, t uint64) {
	for w := p.lo; w < p.hi; w++ {
		for s := p.part.Present(w); s != 0; s &= s - 1 {
			i := w<<6 + bits.TrailingZeros64(s)
			m.pe[i].Step(t)
			m.afterStep(p, i, m.lazyPE(i))
		}
	}
}

// afterStep passes on what a PE has done: the packet on its pins to its switch,
// its last activity and its fault to its share.
func (m *Machine) afterStep(p *share, i int, pe *emcr.Lazy) {
	if pins := &m.pins[i]; pins.OutFull && pins.OutReady > p.clock {
		p.part.Offer(i, pins.OutReady)
	}
	p.lastMove = max(p.lastMove, pe.LastActive())
	p.faulted = p.faulted || pe.Failed()
}

// noteAccepted sets the deadlines of the PEs of word w whose packet the switch
// has accepted.
func (m *Machine) noteAccepted(p *share, w int, t uint64) {
	for s := p.part.Accepted(w); s != 0; s &= s - 1 {
		i := w<<6 + bits.TrailingZeros64(s)
		m.setDeadline(p, i, m.lazyPE(i).DeadlineOnAccept(t))
	}
}

// noteDelivered sets the deadlines of the PEs of word w that got a packet. A PE
// that has a deadline, or is blocked, sends nothing earlier because of it.
func (m *Machine) noteDelivered(p *share, w int, t uint64) {
	for s := p.part.TakeDelivered(w); s != 0; s &= s - 1 {
		i := w<<6 + bits.TrailingZeros64(s)
		if m.lazy.deadline[i] == packet.Never && !m.lazyPE(i).Blocked() {
			m.setDeadline(p, i, m.lazyPE(i).DeadlineOnDelivery(t))
		}
	}
}
