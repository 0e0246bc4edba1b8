package omega

import (
	"fmt"
	"math/bits"

	"emsim/packet"
	"emsim/trace"
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

	wire wires

	outFree [3]uint64 // clock from which an output may send again
	inFree  [3]uint64 // clock from which an input may send again

	Counters // Waits is counted when a packet goes

	bank [slots]packet.Packet
}

// wires are what the arbiter of a unit tells its ports within one clock, from
// Arbitrate to Transfer.
type wires struct {
	load  uint8   // the PE's load in this clock, for passing MLPE packets
	grant [3]int8 // bank slot that each output takes, or none
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

// hold is the verdict on the packet of slot s, which is here: trace.Move when
// nothing is in its way in clock t, otherwise what it waits for and the first
// clock in which that can be different. This is the line that makes a packet
// wait. Everybody who asks why a packet stays reads it: the arbiter, its
// wake-up clocks, traces, the debugger, deadlock reports.
//
// Of several reasons it gives the one downstream: what is full there can last,
// and a port is free again after the other packet's words. until is
// packet.Never where the unit downstream will tell (it wakes this unit when it
// empties a bank).
func (n *Network) hold(i, s int, t uint64) (why trace.Status, until uint64) {
	su := &n.su[i]
	o := int(su.out[s])
	if o != Own {
		next, bank := n.downstream(i, o, s%Banks)
		to := &n.su[next]
		if to.full()>>bank&1 == 1 {
			return trace.WaitBank, packet.Never
		}
		if to.at[bank] > t {
			return trace.WaitBank, to.at[bank]
		}
	} else if !n.packet(i, s).ToHost && n.intakeFull(i, t) {
		return trace.WaitIntake, t + 1
	}
	switch {
	case su.outFree[o] > t:
		return trace.WaitOutput, su.outFree[o]
	case su.inFree[s/Banks] > t:
		return trace.WaitInput, su.inFree[s/Banks]
	}
	return trace.Move, t
}

// ready returns the set of slots of unit i whose packet is here: full banks,
// and what the own EXU holds, whose output is found out on the way.
func (n *Network) ready(i int, t uint64) uint8 {
	su, pins := &n.su[i], &n.pins[i]
	set := su.ready(t)
	if pins.OutFull && pins.OutReady <= t {
		set |= 1 << ownSlot
		su.out[ownSlot] = uint8(n.ownRoute(i, &pins.Out))
	}
	return set
}

// arbitrate is the first phase of one unit: it decides from the state at the
// start of the clock which packets move, and writes nothing but its wires and
// its round-robin pointers. It reports whether a packet moves, and whether that
// of the own EXU does.
func (n *Network) arbitrate(i int, t uint64) (moves, own bool) {
	ready := n.ready(i, t)
	granted, wake := n.decide(i, ready, t)
	n.su[i].wire.grant = [3]int8{none, none, none}
	for g := granted; g != 0; g &= g - 1 {
		n.grant(i, bits.TrailingZeros8(g), t)
	}
	if wake != packet.Never {
		n.wakeAt(i, wake, 0)
	}
	if n.watch != nil {
		n.tellSlots(i, granted, t)
	}
	return granted != 0, granted>>ownSlot&1 == 1
}

// decide returns which of the ready slots of unit i move in clock t, and the
// first clock in which the others can do what they cannot do now. It changes
// nothing.
//
// Each input nominates one packet, each output takes one nominee, both in
// turn; an input that lost nominates the same packet first in the next clock.
// With priority both are in turn among the urgent packets first (priority.go).
func (n *Network) decide(i int, ready uint8, t uint64) (granted uint8, wake uint64) {
	wake = packet.Never
	can := uint8(0)
	for r := ready; r != 0; r &= r - 1 {
		if why, until := n.hold(i, bits.TrailingZeros8(r), t); why == trace.Move {
			can |= r & -r
		} else {
			wake = min(wake, until)
		}
	}
	if can&(can-1) == 0 { // nobody to compete with
		return can, wake
	}
	granted, lost := n.compete(i, can)
	switch {
	case granted == can:
	case lost: // its input may nominate another packet
		wake = min(wake, t+1)
	default: // the others' inputs send
		wake = min(wake, t+portClocks)
	}
	return granted, wake
}

// compete chooses among several slots that can move. It reports whether the
// packet that an input nominated was not served.
func (n *Network) compete(i int, can uint8) (granted uint8, lost bool) {
	su := &n.su[i]
	urgent := uint8(0)
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
	for o, w := range wants {
		if w == 0 {
			continue
		}
		lost = lost || w&(w-1) != 0
		if pressing[o] != 0 {
			w = pressing[o]
		}
		granted |= 1 << nominee[turn[w][su.winner[o]]]
	}
	return granted, lost
}

// grant gives a slot the output that it wants.
func (n *Network) grant(i, s int, t uint64) {
	su := &n.su[i]
	o, input := su.out[s], s/Banks
	su.wire.grant[o] = int8(s)
	su.winner[o] = uint8(input)
	if input == Own {
		n.pins[i].TakenAt = t
		return
	}
	su.last[input] = uint8(s - input*Banks)
	n.passing(i, &su.bank[s], t)
}

// packet returns the packet of a slot.
func (n *Network) packet(i, s int) *packet.Packet {
	if s == ownSlot {
		return &n.pins[i].Out
	}
	return &n.su[i].bank[s]
}

// passing notes the load of the PE for an MLPE packet that goes on.
func (n *Network) passing(i int, p *packet.Packet, t uint64) {
	if !p.Kind.Search() || !n.compare {
		return
	}
	if n.Sync != nil {
		n.Sync(i, t)
	}
	n.su[i].wire.load = n.pins[i].Load
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
	for o, g := range su.wire.grant {
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
		su.Packets[o]++
		if s == ownSlot {
			su.Waits[o] += t - pins.OutReady
		} else {
			su.Waits[o] += t - su.at[s]
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
			to.bank[s].Data = n.rewrite(p.Data, n.su[i].wire.load, n.place[i].at)
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
