package omega

import (
	"math/bits"

	"emsim/packet"
)

// This file makes the decisions of 64 switches at a time. What a switch decides depends on a few bits: in which of its
// slots a packet has arrived, to which outputs these packets go, where there is room, which ports are busy, and what
// was served last. The struct lanes holds these bits for 64 units, with one unit in each bit of its words, so a few
// hundred operations on words nominate and serve in all 64 units. Only packets that move are handled one by one. This
// is faster if more than a few packets are ready at a time; otherwise the units decide one by one (schedule.go).
//
// The rules are the rules of su.go, which states them for one unit at a time. That file is the reference, and explains
// to people why a packet waits. The method gather builds the lanes from the units' states; after that, every move
// updates them.

// lanes holds the bits of 64 units.
type lanes struct {
	slot      [slots + 1]slotLanes
	bankFree  [slots]uint64 // the bank downstream at this slot can be filled
	intake    uint64        // the PE's intake was full when it was last checked
	asleep    uint64        // the intake is full, and is not checked before the clock in wheel
	at        uint64        // outBusy and inBusy hold the ports that are busy in this clock
	outBusy   ports
	inBusy    [3]uint64
	lastBank  [2]turn
	lastInput [3]turn
	up        [Banks - 1]uint64 // packets in this bank move to the next higher bank downstream
	wheel     [wheelClocks]coming
}

// slotLanes holds the bits of one slot of 64 units.
type slotLanes struct {
	ready  uint64 // a packet has arrived in the slot
	lo, hi uint64 // the packet's output in two bits; both are set for a word to the host
	urgent uint64 // the packet goes before others
}

// input returns the bits of the banks of a network input.
func (x *lanes) input(in int) *[Banks]slotLanes { return (*[Banks]slotLanes)(x.slot[in*Banks:]) }

// ports holds a set of the 64 units for each of three ports.
type ports struct{ in, out, own uint64 }

// of returns the set for a port.
func (x *ports) of(port int) *uint64 {
	switch port {
	case InGroup:
		return &x.in
	case OutGroup:
		return &x.out
	}
	return &x.own
}

// movable returns the set of units in which the packet of the slot can move. free holds the units with room at each
// output, busy the units whose input is busy, and host the units that can send to the host.
func (x *slotLanes) movable(free *ports, busy, host uint64) uint64 {
	return x.ready &^ busy & ((free.in&^x.lo|free.out&x.lo)&^x.hi | x.hi&(free.own|x.lo&host))
}

// byOutput divides a set of units by the output that they request. lo and hi are the two bits of the output.
func byOutput(set, lo, hi uint64) ports { return ports{set &^ (lo | hi), set & lo &^ hi, set & hi} }

// coming holds the changes for 64 units in one of the next clocks.
type coming struct {
	ready    [slots + 1]uint64 // packets that arrive
	bankFree [slots]uint64     // banks downstream that can be filled
	intakes  uint64            // PEs whose intakes can be empty, and are checked again
	_        [2]uint64         // padding to two of the host's cache lines
}

// turn is the state of 64 round-robin arbiters with three requesters each. A bit is set in first or second if that
// requester was served last; if it is set in neither, the third was.
type turn struct{ first, second uint64 }

// next returns the winners, without serving them. a, b and c hold the units in which the first, second and third
// requester requests.
func (x *turn) next(a, b, c uint64) (nextA, nextB, nextC uint64) {
	third := ^(x.first | x.second)
	return a &^ (b&x.first | c&^third), b &^ (c&x.second | a&^x.first), c &^ (a&third | b&^x.second)
}

// serve records which requesters have been served.
func (x *turn) serve(a, b, c uint64) { x.first, x.second = x.first&^(b|c)|a, x.second&^(a|c)|b }

// pick returns the winners, and serves them.
func (x *turn) pick(a, b, c uint64) (uint64, uint64, uint64) {
	a, b, c = x.next(a, b, c)
	x.serve(a, b, c)
	return a, b, c
}

// set records which requester was served last in the unit at a bit. Nothing may be recorded for that unit yet.
func (x *turn) set(bit uint64, last uint8) {
	switch last {
	case 0:
		x.first |= bit
	case 1:
		x.second |= bit
	}
}

// moving is a packet that has been granted, given by its input and bank, or a unit that must still decide by itself.
type moving struct {
	unit        uint32
	input, bank uint8
}

// undecided is the input of a unit that must still decide by itself.
const undecided = 3

// decide makes the decisions of the units of word w in clock t, and appends their grants to the part's moves.
func (p *Part) decide(x *lanes, w int, t uint64) {
	ready := x.take(&x.wheel[t%wheelClocks])
	if ready == 0 {
		return
	}
	if x.at != t {
		x.outBusy, x.inBusy = ports{}, [3]uint64{}
	}
	x.at = t + 1
	for set := x.forIntake() & x.intake &^ x.asleep; set != 0; set &= set - 1 {
		free, bit := p.n.intakeFree(p.Unit(w)+bits.TrailingZeros64(set), t), set&-set
		if free == t {
			x.intake &^= bit
			continue
		}
		free = min(free, t+wheelClocks-1)
		x.asleep |= bit
		x.wheel[free%wheelClocks].intakes |= bit
	}
	free := x.free()
	var requests [3]ports // by input
	var nominees [2][Banks]uint64
	for in := range nominees {
		first, second, third, lo, hi := x.nominate(in, &free, p.n.priority != 0)
		nominees[in] = [Banks]uint64{first, second, third}
		requests[in] = byOutput(first|second|third, lo, hi)
	}
	own := &x.slot[ownSlot]
	requests[Own] = byOutput(own.movable(&free[0], x.inBusy[Own], ^x.outBusy.own), own.lo, own.hi)
	if p.n.priority != 0 {
		x.urgentFirst(&requests, &nominees)
	}
	in0, in1, in2 := x.lastInput[InGroup].pick(requests[0].in, requests[1].in, requests[2].in)
	out0, out1, out2 := x.lastInput[OutGroup].pick(requests[0].out, requests[1].out, requests[2].out)
	own0, own1, own2 := x.lastInput[Own].pick(requests[0].own, requests[1].own, requests[2].own)
	x.outBusy = ports{in0 | in1 | in2, out0 | out1 | out2, own0 | own1 | own2}
	x.inBusy = [3]uint64{in0 | out0 | own0, in1 | out1 | own1, in2 | out2 | own2}
	left, moves, number := uint64(0), p.moves, uint32(p.Unit(w))
	for in := range nominees {
		s, m, busy := x.input(in), &nominees[in], x.inBusy[in]
		x.lastBank[in].serve(m[0]&busy, m[1]&busy, m[2]&busy)
		s[0].ready &^= m[0] & busy
		s[1].ready &^= m[1] & busy
		s[2].ready &^= m[2] & busy
		left |= s[0].ready | s[1].ready | s[2].ready
		for ; busy != 0; busy &= busy - 1 {
			i := bits.TrailingZeros64(busy) & 63
			moves = append(moves, moving{number + uint32(i), uint8(in), uint8(m[1]>>i&1 + m[2]>>i&1<<1)})
		}
	}
	busy := x.inBusy[Own]
	p.accepted[w] = busy
	own.ready &^= busy
	if left |= own.ready; left != 0 {
		p.wake(w, t+1, left)
	}
	for ; busy != 0; busy &= busy - 1 {
		moves = append(moves, moving{number + uint32(bits.TrailingZeros64(busy)), Own, 0})
	}
	p.moves = moves
	if !p.isCrowded(w, ready) && p.crowd[w] == 0 {
		p.disperse(w, t+1)
	}
}

// free returns the units with room at each output, for each bank in which the packet can be.
func (x *lanes) free() (free [Banks]ports) {
	up0, up1 := x.up[0], x.up[1]
	in, out, own := ^x.outBusy.in, ^x.outBusy.out, ^(x.intake | x.outBusy.own)
	bankFree := &x.bankFree
	free[0] = ports{(bankFree[0]&^up0 | bankFree[1]&up0) & in, (bankFree[3]&^up0 | bankFree[4]&up0) & out, own}
	free[1] = ports{(bankFree[1]&^up1 | bankFree[2]&up1) & in, (bankFree[4]&^up1 | bankFree[5]&up1) & out, own}
	free[2] = ports{bankFree[2] & in, bankFree[5] & out, own}
	return free
}

// nominate returns the units in which a network input nominates the packet in each of its banks, and the bits of the
// outputs of these packets.
func (x *lanes) nominate(in int, free *[Banks]ports, priority bool) (m0, m1, m2, lo, hi uint64) {
	s, busy, host := x.input(in), x.inBusy[in], ^x.outBusy.own
	m0, m1, m2 = s[0].movable(&free[0], busy, host), s[1].movable(&free[1], busy, host),
		s[2].movable(&free[2], busy, host)
	if priority {
		if first := m0&s[0].urgent | m1&s[1].urgent | m2&s[2].urgent; first != 0 {
			m0, m1, m2 = m0&(s[0].urgent|^first), m1&(s[1].urgent|^first), m2&(s[2].urgent|^first)
		}
	}
	m0, m1, m2 = x.lastBank[in].next(m0, m1, m2)
	return m0, m1, m2, m0&s[0].lo | m1&s[1].lo | m2&s[2].lo, m0&s[0].hi | m1&s[1].hi | m2&s[2].hi
}

// urgentFirst removes the other requests for an output if an urgent nominee requests it.
func (x *lanes) urgentFirst(requests *[3]ports, nominees *[2][Banks]uint64) {
	urgent := [3]uint64{Own: x.slot[ownSlot].urgent}
	for s := range slots {
		urgent[s/Banks] |= nominees[s/Banks][s%Banks] & x.slot[s].urgent
	}
	for o := range requests {
		first := *requests[0].of(o)&urgent[0] | *requests[1].of(o)&urgent[1] | *requests[2].of(o)&urgent[2]
		for in := range requests {
			*requests[in].of(o) &= urgent[in] | ^first
		}
	}
}

// take applies the changes of a clock. It returns the units with a packet that has arrived.
func (x *lanes) take(c *coming) (ready uint64) {
	for s := range x.slot {
		x.slot[s].ready |= c.ready[s]
		ready |= x.slot[s].ready
	}
	for s := range x.bankFree {
		x.bankFree[s] |= c.bankFree[s]
	}
	x.asleep &^= c.intakes
	*c = coming{}
	return ready
}

// forIntake returns the units with a packet that could move to the PE if the PE's intake were empty.
func (x *lanes) forIntake() uint64 {
	own := &x.slot[ownSlot]
	set := own.ready & own.hi &^ own.lo &^ x.inBusy[Own]
	for in, busy := range x.inBusy[:Own] {
		s := x.input(in)
		set |= (s[0].ready&s[0].hi&^s[0].lo | s[1].ready&s[1].hi&^s[1].lo | s[2].ready&s[2].hi&^s[2].lo) &^ busy
	}
	return set &^ x.outBusy.own
}

// expect records that a packet for output o arrives in slot s of the unit at bit `at` in clock t.
func (x *lanes) expect(at, s, o int, pk *packet.Packet, priority int, t uint64) {
	l, bit := &x.slot[s], uint64(1)<<(at&63)
	l.lo, l.hi = l.lo&^bit|bit*uint64(o&1), l.hi&^bit|bit*uint64(o>>1)
	if pk.ToHost && o == Own {
		l.lo |= bit
	}
	if priority != 0 {
		l.urgent &^= bit
		if pk.Urgent(priority) {
			l.urgent |= bit
		}
	}
	x.wheel[t%wheelClocks].ready[s] |= bit
}

// SetCrowd sets when the switches of a word decide together. In each clock in which the word has work, the number of
// its active units in excess of few is added to a sum, which is kept between 0 and crowded. The switches begin to
// decide together when the sum reaches crowded, and stop when it falls to 0. The states do not depend on it.
func (x *Scheduler) SetCrowd(few, crowded int) { x.sched.few, x.sched.crowded = few, crowded }

// isCrowded counts the active units of word w in one clock, and reports whether the word is crowded.
func (p *Part) isCrowded(w int, units uint64) bool {
	x := &p.n.sched
	if p.n.fair { // lanes has no reservations
		return false
	}
	p.crowd[w] = min(max(0, p.crowd[w]+bits.OnesCount64(units)-x.few), x.crowded)
	return p.crowd[w] == x.crowded
}

// gather builds the lanes of word w from the states of its units at the start of clock t.
func (p *Part) gather(w int, t uint64) *lanes {
	n, x := p.n, new(lanes)
	if last := len(p.spare) - 1; last >= 0 {
		x, p.spare = p.spare[last], p.spare[:last]
		*x = lanes{}
	}
	p.dense[w], x.at = x, t
	for set := p.Present(w); set != 0; set &= set - 1 {
		at, bit := bits.TrailingZeros64(set)&63, set&-set
		i := p.Unit(w) + at
		su := &n.su[i]
		for s := range slots {
			if su.full>>s&1 == 1 {
				x.expect(at, s, int(su.output[s]), &su.bank[s], n.priority, max(t, su.readyAt[s]))
			}
			if at := n.freeAt(i, s); at != packet.Never {
				p.expectFree(i, s, max(t, at))
			}
		}
		if n.pins[i].OutFull {
			p.offered(i, max(t, n.pins[i].OutReady))
		}
		if n.pins[i].InFull {
			x.intake |= bit
		}
		for b := range x.up {
			if int(su.behind[b]) > b {
				x.up[b] |= bit
			}
		}
		for port := range 3 {
			if su.outFreeAt[port] > t {
				*x.outBusy.of(port) |= bit
			}
			if su.inFreeAt[port] > t {
				x.inBusy[port] |= bit
			}
			x.lastInput[port].set(bit, su.lastInput[port])
		}
		x.lastBank[InGroup].set(bit, su.lastBank[InGroup])
		x.lastBank[OutGroup].set(bit, su.lastBank[OutGroup])
	}
	return x
}

// disperse makes the units of word w decide one by one from clock t on.
func (p *Part) disperse(w int, t uint64) {
	if x := p.dense[w]; x != nil {
		p.dense[w], p.spare = nil, append(p.spare, x)
	}
	for set := p.Present(w); set != 0; set &= set - 1 {
		i := p.Unit(w) + bits.TrailingZeros64(set)
		su := &p.n.su[i]
		for f := su.full; f != 0; f &= f - 1 {
			p.wake(w, max(t, su.readyAt[bits.TrailingZeros8(f)]), set&-set)
		}
		if pins := &p.n.pins[i]; pins.OutFull {
			p.wake(w, max(t, pins.OutReady), set&-set)
		}
	}
}
