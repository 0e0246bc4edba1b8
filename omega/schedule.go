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
// # Who is asked
//
// A switch that cannot move a packet decides the same until something changes
// for it. Whoever causes the change knows its clock and wakes the switch then:
//
//	a packet arrives in a bank              upstream unit (arrive)
//	a bank downstream can be filled again   downstream unit (bankDrained), if the bank is waited for
//	the EXU has put out a packet            the PE's scheduler (Offer)
//	ports and bank of a packet are free     the unit itself (askAgain): all of them, not the first
//	the intake may have been emptied        the unit itself: the PE says from when on (askAgain)
//
// So a switch is asked about once for every packet that it moves. Asking too
// often costs time and changes nothing. Asking too late would change a clock;
// tests compare the state at every clock with that of a network that asks every
// switch in every clock (SetEager).
//
// # One pass
//
// The reference decides everything before anything moves. But of what another
// unit does in a clock, a decision sees nothing in that clock, even if it comes
// later. A packet that was sent carries the clock in which it has arrived, at
// least one later. A bank that was emptied carries the clock from which it can
// be filled, at least two later: until then it is as good as full. The own ports,
// banks and intake nobody else writes. So each unit moves its packets as soon as
// it has decided (pass), for every setting of the knobs.
//
// # Parts
//
// Each thread has a Part: some units that lie side by side. What crosses parts is
// only a packet, which matters hop_clocks later, and a bank that is free again,
// which matters bank_clocks later. So threads need to meet only once in the
// shorter of these times (Window); in between they leave such news in mailboxes
// (mail.go).
type Scheduler Network

func (x *Scheduler) network() *Network { return (*Network)(x) }

// scheduler returns the network as its driver sees it.
func (n *Network) scheduler() *Scheduler { return (*Scheduler)(n) }

// wheelClocks is the number of future clocks for which wake-ups can be noted:
// more than the longest hop_clocks and bank_clocks [derived].
const wheelClocks = 32

// schedule says who evaluates which units, and when.
type schedule struct {
	eager bool // ask every unit in every clock
	fetch bool // touch units before they are asked: fetch.go
	part  []Part

	// beforeRead brings a PE's pins to the start of clock t; nil if they always
	// are.
	beforeRead func(i int, t uint64)
	intakeFree func(i int) uint64 // as BeforeRead got it, or nil
}

// Part is the units that one thread evaluates, with sets of them as bit sets: 64
// PEs in a word. Two parts can have PEs in the same word, each in its own set.
type Part struct {
	n         *Network
	own       int      // number of the part
	lo, hi    int      // units
	first     int      // word of unit lo
	wheel     []uint64 // for each of the next clocks the units to ask then
	accepted  []uint64 // PEs whose output packet was accepted in this clock
	delivered []uint64 // PEs that got a packet

	turn    int          // which of the two mailboxes is being filled
	mail    [2][]mailbox // by the part that they go to
	touched uint64       // keeps fetch from being taken for useless
	_       [64]byte     // no cache line is another part's, too
}

// Split shares the units among parts: the first has units bound[0]..bound[1]-1
// and so on to the last bound. It is not for the middle of a clock.
func (x *Scheduler) Split(bound ...int) {
	n := x.network()
	n.unlink()
	again := n.sched.part != nil
	n.sched.part = make([]Part, len(bound)-1)
	for th := range n.sched.part {
		p := &n.sched.part[th]
		*p = Part{n: n, own: th, lo: bound[th], hi: bound[th+1], first: bound[th] >> 6}
		words := (p.hi+63)>>6 - p.first
		p.wheel = make([]uint64, wheelClocks*words)
		p.accepted, p.delivered = make([]uint64, words), make([]uint64, words)
	}
	n.cutLinks()
	if again {
		n.wakeAll()
	}
}

// Part returns the part of thread th.
func (x *Scheduler) Part(th int) *Part { return &x.sched.part[th] }

// partOf returns the part of unit i.
func (n *Network) partOf(i int) *Part {
	for th := range n.sched.part {
		if p := &n.sched.part[th]; i < p.hi {
			return p
		}
	}
	panic("omega: no such unit")
}

// Window returns the number of clocks that parts can go through without news
// from each other.
func (x *Scheduler) Window() uint64 { return min(x.hopClocks, x.bankClocks) }

// BeforeRead sets the function that the network calls before it reads pins that
// PE i drives, in clock t. The function brings them to the start of that clock.
// free returns the first clock at whose start PE i can have emptied its intake,
// which is full; it may be too early, but not too late.
func (x *Scheduler) BeforeRead(f func(i int, t uint64), free func(i int) uint64) {
	x.sched.beforeRead, x.sched.intakeFree = f, free
}

// SetEager switches to asking every unit in every clock: the reference that the
// scheduler is compared with.
func (x *Scheduler) SetEager(on bool) {
	x.sched.eager = on
	x.network().wakeAll()
}

// Plain reports whether every unit is evaluated in every clock, phase by phase,
// because this is the reference or because somebody watches.
func (x *Scheduler) Plain() bool { return x.sched.eager || x.watch != nil }

// wakeAll has every unit asked for as long as anything that happened before can
// affect it.
func (n *Network) wakeAll() {
	for i := range n.su {
		n.su[i].stuck, n.su[i].waited = [2]uint8{}, 0
	}
	for i := range n.links {
		n.links[i].waited = 0
	}
	for th := range n.sched.part {
		p := &n.sched.part[th]
		for at := range p.wheel {
			p.wheel[at] = p.Present(p.first + at%p.words())
		}
	}
}

// Offer wakes unit i in clock t, because its EXU holds a packet that may be
// arbitrated from then on.
func (p *Part) Offer(i int, t uint64) { p.wakeUnit(i, t) }

// Words returns the words lo..hi-1 of the sets that hold the part's PEs.
func (p *Part) Words() (lo, hi int) { return p.first, p.first + p.words() }

func (p *Part) words() int { return len(p.accepted) }

// Accepted returns the PEs of word w whose output packet was accepted in this
// clock.
func (p *Part) Accepted(w int) uint64 { return p.accepted[w-p.first] }

// TakeDelivered returns the PEs of word w that got a packet since the last call.
func (p *Part) TakeDelivered(w int) uint64 {
	at := &p.delivered[w-p.first]
	set := *at
	*at = 0
	return set
}

// Present returns the part's PEs of word w.
func (p *Part) Present(w int) uint64 {
	set := ^uint64(0)
	if below := p.lo - w<<6; below > 0 {
		set <<= below
	}
	if above := (w+1)<<6 - p.hi; above > 0 {
		set = set << above >> above
	}
	return set
}

// wakeUnit has a unit asked in clock t.
func (p *Part) wakeUnit(i int, t uint64) {
	p.wheel[int(t%wheelClocks)*len(p.accepted)+i>>6-p.first] |= 1 << (i & 63)
}

// takeDue returns the units that are to be asked in clock t, of the part's word
// at the index, and forgets them.
func (p *Part) takeDue(w int, t uint64) uint64 {
	at := &p.wheel[int(t%wheelClocks)*len(p.accepted)+w]
	set := *at
	*at = 0
	return set
}

// Step is clock t for the part's units: each that may have something to do
// decides and moves its packets. It reports whether any packet moved.
func (p *Part) Step(t uint64) (moved bool) {
	if p.n.scheduler().Plain() {
		moved = p.Decide(t)
		p.Move(t)
		return moved
	}
	clear(p.accepted)
	var any uint8
	if p.n.sched.fetch {
		any = p.stepFetched(t)
	} else {
		for w := range p.accepted {
			for due := p.takeDue(w, t); due != 0; due &= due - 1 {
				any |= p.n.stepUnit(p, (p.first+w)<<6+bits.TrailingZeros64(due), t)
			}
		}
	}
	return any != 0
}

// stepUnit is a clock of one unit in one go.
func (n *Network) stepUnit(p *Part, i int, t uint64) (granted uint8) {
	su := &n.su[i]
	ready := n.ready(i, anySlot&^(su.stuck[0]|su.stuck[1]), t)
	granted = n.choose(i, n.judge(i, ready, t))
	for g := granted; g != 0; g &= g - 1 {
		s := bits.TrailingZeros8(g)
		n.grant(i, s, t)
		n.movePacket(p, i, s, t)
	}
	if left := ready &^ granted; left != 0 {
		n.askAgain(p, i, left, t)
	}
	p.accepted[i>>6-p.first] |= uint64(granted>>ownSlot) << (i & 63)
	return granted
}

// Decide is the first phase of clock t for all of the part's units. It reports
// whether any packet will move.
func (p *Part) Decide(t uint64) (moved bool) {
	clear(p.accepted)
	for i := p.lo; i < p.hi; i++ {
		granted := p.n.arbitrate(i, p.n.ready(i, anySlot, t), t)
		moved = moved || granted != 0
		p.accepted[i>>6-p.first] |= uint64(granted>>ownSlot&1) << (i & 63)
	}
	return moved
}

// Move is the second phase of clock t: the granted packets move.
func (p *Part) Move(t uint64) {
	for i := p.lo; i < p.hi; i++ {
		p.n.transfer(p, i, t)
	}
}

// ArbitrateOne is the first phase of a single unit, asleep or not, and keeps it
// awake: for tests that evaluate units in another order. It reports whether a
// packet of the unit will move.
func (x *Scheduler) ArbitrateOne(i int, t uint64) bool {
	n := x.network()
	n.partOf(i).wakeUnit(i, t+1)
	return n.arbitrate(i, n.ready(i, anySlot, t), t) != 0
}

// TransferOne is the second phase of a single unit.
func (x *Scheduler) TransferOne(i int, t uint64) {
	n := x.network()
	n.transfer(n.partOf(i), i, t)
}

// What su.go tells the scheduler, and asks of it.

// askAgain has unit i asked again as soon as one of the slots that are left after
// clock t may move. Those that wait for a full bank are out of the question until
// the unit downstream tells that it has emptied it.
func (n *Network) askAgain(p *Part, i int, left uint8, t uint64) {
	next := packet.Never
	for ; left != 0; left &= left - 1 {
		s := bits.TrailingZeros8(left)
		at := n.freeAt(i, s, t)
		if at == packet.Never {
			o := n.su[i].output[s]
			n.su[i].stuck[o] |= 1 << s
			n.waitFor(n.downstream(i, int(o), s%Banks))
		}
		next = min(next, at)
	}
	if next != packet.Never {
		p.wakeUnit(i, next)
	}
}

// waitFor notes at a full bank that its upstream unit waits for it.
func (n *Network) waitFor(next, slot int) {
	if next >= n.N {
		n.links[next-n.N].waited |= 1 << (slot % Banks)
		return
	}
	n.su[next].waited |= 1 << slot
}

// bankDrained tells the unit upstream of a bank of unit i that it has been
// emptied.
func (n *Network) bankDrained(p *Part, i, s int) {
	su := &n.su[i]
	if su.waited>>s&1 == 1 {
		su.waited &^= 1 << s
		p.roomAgain(int(su.prev[s/Banks]), s/Banks, su.readyAt[s])
	}
	if prev := int(su.prev[s/Banks]); prev >= n.N {
		p.creditBank(prev-n.N, s, su.readyAt[s])
	}
}

// roomAgain has unit i asked when a bank behind an output can be filled again.
func (p *Part) roomAgain(i, output int, t uint64) {
	p.n.su[i].stuck[output] = 0
	p.wakeUnit(i, t)
}

// packetDelivered notes that PE i got a packet in this clock.
func (p *Part) packetDelivered(i int) { p.delivered[i>>6-p.first] |= 1 << (i & 63) }

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
