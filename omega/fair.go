package omega

import (
	"math/bits"

	"emsim/trace"
)

// Fair arbitration [remedy for packets that are overtaken, see docs/ARCHITECTURE.md]: a switch keeps the next bank or
// intake for one of its waiting packets at a time.
//
// Round-robin arbitration is fair to a packet that stays movable until its turn comes. It is not fair to a packet whose
// bank is taken by another packet each time before its turn comes. With a reservation, as soon as the bank or intake
// ahead of the packet is free, its input and its output serve no other packet. After that packet has moved, the next
// waiting slot in turn gets the reservation. If the bank becomes free after at most W clocks, a packet moves within W+2
// clocks of its reservation. It waits for 7(W+2) clocks at most, however many other packets there are (proven:
// docs/RTL.md).

// reservation is the packet of a unit for which the unit keeps a bank or intake.
type reservation struct {
	held uint8 // the packet's slot, as a set; empty if no packet waits
	last uint8 // the slot that has the reservation, or had it last
}

// keepFree returns the movable packets of unit i that may move in clock t. It excludes packets that would delay the
// packet with the reservation.
func (n *Network) keepFree(i int, movable uint8, t uint64) uint8 {
	su := &n.su[i]
	if su.held == 0 {
		return movable
	}
	first := int(su.last)
	if why := n.waitReason(i, first, t); why == trace.WaitBank || why == trace.WaitIntake {
		return movable
	}
	for r := movable &^ su.held; r != 0; r &= r - 1 {
		s := bits.TrailingZeros8(r)
		if su.output[s] == su.output[first] || s/Banks == first/Banks {
			movable &^= r & -r
		}
	}
	return movable
}

// reserve gives the reservation of a unit to the next waiting packet. A packet that has the reservation and still waits
// keeps it.
func (x *reservation) reserve(waiting uint8) {
	if x.held&waiting != 0 {
		return
	}
	x.held = 0
	if waiting == 0 {
		return
	}
	next := waiting >> (x.last + 1) << (x.last + 1)
	if next == 0 {
		next = waiting
	}
	x.last = uint8(bits.TrailingZeros8(next))
	x.held = 1 << x.last
}
