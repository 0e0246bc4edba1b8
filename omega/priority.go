package omega

import "math/bits"

// Priority of MLPE packets and their answers in the switches [remedy 003 §5].
// Ordinary packets wait as long as urgent ones want the same output. They
// cannot starve where urgent packets come from ordinary work, as they do in a
// program: a PE has at most as many searches under way as prefetch registers,
// and a call asks once. Traffic that is urgent without end can starve others;
// it cannot block them: every grant moves a packet, so the argument against
// deadlock holds.

// urgent leaves of a unit's slots those whose packet is urgent.
func (n *Network) urgent(i int, slots uint8) (first uint8) {
	for r := slots; r != 0; r &= r - 1 {
		if n.packet(i, bits.TrailingZeros8(r)).Urgent(n.priority) {
			first |= r & -r
		}
	}
	return first
}
