package omega

import "math/bits"

// Priority of MLPE packets and their answers in the switches [remedy 003 §5].
// Ordinary packets wait as long as urgent ones want the same output. They
// cannot starve where urgent packets come from ordinary work, as they do in a
// program: a PE has at most as many searches under way as prefetch registers,
// and a call asks once. Traffic that is urgent without end can starve others;
// it cannot block them: every grant moves a packet, so the argument against
// deadlock holds.

// urgent leaves of the ready banks of a unit those whose packet is urgent.
func (n *Network) urgent(i int, ready uint8) uint8 {
	first := uint8(0)
	for r := ready &^ (1 << ownSlot); r != 0; r &= r - 1 {
		if n.su[i].bank[bits.TrailingZeros8(r)].Urgent(n.priority) {
			first |= r & -r
		}
	}
	return first
}

// urgentInputs leaves of the inputs that want an output those whose nominee is
// urgent, when there are any.
func (n *Network) urgentInputs(i int, wants uint8, nominee *[3]int8) uint8 {
	first := uint8(0)
	for w := wants; w != 0; w &= w - 1 {
		p := &n.pins[i].Out
		if s := nominee[bits.TrailingZeros8(w)]; s != ownSlot {
			p = &n.su[i].bank[s]
		}
		if p.Urgent(n.priority) {
			first |= w & -w
		}
	}
	if first == 0 {
		return wants
	}
	return first
}
