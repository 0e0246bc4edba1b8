package omega

import (
	"math/bits"

	"emsim/trace"
)

// Fair arbitration [remedy for what docs/ARCHITECTURE.md says of overtaking]: a switch
// keeps room for one of its waiting packets at a time.
//
// In turn is fair to a packet that can move without interruption. It is not fair to one
// that can move again and again, while others go first. So as soon as the packet with the
// reservation has room ahead, a free bank or intake, its input and its output serve no packet
// else. Then the next waiting slot in turn gets the reservation. If room opens after at
// most W clocks, a packet moves within W+2 of its reservation, and waits for 7(W+2) clocks
// at most, however many others there are (proven: docs/RTL.md).

// reservation is the packet of a unit for which room is kept.
type reservation struct {
	held uint8 // its slot, as a set; empty if no packet waits
	last uint8 // the slot that has it, or had it last
}

// keepRoom returns which of the movable packets of unit i may move in clock t: not those
// that would hold up the packet with the reservation.
func (n *Network) keepRoom(i int, movable uint8, t uint64) uint8 {
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

// reserve gives the reservation of a unit to the next of the packets that wait, unless
// the one that has it is among them.
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
