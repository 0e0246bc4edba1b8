package omega

import (
	"fmt"
	"math/bits"

	"emsim/packet"
)

// Banks is the number of buffer banks per network input that makes the
// network free of deadlock: a packet moves to the next bank when it enters
// column 0, which happens at most twice [derived; deadlock-free: EM-4
// papers' abstracts].
const Banks = 3

// portClocks is the time that a packet's two words hold a port [derived: one
// 39-bit word a clock].
const portClocks = 2

// The bank slots of a unit: in-group banks, out-of-group banks, and behind
// them the packet that the own EXU holds.
const (
	slots   = 2 * Banks
	ownSlot = slots
	none    = -1
)

// SU is the switching unit of one PE: a 3×3 crossbar that works independently
// of the rest of the PE [003 §2].
//
//	in-group ──[bank 0 1 2]──┐        ┌── in-group
//	out-of-g ──[bank 0 1 2]──┼─ 3×3 ──┼── out-of-group
//	EXU ─────────────────────┘        └── IBU (at [0,0] also the host)
//
// A bank is filled by the unit upstream and emptied by its own unit. A filled
// bank may leave from its clock `at` on, an empty one may be filled from `at`
// on: the two words hold a port for two clocks, and a packet reaches the next
// unit's arbiter HopClocks after it left.
type SU struct {
	at     [slots]uint64    // clock; see above
	put    [2]uint8         // by input, bit b: changes whenever the unit upstream fills bank b
	got    uint8            // bit s: changes whenever the own unit empties bank slot s
	out    [slots + 1]uint8 // output that the slot's packet wants
	last   [2]uint8         // bank that each network input sent from last
	winner [3]uint8         // input that each output served last

	// Wires of the arbiter, valid from Arbitrate to Transfer of one clock.
	load  uint8   // the PE's load in this clock, for passing MLPE packets
	grant [3]int8 // bank slot that each output takes, or none

	outFree [3]uint64 // clock from which an output may send again
	inFree  [3]uint64 // clock from which an input may send again

	hops  [3]uint64 // packets sent, by output
	waits [3]uint64 // clocks in which they had stood ready before they went

	bank [slots]packet.Packet
}

// full returns the set of bank slots that hold a packet. The unit upstream and
// the own one write different bytes, so that both can in one clock.
func (su *SU) full() uint8 { return (su.put[0] | su.put[1]<<Banks) ^ su.got }

// ready returns the set of bank slots whose packet is here.
func (su *SU) ready(t uint64) (set uint8) {
	for f := su.full(); f != 0; f &= f - 1 {
		if s := bits.TrailingZeros8(f); su.at[s] <= t {
			set |= 1 << s
		}
	}
	return set
}

// turn is a round robin among three: by the set of those that ask and the one
// served last, who is next.
var turn = [8][3]uint8{{}, {}, {1, 1, 1}, {1, 0, 0}, {2, 2, 2}, {2, 2, 0}, {1, 2, 1}, {1, 2, 0}}

// room reports whether output o of unit i can take packet p, which now is in
// bank b, in clock t: this is the line that makes a packet wait.
func (n *Network) room(i, o, b int, p *packet.Packet, t uint64) bool {
	if n.su[i].outFree[o] > t {
		return false
	}
	if o == Own {
		return p.ToHost || !n.intakeFull(i, t)
	}
	next, s := n.downstream(i, o, b)
	su := &n.su[next]
	return su.full()>>s&1 == 0 && su.at[s] <= t
}

// intakeFull reports whether the intake register of PE i holds a packet at the
// start of clock t.
func (n *Network) intakeFull(i int, t uint64) bool {
	if n.pins[i].InFull && n.Sync != nil {
		n.Sync(i, t)
	}
	return n.pins[i].InFull
}

// downstream returns the unit behind output o of unit i and the bank slot
// there for a packet that now is in bank b.
func (n *Network) downstream(i, o, b int) (next, slot int) {
	here := &n.place[i]
	if here.last && b+1 < n.banks {
		b++
	}
	return int(here.next[o]), o*Banks + b
}

// arbitrate is the first phase of one unit: it decides from the state at the
// start of the clock which packets move, and writes nothing but its wires,
// its round-robin pointers and its own wake-up clocks. It reports whether a
// packet moves, and whether that of the own EXU does.
//
// Each input nominates one packet, each output takes one nominee, both in
// turn; an input that lost nominates the same packet first in the next clock.
// With priority both are in turn among the urgent packets first (priority.go).
//
// A unit in which nothing moves decides the same again until something changes
// for it, so it need not be asked before. It is, when
//
//	a packet comes to a bank, or to Out    in its clock `at`, OutReady
//	a port of its own is free again        portClocks after it was taken
//	a bank downstream can be filled again  bankClocks after it was emptied
//	the intake may be empty                in every clock while one waits
func (n *Network) arbitrate(i int, t uint64) (moves, own bool) {
	su, pins := &n.su[i], &n.pins[i]
	su.grant = [3]int8{none, none, none}

	ready := su.ready(t)
	if pins.OutFull && pins.OutReady <= t {
		ready |= 1 << ownSlot
		su.out[ownSlot] = uint8(n.ownRoute(i, &pins.Out))
	}
	left := ready // what stays
	if ready&(ready-1) == 0 {
		if ready != 0 && n.alone(i, bits.TrailingZeros8(ready), t) {
			left = 0
		}
	} else {
		left = n.compete(i, ready, t)
	}
	if left != 0 {
		n.again(i, left, t)
	}
	if n.watch != nil {
		n.tellSlots(i, t)
	}
	moved := ready &^ left
	return moved != 0, moved>>ownSlot&1 == 1
}

// alone is arbitrate for a unit in which only slot s has a packet that stands
// ready. It reports whether that goes.
func (n *Network) alone(i, s int, t uint64) bool {
	su := &n.su[i]
	if su.inFree[s/Banks] > t || !n.room(i, int(su.out[s]), s%Banks, n.packet(i, s), t) {
		return false
	}
	n.grant(i, s, t)
	return true
}

// grant gives a slot the output that it wants.
func (n *Network) grant(i, s int, t uint64) {
	su := &n.su[i]
	o, input := su.out[s], s/Banks
	su.grant[o] = int8(s)
	su.winner[o] = uint8(input)
	if input == Own {
		n.pins[i].TakenAt = t
		return
	}
	su.last[input] = uint8(s - input*Banks)
	n.passing(i, &su.bank[s], t)
}

// compete is arbitrate for a unit in which several slots are ready. It returns
// those that stay.
func (n *Network) compete(i int, ready uint8, t uint64) (left uint8) {
	su := &n.su[i]
	can, urgent := n.able(i, ready, t), uint8(0)
	if n.priority != 0 {
		urgent = n.urgent(i, can)
	}
	var nominee [3]int    // slot proposed by each input
	var wants [3]uint8    // inputs that want each output
	var pressing [3]uint8 // of them, those with an urgent packet
	for input := range nominee {
		set := can >> (input * Banks) & (1<<Banks - 1)
		if set == 0 {
			continue
		}
		first := urgent >> (input * Banks) & (1<<Banks - 1)
		if first != 0 {
			set = first
		}
		s := ownSlot
		if input != Own {
			s = input*Banks + int(turn[set][su.last[input]])
		}
		o := su.out[s]
		nominee[input] = s
		wants[o] |= 1 << input
		if first != 0 {
			pressing[o] |= 1 << input
		}
	}
	left = ready
	lost := false // a nominee
	for o, w := range wants {
		if w == 0 {
			continue
		}
		lost = lost || w&(w-1) != 0
		if pressing[o] != 0 {
			w = pressing[o]
		}
		s := nominee[turn[w][su.winner[o]]]
		n.grant(i, s, t)
		left &^= 1 << s
	}
	switch {
	case left == 0:
	case lost: // its input may nominate another one
		n.wakeAt(i, t+1, 0)
	case left != ready:
		n.wakeAt(i, t+portClocks, 0)
	}
	return left
}

// able returns those of the ready slots of a unit whose packets can go.
func (n *Network) able(i int, ready uint8, t uint64) (can uint8) {
	su := &n.su[i]
	for input, free := range su.inFree {
		if free > t {
			ready &^= (1<<Banks - 1) << (input * Banks)
		}
	}
	for r := ready; r != 0; r &= r - 1 {
		s := bits.TrailingZeros8(r)
		if n.room(i, int(su.out[s]), s%Banks, n.packet(i, s), t) {
			can |= r & -r
		}
	}
	return can
}

// packet returns the packet of a slot.
func (n *Network) packet(i, s int) *packet.Packet {
	if s == ownSlot {
		return &n.pins[i].Out
	}
	return &n.su[i].bank[s]
}

// again wakes a unit in the next clock when the ports or the intake that its
// packets wait for may be free then.
func (n *Network) again(i int, ready uint8, t uint64) {
	su := &n.su[i]
	for r := ready; r != 0; r &= r - 1 {
		s := bits.TrailingZeros8(r)
		o := su.out[s]
		if su.outFree[o] > t || su.inFree[s/Banks] > t || o == Own && n.pins[i].InFull {
			n.wakeAt(i, t+1, 0)
			return
		}
	}
}

// passing notes the load of the PE for an MLPE packet that goes on.
func (n *Network) passing(i int, p *packet.Packet, t uint64) {
	if !p.Kind.Search() || !n.compare {
		return
	}
	if n.Sync != nil {
		n.Sync(i, t)
	}
	n.su[i].load = n.pins[i].Load
}

// ownRoute is Route for a packet from the own EXU: an MLPE packet is put out
// although it is addressed to its own PE [003 §4.1].
func (n *Network) ownRoute(i int, p *packet.Packet) int {
	if p.Kind.Search() && p.Dest == n.place[i].at {
		if p.Kind == packet.MLPEGroup {
			return InGroup
		}
		return OutGroup
	}
	return n.route(i, p)
}

// transfer is the second phase of one unit: the granted packets move. It
// writes banks that were empty at the start of the clock (downstream) or full
// (its own), never one that another unit writes in this clock.
func (n *Network) transfer(i int, t uint64, th int) {
	su := &n.su[i]
	pins := &n.pins[i]
	for o, g := range su.grant {
		if g == none {
			continue
		}
		s, b, input := int(g), 0, Own
		p := &pins.Out
		if s != ownSlot {
			p = &su.bank[s]
			input = s / Banks
			b = s - input*Banks
		}
		su.outFree[o] = t + portClocks
		su.inFree[input] = t + portClocks
		su.hops[o]++
		if s == ownSlot {
			su.waits[o] += t - pins.OutReady
		} else {
			su.waits[o] += t - su.at[s]
		}
		switch {
		case o != Own:
			n.forward(i, o, b, p, input != Own, t, th)
		case p.ToHost:
			n.host = append(n.host, HostWord{Clock: t + portClocks, Data: p.Data})
		default:
			if pins.InFull {
				panic(fmt.Sprintf("omega: clock %d, PE %v: %v comes to a full intake", t, n.place[i].at, *p))
			}
			pins.In = *p
			pins.InReady = t + portClocks - 1
			pins.InFull = true
			n.woken[i>>6] |= 1 << (i & 63)
		}
		if n.watch != nil {
			n.tellMove(t, i, s, input, o, p)
		}
		if s == ownSlot {
			pins.OutFull = false
		} else {
			su.got ^= 1 << s
			su.at[s] = t + n.bankClocks
			n.wakeAt(int(n.place[i].prev[input]), t+n.bankClocks, th)
		}
	}
}

// forward puts a packet into the next unit's bank. An MLPE packet that passes
// through is compared with the load of this PE on its way, in the same clocks
// [003 §4.1].
func (n *Network) forward(i, o, b int, p *packet.Packet, passing bool, t uint64, th int) {
	next, s := n.downstream(i, o, b)
	to := &n.su[next]
	if len(n.wakeup) == 1 && to.full()>>s&1 == 1 { // with more threads its own unit may be writing
		panic(fmt.Sprintf("omega: clock %d, PE %v: %v comes to a full bank", t, n.place[next].at, *p))
	}
	to.bank[s] = *p
	if p.Kind.Search() && passing {
		if n.compare {
			to.bank[s].Data = n.rewrite(p.Data, n.su[i].load, n.place[i].at)
		}
		if p.Dest == n.place[i].at { // home, of two circuits
			to.bank[s].Kind = packet.MLPEGroup
		}
		if n.watch != nil {
			n.tellRewrite(t, i, p, to.bank[s].Data)
		}
	}
	to.out[s] = uint8(n.route(next, &to.bank[s]))
	to.at[s] = t + n.hopClocks
	to.put[o] ^= 1 << (s - o*Banks)
	n.wakeAt(next, t+n.hopClocks, th)
}
