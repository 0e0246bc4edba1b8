package omega

import "emsim/packet"

// Slot is a packet that stands in a switch, or is on its way into it.
type Slot struct {
	Input, Bank int // Input is Own for the packet that the own EXU holds
	Output      int
	Packet      packet.Packet
	Ready       uint64 // clock from which it may go on
}

// Slots lists the packets of unit i: those of its banks, and the one that its
// EXU (or the host) holds.
func (n *Network) Slots(i int) []Slot {
	var list []Slot
	su, pins := &n.su[i], &n.pins[i]
	for s := range slots {
		if su.full()>>s&1 == 1 {
			list = append(list, Slot{s / Banks, s % Banks, int(su.out[s]), su.bank[s], su.at[s]})
		}
	}
	if pins.OutFull {
		list = append(list, Slot{Own, 0, n.ownRoute(i, &pins.Out), pins.Out, pins.OutReady})
	}
	return list
}

// Why says what a packet of unit i, as Slots lists it, waits for at the start
// of clock t, or "" when it can go unless another one is served first.
func (n *Network) Why(i int, x *Slot, t uint64) string {
	su := &n.su[i]
	switch {
	case x.Ready > t:
		return "its way here"
	case x.Output == Own && !x.Packet.ToHost && n.pins[i].InFull:
		return "the intake of the input buffer"
	case su.outFree[x.Output] > t:
		return "the " + PortName(x.Output) + " output, which another packet holds"
	case su.inFree[x.Input] > t:
		return "its input, which another packet holds"
	case !n.room(i, x.Output, x.Bank, &x.Packet, t):
		return "a bank behind the " + PortName(x.Output) + " link"
	}
	return ""
}

// PortsFree returns the clocks from which the outputs and the inputs of unit i
// can send again.
func (n *Network) PortsFree(i int) (outputs, inputs [3]uint64) {
	return n.su[i].outFree, n.su[i].inFree
}
