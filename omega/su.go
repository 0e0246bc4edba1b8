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
	bank   [slots]packet.Packet
	at     [slots]uint64    // clock; see above
	out    [slots + 1]uint8 // output that the slot's packet wants
	full   uint8            // bit s: bank slot s is filled
	last   [2]uint8         // bank that each network input sent from last
	winner [3]uint8         // input that each output served last

	outFree [3]uint64 // clock from which an output may send again
	inFree  [3]uint64 // clock from which an input may send again

	hops  [3]uint64 // packets sent, by output
	waits [3]uint64 // clocks in which a packet stood ready for an output and did not go

	// Wires of the arbiter, valid from Arbitrate to Transfer of one clock.
	grant [3]int8 // bank slot that each output takes, or none
	load  uint8   // the PE's load in this clock, for passing MLPE packets
}

// nominate lets one network input propose one of its ready banks, urgent ones
// before others. It returns none when nothing can go.
func (n *Network) nominate(i, input int, ready uint8, t uint64) int {
	if n.su[i].inFree[input] > t {
		return none
	}
	if n.priority != 0 {
		if s := n.inTurn(i, input, n.urgent(i, ready), t); s != none {
			return s
		}
	}
	return n.inTurn(i, input, ready, t)
}

// inTurn finds the first bank of an input after the last served whose output
// is free and for which there is room downstream.
func (n *Network) inTurn(i, input int, ready uint8, t uint64) int {
	su := &n.su[i]
	b := int(su.last[input])
	for range Banks {
		if b++; b == Banks {
			b = 0
		}
		s := input*Banks + b
		if ready>>s&1 == 1 && n.room(i, int(su.out[s]), b, &su.bank[s], t) {
			return s
		}
	}
	return none
}

// room reports whether output o of unit i can take packet p, which now is in
// bank b, in clock t: this is the line that makes a packet wait.
func (n *Network) room(i, o, b int, p *packet.Packet, t uint64) bool {
	if n.su[i].outFree[o] > t {
		return false
	}
	if o == Own {
		return p.ToHost || !n.pins[i].InFull
	}
	next, s := n.downstream(i, o, b)
	if s == none {
		return false
	}
	su := &n.su[next]
	return su.full>>s&1 == 0 && su.at[s] <= t
}

// downstream returns the unit behind output o of unit i and the bank slot
// there for a packet that now is in bank b.
func (n *Network) downstream(i, o, b int) (next, slot int) {
	next = int(n.place[i].next[o])
	if n.place[next].at.CA == 0 && b+1 < n.banks {
		b++
	}
	return next, o*Banks + b
}

// arbitrate is the first phase of one unit: it decides from the state at the
// start of the clock which packets move, and writes nothing but its wires,
// its counters and its round-robin pointers. It reports whether a packet
// moves, and whether one stands ready and does not.
//
// Each input nominates one packet, each output takes one nominee, both in
// turn; an input that lost nominates the same packet first in the next clock.
// With priority both are in turn among the urgent packets first (priority.go).
func (n *Network) arbitrate(i int, t uint64) (moves, stays bool) {
	su := &n.su[i]
	pins := &n.pins[i]
	su.load = pins.Load

	var ready uint8 // slots whose packet is here
	for f := su.full; f != 0; f &= f - 1 {
		if s := bits.TrailingZeros8(f); su.at[s] <= t {
			ready |= 1 << s
		}
	}
	var nominee [3]int8 // slot proposed by each input
	var wants [3]uint8  // inputs that want each output
	for input := range 2 {
		if ready>>(input*Banks)&(1<<Banks-1) == 0 {
			continue
		}
		if s := n.nominate(i, input, ready, t); s != none {
			nominee[input] = int8(s)
			wants[su.out[s]] |= 1 << input
		}
	}
	if pins.OutFull {
		ready |= 1 << ownSlot
		o := n.ownRoute(i, &pins.Out)
		su.out[ownSlot] = uint8(o)
		if pins.OutReady <= t && su.inFree[Own] <= t && n.room(i, o, 0, &pins.Out, t) {
			nominee[Own] = ownSlot
			wants[o] |= 1 << Own
		}
	}
	su.grant = [3]int8{none, none, none}
	for o, w := range wants {
		if w == 0 {
			continue
		}
		if n.priority != 0 {
			w = n.urgentInputs(i, w, &nominee)
		}
		input := su.winner[o]
		for {
			if input++; input == 3 {
				input = 0
			}
			if w>>input&1 == 1 {
				break
			}
		}
		s := nominee[input]
		su.grant[o] = s
		su.winner[o] = input
		if input == Own {
			pins.TakenAt = t
		} else {
			su.last[input] = uint8(s) - input*Banks
		}
		ready &^= 1 << s
		moves = true
	}
	for r := ready; r != 0; r &= r - 1 {
		su.waits[su.out[bits.TrailingZeros8(r)]]++
	}
	if n.watch != nil {
		n.tellSlots(i, t)
	}
	return moves, ready != 0
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
			su.full &^= 1 << s
			su.at[s] = t + n.bankClocks
		}
	}
}

// forward puts a packet into the next unit's bank. An MLPE packet that passes
// through is compared with the load of this PE on its way, in the same clocks
// [003 §4.1].
func (n *Network) forward(i, o, b int, p *packet.Packet, passing bool, t uint64, th int) {
	next, s := n.downstream(i, o, b)
	to := &n.su[next]
	if to.full>>s&1 == 1 {
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
	to.full |= 1 << s
	n.wakeAt(next, t+n.hopClocks, th)
}
