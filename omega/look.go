package omega

import (
	"fmt"

	"emsim/packet"
	"emsim/trace"
)

// Slot is a packet in a switch, or on its way into it, and what it does in a
// clock.
type Slot struct {
	Unit   int // number of the PE whose switch it is in
	Input  int // network input by which it came, or Own for the packet that the own EXU (or the host) holds
	Bank   int // buffer bank of the input
	Output int
	Packet packet.Packet
	Ready  uint64       // clock from which it may go on
	Status trace.Status // Hop, WaitInject: on its way; Move: goes on in this clock; otherwise what it waits for

	Next, NextBank int // unit and bank behind its output; Next is -1 for the own PE
}

// Slots lists the packets of unit i and what each does in clock t, which is the
// next one: those of its banks, and the one that its EXU (or the host) holds.
func (n *Network) Slots(i int, t uint64) []Slot {
	var list []Slot
	granted, _ := n.decide(i, n.ready(i, t), t)
	for s := range slots + 1 {
		if x := n.slot(i, s, granted, t); x.Status != trace.Idle {
			list = append(list, x)
		}
	}
	return list
}

// slot describes one slot of a unit; an empty one is trace.Idle.
func (n *Network) slot(i, s int, granted uint8, t uint64) Slot {
	su := &n.su[i]
	x := Slot{Unit: i, Input: s / Banks, Bank: s % Banks, Status: n.status(i, s, granted, t), Next: -1}
	if x.Status == trace.Idle {
		return x
	}
	x.Packet = *n.packet(i, s)
	if s == ownSlot {
		x.Output, x.Ready = n.ownRoute(i, &x.Packet), n.pins[i].OutReady
	} else {
		x.Output, x.Ready = int(su.out[s]), su.at[s]
	}
	if x.Output != Own {
		next, bank := n.downstream(i, x.Output, x.Bank)
		x.Next, x.NextBank = next, bank%Banks
	}
	return x
}

// status says what the packet of a slot does in clock t, when the arbiter lets
// the granted slots go.
func (n *Network) status(i, s int, granted uint8, t uint64) trace.Status {
	su, pins := &n.su[i], &n.pins[i]
	switch {
	case s == ownSlot && !pins.OutFull, s != ownSlot && su.full()>>s&1 == 0:
		return trace.Idle
	case s == ownSlot && pins.OutReady > t:
		return trace.WaitInject
	case s != ownSlot && su.at[s] > t:
		return trace.Hop
	case granted>>s&1 == 1:
		return trace.Move
	}
	why, _ := n.hold(i, s, t)
	if why == trace.Move {
		return trace.WaitTurn
	}
	return why
}

// Stuck reports whether the packet is here and stays in this clock.
func (x *Slot) Stuck() bool { return x.Status.Waits() && x.Status != trace.WaitInject }

// Why says in words what a packet that is Stuck waits for.
func (x *Slot) Why() string {
	switch x.Status {
	case trace.WaitBank:
		return fmt.Sprintf("bank %d behind the %s link", x.NextBank, PortName(x.Output))
	case trace.WaitIntake:
		return "the intake of the input buffer"
	case trace.WaitOutput:
		return "the " + PortName(x.Output) + " output, which another packet holds"
	case trace.WaitInput:
		return "its input, which another packet holds"
	case trace.WaitTurn:
		return "its turn: another packet goes first"
	}
	return ""
}

// String says where the packet is and what it waits for.
func (x Slot) String() string {
	place := fmt.Sprintf("bank %d", x.Bank)
	if x.Input == Own {
		place = "the port"
	}
	return fmt.Sprintf("%s holds %v, which waits for %s", place, x.Packet, x.Why())
}

// PortsFree returns the clocks from which the outputs and the inputs of unit i
// can send again.
func (n *Network) PortsFree(i int) (outputs, inputs [3]uint64) {
	return n.su[i].outFree, n.su[i].inFree
}

// PortName names a port.
func PortName(port int) string {
	return [...]string{"in-group", "out-of-group", "own"}[port]
}

// WaitCycle returns a closed chain of packets, each waiting in clock t for the
// full bank of the next, or nothing when there is none. A packet waits for
// exactly one bank, so following the waits from every bank finds every cycle.
func (n *Network) WaitCycle(t uint64) []Slot {
	seen := make([]int, n.N*slots) // number of the walk that came by
	for first := range seen {
		walk := first + 1
		var chain []Slot
		for at := first; seen[at] == 0; {
			seen[at] = walk
			x := n.slot(at/slots, at%slots, 0, t)
			if x.Status != trace.WaitBank {
				break
			}
			chain = append(chain, x)
			at = x.Next*slots + x.Output*Banks + x.NextBank
			if seen[at] == walk {
				for len(chain) > 0 && chain[0].Unit*slots+chain[0].Input*Banks+chain[0].Bank != at {
					chain = chain[1:]
				}
				return chain
			}
		}
	}
	return nil
}
