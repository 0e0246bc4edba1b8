package omega

import (
	"math/bits"

	"emsim/packet"
)

// Scheduler is a Network in the hands of whoever drives its clock. In hardware every switch decides in every clock;
// here only those for which a packet has arrived. em4/schedule.go explains why the states are the same.
//
// # Who decides
//
// Switches are kept in words of 64. Where few of a word have a packet at a time, each decides by itself, as in su.go.
// Where more have, all of the word decide together, by operations on words in which each has a bit (lanes.go). A switch
// is noted in a wheel of the next clocks by whoever has something for it:
//
//	a packet arrives in a bank              upstream unit
//	the EXU has put out a packet            the PE's scheduler (Offer)
//	a packet is left                        the unit itself, for the next clock
//	a bank downstream can be filled again   downstream unit, if 64 decide together
//
// Tests compare the state at every clock with the state of a network that asks every switch by itself in every clock
// (SetEager).
//
// # One pass
//
// The reference decides everything before anything moves. But of what another unit does in a clock, a decision sees
// nothing in that clock, even if it comes later. A packet that was sent carries the clock in which it has arrived, at
// least one later. A bank that was emptied carries the clock from which it can be filled, at least two later: until
// then it is as good as full. No other unit writes the unit's own ports, banks and intake. So the packets of a word
// move as soon as it has decided, for every setting of the knobs.
//
// # Parts
//
// Each thread has a Part: some units that lie side by side. Only two things cross parts: a packet, which matters
// hop_clocks later, and the news that a bank has been emptied, which matters bank_clocks later. So both can wait for the
// next meeting (Window, mail.go). Until then the upstream part knows the bank as full (Part.beyond).
type Scheduler Network

func (x *Scheduler) network() *Network { return (*Network)(x) }

// scheduler returns the network as its driver sees it.
func (n *Network) scheduler() *Scheduler { return (*Scheduler)(n) }

// wheelClocks is the number of future clocks for which anything can be noted: more than the longest hop_clocks,
// bank_clocks and inject_clocks [derived].
const wheelClocks = 32

// schedule says who evaluates which units, and when.
type schedule struct {
	eager bool // ask every unit in every clock
	plain bool // the words do not follow: units have been evaluated one by one, or restored
	fetch bool // touch what moves before it moves: fetch.go
	part  []Part

	few, crowded int // when switches decide together: SetCrowd

	// beforeRead brings a PE's pins to the start of clock t; nil if they always
	// are.
	beforeRead func(i int, t uint64)
	intakeFree func(i int) uint64 // as BeforeRead got it, or nil
}

// Part is the units that one thread evaluates. Its sets have 64 of them in a word, from the part's first unit on.
type Part struct {
	n         *Network
	own       int      // number of the part
	lo, hi    int      // units
	next      uint64   // clock that comes next
	wheel     []uint64 // for each of the next clocks the units for which something changes
	dense     []*lanes // by word; nil where units are asked one by one
	spare     []*lanes // not in use
	crowd     []int    // by word: how far above few its units with a packet have been, summed over clocks
	moves     []moving
	accepted  []uint64 // PEs whose output packet was accepted in this clock
	delivered []uint64 // PEs that got a packet

	beyond  [][slots]uint64 // by unit, for the banks after it in other parts: what roomAt returns
	turn    int             // which of the two mailboxes is being filled
	mail    [2][]mailbox    // by the part that they go to
	touched uint64          // keeps fetch from being taken for useless
	_       [64]byte        // no cache line is another part's, too
}

// Split shares the units among parts: the first has units bound[0]..bound[1]-1 and so on to the last bound. It is not
// for the middle of a clock.
func (x *Scheduler) Split(bound ...int) {
	x.collect()
	x.sched.plain = true
	x.sched.part = make([]Part, len(bound)-1)
	for th := range x.sched.part {
		p := &x.sched.part[th]
		*p = Part{n: x.network(), own: th, lo: bound[th], hi: bound[th+1]}
		words := (p.hi - p.lo + 63) >> 6
		p.wheel, p.dense, p.crowd = make([]uint64, wheelClocks*words), make([]*lanes, words), make([]int, words)
		p.accepted, p.delivered = make([]uint64, words), make([]uint64, words)
		p.moves = make([]moving, 0, batchMoves+3*64)
		p.mail = [2][]mailbox{make([]mailbox, len(x.sched.part)), make([]mailbox, len(x.sched.part))}
		if len(x.sched.part) > 1 {
			p.beyond = make([][slots]uint64, p.hi-p.lo)
		}
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

// Window returns the number of clocks that parts can go through without news from each other.
func (x *Scheduler) Window() uint64 { return min(x.hopClocks, x.bankClocks) }

// BeforeRead sets the function that the network calls before it reads pins that PE i drives, in clock t. The function
// brings them to the start of that clock. free returns the first clock at whose start PE i can have emptied its intake,
// which is full; it may be too early, but not too late.
func (x *Scheduler) BeforeRead(f func(i int, t uint64), free func(i int) uint64) {
	x.sched.beforeRead, x.sched.intakeFree = f, free
}

// SetEager switches to asking every unit in every clock: the reference that the scheduler is compared with.
func (x *Scheduler) SetEager(on bool) { x.sched.eager = on }

// Plain reports whether every unit is evaluated in every clock, phase by phase, because this is the reference, because
// somebody watches, or because overtakings are counted.
func (x *Scheduler) Plain() bool { return x.sched.eager || x.watch != nil || x.passed != nil }

// Begin comes before a Step of any part in clock t, if units may have been changed otherwise since the last one. One
// thread does it for all.
func (x *Scheduler) Begin(t uint64) {
	if !x.sched.plain || x.Plain() {
		return
	}
	for th := range x.sched.part {
		p := &x.sched.part[th]
		clear(p.wheel)
		p.next = t
		for i := range p.beyond {
			for s := range slots {
				p.beyond[i][s] = x.network().roomAt(p.lo+i, s)
			}
		}
		for w := range p.dense {
			p.disperse(w, t)
		}
	}
	x.sched.plain = false
}

// Offer says that the EXU of unit i holds a packet that may be arbitrated from clock t on, or from the next one, if
// that is later. The packet must not change any more, except if it is offered again.
func (p *Part) Offer(i int, t uint64) {
	t = max(t, p.next)
	w, at := p.place(i)
	p.wake(w, t, 1<<at)
	p.offered(i, t)
}

// offered brings the lanes of unit i, if it has any, up to date.
func (p *Part) offered(i int, t uint64) {
	w, at := p.place(i)
	if x := p.dense[w]; x != nil {
		pk, o := &p.n.pins[i].Out, &p.n.su[i].output[ownSlot]
		*o = uint8(p.n.routeFromEXU(i, pk))
		x.expect(at, ownSlot, int(*o), pk, p.n.priority, t)
	}
}

// wake schedules some units of the part's word w for clock t.
func (p *Part) wake(w int, t, units uint64) {
	p.wheel[int(t%wheelClocks)*len(p.dense)+w] |= units
}

// Words returns the number of words of the part's sets.
func (p *Part) Words() int { return len(p.dense) }

// Unit returns the PE in the lowest bit of word w of the part's sets.
func (p *Part) Unit(w int) int { return p.lo + w<<6 }

// place returns the word of unit i in the part's sets, and its bit there.
func (p *Part) place(i int) (w, bit int) { return (i - p.lo) >> 6, (i - p.lo) & 63 }

// Accepted returns the PEs of word w whose output packet was accepted in this clock.
func (p *Part) Accepted(w int) uint64 { return p.accepted[w] }

// TakeDelivered returns the PEs of word w that got a packet since the last call.
func (p *Part) TakeDelivered(w int) uint64 {
	set := p.delivered[w]
	p.delivered[w] = 0
	return set
}

// Present returns the part's PEs of word w.
func (p *Part) Present(w int) uint64 {
	return ^uint64(0) >> max(0, 64-(p.hi-p.Unit(w)))
}

// has reports whether unit i is one of the part.
func (p *Part) has(i int) bool { return uint(i-p.lo) < uint(p.hi-p.lo) }

// Step does clock t for the part's units: those that may have something to do decide and move their packets. It reports
// whether any packet moved. In a plain network the part must be the only one.
func (p *Part) Step(t uint64) (moved bool) {
	if p.n.scheduler().Plain() {
		moved = p.Decide(t)
		p.Move(t)
		return moved
	}
	clear(p.accepted)
	p.next = t + 1
	row := p.wheel[int(t%wheelClocks)*len(p.dense):][:len(p.dense)]
	for w := range row {
		if row[w] == 0 {
			continue
		}
		x := p.dense[w]
		if x == nil && p.isCrowded(w, row[w]) {
			x = p.gather(w, t)
		}
		if x != nil {
			p.decide(x, w, t)
		} else {
			for units := row[w]; units != 0; units &= units - 1 {
				p.moves = append(p.moves, moving{uint32(p.Unit(w) + bits.TrailingZeros64(units)), undecided, 0})
			}
		}
		row[w] = 0
		if len(p.moves) >= batchMoves {
			moved = p.moveAll(t) || moved
		}
	}
	return p.moveAll(t) || moved
}

// moveAll moves the packets that have been granted, and asks the units that are to be asked. It reports whether any
// packet moved.
func (p *Part) moveAll(t uint64) (moved bool) {
	if p.n.sched.fetch {
		p.fetch(t)
	}
	n := p.n
	for _, m := range p.moves {
		i, input, bank := int(m.unit), int(m.input), int(m.bank)
		if input == undecided {
			moved = p.decideAlone(i, t) || moved
			continue
		}
		n.movePacket(p, &n.su[i], i, n.grant(&n.su[i], i, input, bank, t), input, bank, t)
		moved = true
	}
	p.moves = p.moves[:0]
	return moved
}

// decideAlone lets unit i decide by itself and moves its packets. It reports whether it has any to move. What is left
// is asked for again in the next clock.
func (p *Part) decideAlone(i int, t uint64) bool {
	n := p.n
	w, at := p.place(i)
	ready := n.ready(i, t)
	granted := n.decide(i, ready, t)
	for g := granted; g != 0; g &= g - 1 {
		s := bits.TrailingZeros8(g)
		n.movePacket(p, &n.su[i], i, n.grant(&n.su[i], i, s/Banks, s%Banks, t), s/Banks, s%Banks, t)
	}
	if granted != ready {
		p.wake(w, t+1, 1<<at)
	}
	p.accepted[w] |= uint64(granted>>ownSlot) << at
	return granted != 0
}

// Decide does the first phase of clock t for all of the part's units. It reports whether any packet will move. All
// parts decide before any moves.
func (p *Part) Decide(t uint64) (moved bool) {
	p.n.sched.plain = true
	clear(p.accepted)
	for i := p.lo; i < p.hi; i++ {
		granted := p.n.arbitrate(i, p.n.ready(i, t), t)
		moved = moved || granted != 0
		w, at := p.place(i)
		p.accepted[w] |= uint64(granted>>ownSlot&1) << at
	}
	return moved
}

// Move does the second phase of clock t: the granted packets move.
func (p *Part) Move(t uint64) {
	for i := p.lo; i < p.hi; i++ {
		p.n.transfer(p, i, t)
	}
}

// ArbitrateOne does the first phase of a single unit, for tests that evaluate units in another order. It reports
// whether a packet of the unit will move.
func (x *Scheduler) ArbitrateOne(i int, t uint64) bool {
	x.sched.plain = true
	return x.network().arbitrate(i, x.network().ready(i, t), t) != 0
}

// TransferOne does the second phase of a single unit.
func (x *Scheduler) TransferOne(i int, t uint64) {
	n := x.network()
	n.transfer(n.partOf(i), i, t)
}

// What su.go tells the scheduler, and asks of it.

// expect notes that a packet for output o in slot s of unit i arrives in clock t.
func (p *Part) expect(i, s, o int, pk *packet.Packet, t uint64) {
	w, at := p.place(i)
	p.wake(w, t, 1<<at)
	if x := p.dense[w]; x != nil {
		x.expect(at, s, o, pk, p.n.priority, t)
	}
}

// expectRoom notes that unit i can fill the bank of a slot after it from clock t on.
func (p *Part) expectRoom(i, s int, t uint64) {
	w, at := p.place(i)
	if x := p.dense[w]; x != nil {
		p.wake(w, t, 1<<at)
		x.wheel[t%wheelClocks].room[s] |= 1 << at
	}
}

// bankFilled notes that the bank of a slot after unit i has been filled.
func (p *Part) bankFilled(i, s int) {
	w, at := p.place(i)
	if x := p.dense[w]; x != nil {
		x.room[s] &^= 1 << at
	}
}

// bankEmptied tells the unit before the bank of a slot that it can be filled again from clock t on.
func (p *Part) bankEmptied(prev, s int, t uint64) {
	if p.has(prev) {
		p.expectRoom(prev, s, t)
	} else {
		p.creditBank(prev, s, t)
	}
}

// packetDelivered notes that PE i got a packet in this clock.
func (p *Part) packetDelivered(i int) {
	w, at := p.place(i)
	p.delivered[w] |= 1 << at
	if x := p.dense[w]; x != nil {
		x.intake |= 1 << at
	}
}

// roomAt returns the clock from which the bank of a slot after unit i can be filled: packet.Never while it is full. A
// bank in another part counts as full until the news of its emptying has come.
func (n *Network) roomAt(i, s int) uint64 {
	next := int(n.su[i].next[s/Banks])
	if len(n.sched.part) > 1 && !n.sched.plain {
		if p := n.partOf(i); !p.has(next) {
			return p.beyond[i-p.lo][s]
		}
	}
	if to := &n.su[next]; to.full>>s&1 == 0 {
		return to.readyAt[s]
	}
	return packet.Never
}

// intakeFree returns the first clock at whose start the intake register of PE i can be empty; t, if it is in clock t. A
// PE that knows this is not simulated up to an earlier clock.
func (n *Network) intakeFree(i int, t uint64) uint64 {
	x, pins := &n.sched, &n.pins[i]
	if pins.InFull && x.beforeRead != nil {
		if free := x.intakeFree(i); free > t {
			return free
		}
		x.beforeRead(i, t)
	}
	if pins.InFull {
		return t + 1
	}
	return t
}

// loadQ returns the load of PE i at the start of clock t.
func (n *Network) loadQ(i int, t uint64) uint8 {
	if n.sched.beforeRead != nil {
		n.sched.beforeRead(i, t)
	}
	return n.pins[i].LoadQ
}
