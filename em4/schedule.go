package em4

import (
	"math/bits"

	"emsim/emcr"
	"emsim/omega"
	"emsim/packet"
)

// How the machine is simulated
//
// In hardware every unit works in every clock. The obvious simulator does the same: it arbitrates all switches, steps
// all PEs, transfers all packets, and continues with the next clock. SetEager selects this simulation, which the files
// about the hardware describe (omega/su.go; emcr/mcu.go, fmu.go, exu.go; ibu/ibu.go). It is too slow: in most clocks
// most units of a large machine do nothing, or nothing that another unit needs at once. So the simulator departs from
// it in three ways, none of which changes the state at any clock.
//
// 1. Switches decide only when packets have arrived (omega/schedule.go). Where packets have arrived at many switches,
// 64 switches decide at a time (omega/lanes.go).
//
// 2. PEs are lazy (emcr/lazy.go, and below). A PE changes nothing outside itself except its pins. Its switch reads the
// pins only when a packet leaves the PE, when a packet is delivered, or when a passing MLPE packet reads the load. The
// PE's clocks between two such moments can be simulated later, all at once (emcr/leap.go), while the PE's state is in
// the host's cache. A PE catches up
//
//	before its switch reads its pins                   BeforeRead
//	by its deadline: the last clock by which it must   Lazy.Deadline
//	  be simulated, because its next packet can be
//	  visible to the switch one clock later
//	before other code inspects it                      Machine.PE, catchUpAll
//
// The deadline comes from the program: the loader computes for every instruction the fewest clocks to the next
// instruction that can send. A PE that is empty, or blocked by its switch, has no deadline until a packet arrives or is
// accepted.
//
// 3. Threads share the machine (threads.go, omega/mail.go, internal/base/barrier). Each thread has the PEs and switches
// of some groups, and steps a window of clocks by itself. Packets between threads stay in mailboxes until the threads
// meet at the end of the window (omega.Windows).
//
// Why the states equal the eager machine's:
//
//   - A switch without a packet that has arrived moves nothing. If a switch moves a packet in a clock, no other switch
//     can see this in the same clock (omega/schedule.go).
//   - The PEs of a clock are stepped after the switches. Their packets and loads take effect in the next clock.
//   - A lazy PE passes through the same events in the same clocks with the same inputs. Its inputs carry their clocks
//     (InReady, AcceptedAt), so it sees them in the right clocks. Its outputs are read only after it has caught up.
//   - A packet that one thread sends in a window matters to the others only after the window. For a link to another
//     thread, the upstream unit has its own copy of the state of the bank after the link. The bank counts as full from
//     the packet until a message says that it has been emptied.
//   - No code inspects the machine within a window. A run steps to the next clock in which it has something to do
//     (Run.nextStop), and the last window before that clock is shorter. Three things can happen inside a window.
//     Silence ends a run after quietClocks: a window does not extend beyond the clock in which the silence would be
//     long enough, if nothing moved until then. The totals are taken in the clock of a word to the host: the word takes
//     two clocks to leave, so a window of two clocks ends in time. A fault ends the run at the end of the window in
//     which it is noticed. One thread steps in the same windows as several, so all of them stop in the same clock.
//
// docs/ARCHITECTURE.md lists the tests that compare the states at every clock, and docs/PERFORMANCE.md the
// optimizations that did not help. The order of simulation is in no hash and in no checkpoint. While a recorder or the
// debugger's breakpoints watch, every unit is evaluated in every clock, by one thread and phase by phase. So a trace
// shows a full bank as full to the end of its clock, whichever switch decides first.

// wheelClocks is more than the distance of any PE's deadline [derived: lookahead and the clocks in which the IBU has
// the memory are limited to 24 each, an instruction takes at most 31 clocks, the injection at most 8].
const wheelClocks = 128

// row returns the sets of the part's PEs that must be simulated by clock t.
func (p *part) row(t uint64) []uint64 {
	return p.wheel[int(t%wheelClocks)*len(p.waiting):][:len(p.waiting)]
}

// setDeadline sets the clock by which PE i of the part must be simulated.
func (p *part) setDeadline(i int, t uint64) {
	at := i - p.net.Unit(0)
	w, bit := at>>6, uint64(1)<<(at&63)
	p.waiting[w] &^= bit
	p.row(t)[w] |= bit
}

// partOf returns the part that PE i is in.
func (m *Machine) partOf(i int) *part { return &m.parts[m.thread[i]] }

// sched returns the network as its scheduler.
func (m *Machine) sched() *omega.Scheduler { return (*omega.Scheduler)(m.Net) }

// lazyPE returns a PE in the form that its scheduler uses.
func (m *Machine) lazyPE(i int) *emcr.Lazy { return (*emcr.Lazy)(&m.pe[i]) }

// catchUp simulates PE i up to the start of clock t.
func (m *Machine) catchUp(i int, t uint64) {
	if pe := m.lazyPE(i); pe.NextClock() < t {
		pe.CatchUp(t - 1)
		m.afterStep(m.partOf(i), i, pe)
	}
}

// catchUpAll simulates all PEs up to the start of the machine's next clock.
func (m *Machine) catchUpAll() {
	for i := range m.pe {
		m.catchUp(i, m.clock)
	}
	m.gather()
}

// Stepped returns the number of PE-clocks that were simulated one by one since the machine was built. The others were
// simulated several at a time.
func (m *Machine) Stepped() uint64 {
	n := uint64(0)
	for i := range m.pe {
		n += m.lazyPE(i).Stepped()
	}
	return n
}

// evaluateAllNext sets the deadline of every PE to the next clock.
func (m *Machine) evaluateAllNext() {
	for i := range m.pe {
		m.partOf(i).setDeadline(i, m.clock)
	}
}

// stepPEs simulates the part's PEs that must be simulated in clock t.
func (m *Machine) stepPEs(p *part, t uint64) {
	for w := range p.waiting {
		m.noteAccepted(p, w, t)
		row := p.row(t)
		due := row[w]
		row[w] = 0
		for s := due; s != 0; s &= s - 1 {
			i := p.net.Unit(w) + bits.TrailingZeros64(s)
			pe := m.lazyPE(i)
			pe.CatchUp(t)
			m.afterStep(p, i, pe)
			if d := pe.Deadline(); d != packet.Never {
				p.setDeadline(i, d)
			} else if !pe.Blocked() {
				p.waiting[w] |= s & -s
			}
		}
		m.noteDelivered(p, w, t)
	}
}

// afterStep passes on the effects of a PE's clock: to its switch the packet on the pins, to its part the last active
// clock and a fault.
func (m *Machine) afterStep(p *part, i int, pe *emcr.Lazy) {
	if pins := (*emcr.PE)(pe).Pins(); pins.OutFull {
		m.onAccept[i] = uint8(pe.DeadlineOnAccept(0))
		if pins.OutReady > p.clock {
			p.net.Offer(i, pins.OutReady)
		}
	}
	p.lastMove = max(p.lastMove, pe.LastActive())
	p.faulted = p.faulted || (*emcr.PE)(pe).Fault() != nil
}

// noteAccepted sets the deadlines of the PEs of word w whose packet the switch has accepted. Like noteDelivered, it
// does not touch the PEs, which may have left the host's caches.
func (m *Machine) noteAccepted(p *part, w int, t uint64) {
	for s := p.net.Accepted(w); s != 0; s &= s - 1 {
		i := p.net.Unit(w) + bits.TrailingZeros64(s)
		p.setDeadline(i, t+uint64(m.onAccept[i]))
	}
}

// noteDelivered sets the deadlines of the PEs of word w to which a packet was delivered since the last call. It skips a
// PE that has a deadline or is blocked: the packet does not make such a PE send earlier.
func (m *Machine) noteDelivered(p *part, w int, t uint64) {
	for s := p.net.TakeDelivered(w) & p.waiting[w]; s != 0; s &= s - 1 {
		i := p.net.Unit(w) + bits.TrailingZeros64(s)
		p.setDeadline(i, m.cfg.DeadlineOnDelivery(&m.pins[i].In, t))
	}
}
