package omega

import (
	"math/bits"

	"emsim/packet"
)

// A Scheduler is a Network as the code that drives the clock sees it. In hardware every switch decides in every clock.
// Here, only the switches at which a packet has arrived decide. em4/schedule.go explains why the states are the same.
//
// # Which switches decide
//
// Switches are grouped in words of 64. If few switches of a word have a packet at a time, each decides by itself, as in
// su.go. If more have one, all switches of the word decide together, by operations on words in which each switch has
// one bit (lanes.go). A wheel of the next clocks holds the switches that have work in each of them. An entry is made by
// the unit that causes the work:
//
//	a packet arrives in a bank              the upstream unit
//	the EXU has put out a packet            the PE's scheduler (Offer)
//	a packet is left                        the unit itself, for the next clock
//	a bank downstream can be filled again   the downstream unit, if 64 decide together
//
// Tests compare the state at every clock with the state of a network in which every switch decides by itself in every
// clock (SetEager).
//
// # One pass
//
// In the reference, all decisions of a clock are made before any packet moves. But a decision does not depend on what
// other units do in the same clock, even if they are evaluated earlier. A packet that was sent carries the clock in
// which it arrives, at least one clock later. A bank that was emptied carries the clock from which it can be filled, at
// least two clocks later, and counts as full until then. No other unit writes the unit's own ports, banks and intake.
// So the packets of a word move as soon as the word has decided, whatever the configuration.
//
// # Parts
//
// Each thread has a Part: a contiguous range of units. Only two things cross parts: a packet, which takes effect
// hop_clocks later, and the message that a bank has been emptied, which takes effect bank_clocks later. So both can
// wait until the next meeting (Window, mail.go). Until then the upstream part treats the bank as full (Part.beyond).
type Scheduler Network

func (x *Scheduler) network() *Network { return (*Network)(x) }

// scheduler returns the network as its driver sees it.
func (n *Network) scheduler() *Scheduler { return (*Scheduler)(n) }

// wheelClocks is the number of future clocks for which the wheels have entries: more than the largest hop_clocks,
// bank_clocks and inject_clocks [derived].
const wheelClocks = 32

// schedule holds the data for choosing the units to evaluate in each clock.
type schedule struct {
	eager bool // evaluate every unit in every clock
	plain bool // the wheels are out of date: units were evaluated without them, or restored
	fetch bool // prefetch the memory of moves: fetch.go
	part  []Part

	few, crowded int // when switches decide together: SetCrowd

	// beforeRead brings a PE's pins to the start of clock t. It is nil if the pins are always up to date.
	beforeRead func(i int, t uint64)
	intakeFree func(i int) uint64 // the function free of BeforeRead, or nil
}

// Part is the range of units that one thread evaluates. A set of its units has 64 units in each word, beginning with
// the part's first unit.
type Part struct {
	n         *Network
	own       int      // number of the part
	lo, hi    int      // units
	next      uint64   // the next clock
	wheel     []uint64 // for each of the next clocks, the set of units for which something changes
	dense     []*lanes // by word; nil if its units decide one by one
	spare     []*lanes // lanes to be reused
	crowd     []int    // by word: the sum of SetCrowd
	moves     []moving
	accepted  []uint64 // PEs whose output packet was accepted in this clock
	delivered []uint64 // PEs that got a packet

	beyond  [][slots]uint64 // by unit, for the banks downstream in other parts: the result of freeAt
	turn    int             // which of the two mailboxes is being filled
	mail    [2][]mailbox    // by receiving part
	touched uint64          // the result of fetch, stored so that the compiler does not remove its loads
	_       [64]byte        // padding: parts must not have a cache line in common
}

// Split divides the units among parts: the first part has the units bound[0]..bound[1]-1, and so on up to the last
// bound. It must not be called in the middle of a clock.
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

// Window returns the largest number of clocks that parts can step without exchanging mail.
func (x *Scheduler) Window() uint64 { return min(x.hopClocks, x.bankClocks) }

// BeforeRead sets the function that the network calls before it reads pins that PE i drives, in clock t. The function
// brings them to the start of that clock. free returns the first clock at whose start PE i can have emptied its intake,
// which is full; it may be too early, but not too late.
func (x *Scheduler) BeforeRead(f func(i int, t uint64), free func(i int) uint64) {
	x.sched.beforeRead, x.sched.intakeFree = f, free
}

// SetEager turns on the evaluation of every unit in every clock. This is the reference with which the scheduler is
// compared.
func (x *Scheduler) SetEager(on bool) { x.sched.eager = on }

// Plain reports whether every unit is evaluated in every clock, phase by phase. This is so in the reference, while a
// recorder is attached, and while overtakings are counted.
func (x *Scheduler) Plain() bool { return x.sched.eager || x.watch != nil || x.passed != nil }

// Begin prepares all parts for steps from clock t on. One thread calls it, whenever the units may have been changed by
// other means than steps since the last Step.
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
				p.beyond[i][s] = x.network().freeAt(p.lo+i, s)
			}
		}
		for w := range p.dense {
			p.disperse(w, t)
		}
	}
	x.sched.plain = false
}

// Offer tells the switch that the EXU of unit i holds a packet that may be arbitrated from clock t on, or from the next
// clock if that is later. The packet must not change after that, unless it is offered again.
func (p *Part) Offer(i int, t uint64) {
	t = max(t, p.next)
	w, at := p.bitOf(i)
	p.wake(w, t, 1<<at)
	p.offered(i, t)
}

// offered updates the lanes of unit i, if its word has lanes.
func (p *Part) offered(i int, t uint64) {
	w, at := p.bitOf(i)
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

// bitOf returns the word of unit i in the part's sets, and its bit there.
func (p *Part) bitOf(i int) (w, bit int) { return (i - p.lo) >> 6, (i - p.lo) & 63 }

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

// Step simulates clock t for the part's units: the units that may have work decide and move their packets. It reports
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

// moveAll moves the packets that have been granted, and lets the undecided units decide. It reports whether any packet
// moved.
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

// decideAlone lets unit i decide by itself and moves its packets. It reports whether any packet moved. A unit with
// packets left decides again in the next clock.
func (p *Part) decideAlone(i int, t uint64) bool {
	n := p.n
	w, at := p.bitOf(i)
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
		w, at := p.bitOf(i)
		p.accepted[w] |= uint64(granted>>ownSlot&1) << at
	}
	return moved
}

// Move does the second phase of clock t for all of the part's units: the granted packets move.
func (p *Part) Move(t uint64) {
	for i := p.lo; i < p.hi; i++ {
		p.n.transfer(p, i, t)
	}
}

// ArbitrateOne does the first phase of clock t for a single unit, for tests that evaluate units in another order. It
// reports whether a packet of the unit will move.
func (x *Scheduler) ArbitrateOne(i int, t uint64) bool {
	x.sched.plain = true
	return x.network().arbitrate(i, x.network().ready(i, t), t) != 0
}

// TransferOne does the second phase of clock t for a single unit.
func (x *Scheduler) TransferOne(i int, t uint64) {
	n := x.network()
	n.transfer(n.partOf(i), i, t)
}

// The functions below are the interface of su.go to the scheduler.

// expect records that a packet for output o arrives in slot s of unit i in clock t.
func (p *Part) expect(i, s, o int, pk *packet.Packet, t uint64) {
	w, at := p.bitOf(i)
	p.wake(w, t, 1<<at)
	if x := p.dense[w]; x != nil {
		x.expect(at, s, o, pk, p.n.priority, t)
	}
}

// expectFree records that the bank downstream of unit i at slot s can be filled from clock t on.
func (p *Part) expectFree(i, s int, t uint64) {
	w, at := p.bitOf(i)
	if x := p.dense[w]; x != nil {
		p.wake(w, t, 1<<at)
		x.wheel[t%wheelClocks].bankFree[s] |= 1 << at
	}
}

// bankFilled records that the bank downstream of unit i at slot s has been filled.
func (p *Part) bankFilled(i, s int) {
	w, at := p.bitOf(i)
	if x := p.dense[w]; x != nil {
		x.bankFree[s] &^= 1 << at
	}
}

// bankEmptied tells the upstream unit prev that its downstream bank at slot s can be filled again from clock t on.
func (p *Part) bankEmptied(prev, s int, t uint64) {
	if p.has(prev) {
		p.expectFree(prev, s, t)
	} else {
		p.creditBank(prev, s, t)
	}
}

// packetDelivered records that PE i got a packet in this clock.
func (p *Part) packetDelivered(i int) {
	w, at := p.bitOf(i)
	p.delivered[w] |= 1 << at
	if x := p.dense[w]; x != nil {
		x.intake |= 1 << at
	}
}

// freeAt returns the clock from which the bank downstream of unit i at slot s can be filled, or packet.Never while it
// is full. A bank in another part counts as full until the message that it has been emptied is collected.
func (n *Network) freeAt(i, s int) uint64 {
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

// intakeFree returns the first clock at whose start the intake register of PE i can be empty, which is t if it is empty
// in clock t. If the PE can name a later clock, it is not simulated up to clock t.
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
