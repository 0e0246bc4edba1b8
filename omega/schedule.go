package omega

import (
	"math/bits"

	"emsim/packet"
)

// Scheduler is a Network in the hands of whoever drives its clock. In hardware
// every switch decides in every clock; here a switch is asked only in clocks in
// which its decision can differ from the one before. em4/schedule.go explains
// why, and why the states are the same.
//
// A switch that cannot move a packet decides the same until something changes
// for it. Whoever causes the change knows its clock and wakes the switch then:
//
//	a packet arrives in a bank              upstream unit (bankFilled)
//	a bank downstream can be filled again   downstream unit (bankDrained)
//	the EXU has put out a packet            the PE's scheduler (Offer)
//	one of its ports is free again          the unit itself (askAgain)
//	it sent another packet                  the unit itself (askAgain)
//	the intake may have been emptied        the unit itself, in every clock (askAgain)
//
// Asking too often costs time and changes nothing. Asking too late would change
// a clock; tests compare the state at every clock with that of a network that
// asks every switch in every clock (SetEager).
type Scheduler Network

func (x *Scheduler) network() *Network { return (*Network)(x) }

// scheduler returns the network as its driver sees it.
func (n *Network) scheduler() *Scheduler { return (*Scheduler)(n) }

// wheelClocks is the number of future clocks for which wake-ups can be noted:
// more than the longest hop_clocks and bank_clocks [derived].
const wheelClocks = 32

// schedule holds sets of PEs (or their switches) as bit sets, 64 in a word. A
// thread owns whole words.
type schedule struct {
	eager     bool // ask every unit in every clock
	words     int
	granted   []uint64   // units with a grant in this clock
	accepted  []uint64   // PEs whose output packet was accepted in this clock
	delivered []uint64   // PEs that got a packet; whoever drives the PEs clears it
	wheel     [][]uint64 // by thread: for each of the next clocks the units to ask then

	// beforeRead brings a PE's pins to the start of clock t; nil if they always
	// are.
	beforeRead func(i int, t uint64)
}

func newSchedule(units int) schedule {
	words := (units + 63) / 64
	return schedule{
		words: words, granted: make([]uint64, words), accepted: make([]uint64, words), delivered: make([]uint64, words),
		wheel: [][]uint64{make([]uint64, wheelClocks*words)},
	}
}

// SetThreads prepares for n threads, each of which evaluates units of its own.
func (x *Scheduler) SetThreads(n int) {
	s := &x.sched
	for len(s.wheel) < n {
		s.wheel = append(s.wheel, make([]uint64, wheelClocks*s.words))
	}
	for len(s.wheel) > n {
		last := len(s.wheel) - 1
		for i, set := range s.wheel[last] {
			s.wheel[0][i] |= set
		}
		s.wheel = s.wheel[:last]
	}
}

// Words returns the length of the sets in words of 64 PEs.
func (x *Scheduler) Words() int { return x.sched.words }

// Delivered returns the set of PEs that got a packet in this clock. The caller
// clears it.
func (x *Scheduler) Delivered() []uint64 { return x.sched.delivered }

// Accepted returns the set of PEs whose output packet was accepted in this
// clock.
func (x *Scheduler) Accepted() []uint64 { return x.sched.accepted }

// Offer wakes unit i in clock t, because its EXU holds a packet that may be
// arbitrated from then on.
func (x *Scheduler) Offer(i int, t uint64) { x.sched.wake(i, t, 0) }

// BeforeRead sets the function that the network calls before it reads pins that
// PE i drives, in clock t. The function brings them to the start of that clock.
func (x *Scheduler) BeforeRead(f func(i int, t uint64)) { x.sched.beforeRead = f }

// wake has a unit asked in clock t; th is the calling thread.
func (s *schedule) wake(i int, t uint64, th int) {
	s.wheel[th][int(t%wheelClocks)*s.words+i>>6] |= 1 << (i & 63)
}

// takeDue returns the units of word w that are to be asked in clock t, and
// forgets them.
func (s *schedule) takeDue(w int, t uint64) (set uint64) {
	at := int(t%wheelClocks)*s.words + w
	for _, wheel := range s.wheel {
		set |= wheel[at]
		wheel[at] = 0
	}
	return set
}

// SetEager switches to asking every unit in every clock: the reference that the
// scheduler is compared with.
func (x *Scheduler) SetEager(on bool) {
	x.sched.eager = on
	x.network().wakeAll()
}

// wakeAll has every unit asked for as long as anything that happened before can
// affect it.
func (n *Network) wakeAll() {
	for i := range n.sched.wheel[0] {
		n.sched.wheel[0][i] = n.present(i % n.sched.words)
	}
}

// present returns the PEs of word w as a bit set.
func (n *Network) present(w int) uint64 {
	if left := n.N - w*64; left < 64 {
		return 1<<left - 1
	}
	return ^uint64(0)
}

// Arbitrate is the first phase of clock t for the units of words lo..hi-1. It
// reports whether any packet will move.
func (x *Scheduler) Arbitrate(t uint64, lo, hi int) bool {
	n, moved := x.network(), false
	for w := lo; w < hi; w++ {
		due := n.sched.takeDue(w, t)
		if n.sched.eager || n.watch != nil {
			due = n.present(w)
		}
		var granted, accepted uint64
		for ; due != 0; due &= due - 1 {
			bit := due & -due
			grants := n.arbitrate(w<<6+bits.TrailingZeros64(due), t)
			if grants != 0 {
				granted |= bit
			}
			if grants>>ownSlot&1 == 1 {
				accepted |= bit
			}
		}
		n.sched.granted[w], n.sched.accepted[w] = granted, accepted
		moved = moved || granted != 0
	}
	return moved
}

// Transfer is the second phase of clock t: the granted packets move. th is the
// calling thread.
func (x *Scheduler) Transfer(t uint64, lo, hi, th int) {
	n := x.network()
	for w := lo; w < hi; w++ {
		for m := n.sched.granted[w]; m != 0; m &= m - 1 {
			n.transfer(w<<6+bits.TrailingZeros64(m), t, th)
		}
	}
}

// ArbitrateOne is the first phase of a single unit, asleep or not, and keeps it
// awake: for tests that evaluate units in another order. It reports whether a
// packet of the unit will move.
func (x *Scheduler) ArbitrateOne(i int, t uint64) bool {
	x.sched.wake(i, t+1, 0)
	return x.network().arbitrate(i, t) != 0
}

// TransferOne is the second phase of a single unit.
func (x *Scheduler) TransferOne(i int, t uint64) { x.network().transfer(i, t, 0) }

// What su.go tells the scheduler, and asks of it.

// askAgain wakes unit i when the decision of clock t can change: at until for
// packets that are held, earlier for those that could move but were not granted
// (outrun).
func (n *Network) askAgain(i int, until uint64, outrun uint8, lost bool, t uint64) {
	switch {
	case lost: // its input may nominate another packet
		until = min(until, t+1)
	case outrun != 0: // their inputs send another packet first
		until = min(until, t+portClocks)
	}
	if until != packet.Never {
		n.sched.wake(i, until, 0)
	}
}

// bankFilled notes that a packet arrives in a bank of the next unit in clock t.
func (n *Network) bankFilled(next int, t uint64, th int) { n.sched.wake(next, t, th) }

// bankDrained notes that a bank of unit i can be filled again from clock t on.
func (n *Network) bankDrained(i, input int, t uint64, th int) {
	n.sched.wake(int(n.position[i].prev[input]), t, th)
}

// packetDelivered notes that PE i got a packet in this clock.
func (n *Network) packetDelivered(i int) { n.sched.delivered[i>>6] |= 1 << (i & 63) }

// singleThread reports whether no other thread evaluates units.
func (n *Network) singleThread() bool { return len(n.sched.wheel) == 1 }

// intakeFullQ reports whether the intake register of PE i holds a packet at the
// start of clock t.
func (n *Network) intakeFullQ(i int, t uint64) bool {
	if n.pins[i].InFull && n.sched.beforeRead != nil {
		n.sched.beforeRead(i, t)
	}
	return n.pins[i].InFull
}

// loadQ returns the load of PE i at the start of clock t.
func (n *Network) loadQ(i int, t uint64) uint8 {
	if n.sched.beforeRead != nil {
		n.sched.beforeRead(i, t)
	}
	return n.pins[i].LoadQ
}
