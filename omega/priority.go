package omega

import "math/bits"

// This file implements the priority of MLPE packets and their answers in the switches: "priority handling of these
// packets" [remedy 003 §5].
//
// Ordinary packets wait while an urgent packet at the same input can move, or one is proposed for the same output. In a
// program they cannot starve, because urgent packets follow from ordinary work: a PE has at most one search in flight
// per prefetch register, and a call starts at most one search. Synthetic traffic that is always urgent can starve other
// packets. It cannot deadlock the network, since every grant still moves a packet.

// urgent returns the slots in the given set of a unit's slots whose packets are urgent.
func (n *Network) urgent(i int, slots uint8) (first uint8) {
	for r := slots; r != 0; r &= r - 1 {
		if n.packetIn(i, bits.TrailingZeros8(r)).Urgent(n.priority) {
			first |= r & -r
		}
	}
	return first
}
