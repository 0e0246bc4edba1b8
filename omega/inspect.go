package omega

import (
	"fmt"

	"emsim/packet"
	"emsim/trace"
)

// Slot is a packet in a switch or on its way into the switch, and what the packet does in one clock.
type Slot struct {
	Unit   int // number of the PE to which the switch belongs
	Input  int // network input by which it arrived; Own for the packet that the EXU (or the host) holds
	Bank   int // buffer bank of that input
	Output int
	Packet packet.Packet
	Ready  uint64       // first clock in which it may move
	Status trace.Status // Hop, WaitInject: on its way here; Move: moves in this clock; otherwise what it waits for

	Next, NextBank int // unit and bank after its output; Next is -1 if that is the PE
}

// Slots lists the packets of unit i, and what each of them does in the next clock t. These are the packets in the
// unit's banks, and the packet that its EXU (or the host) holds. Slots does not consider reservations (fair.go): a
// packet that waits only because of one is listed as moving.
func (n *Network) Slots(i int, t uint64) []Slot {
	var list []Slot
	granted := n.choose(i, n.judge(i, n.ready(i, t), t))
	for s := range slots + 1 {
		if x := n.describeSlot(i, s, granted, t); x.Status != trace.Idle {
			list = append(list, x)
		}
	}
	return list
}

// describeSlot returns the description of one slot of a unit. An empty slot has the status trace.Idle.
func (n *Network) describeSlot(i, s int, granted uint8, t uint64) Slot {
	su := &n.su[i]
	x := Slot{Unit: i, Input: s / Banks, Bank: s % Banks, Status: n.status(i, s, granted, t), Next: -1}
	if x.Status == trace.Idle {
		return x
	}
	x.Packet = *n.packetIn(i, s)
	if s == ownSlot {
		x.Output, x.Ready = n.routeFromEXU(i, &x.Packet), n.pins[i].OutReady
	} else {
		x.Output, x.Ready = int(su.output[s]), su.readyAt[s]
	}
	if x.Output != Own {
		next, bank := n.downstream(i, x.Output, x.Bank)
		x.Next, x.NextBank = next, bank%Banks
	}
	return x
}

// status returns what the packet of a slot does in clock t. granted is the set of slots that the arbiter grants.
func (n *Network) status(i, s int, granted uint8, t uint64) trace.Status {
	su, pins := &n.su[i], &n.pins[i]
	switch {
	case s == ownSlot && !pins.OutFull, s != ownSlot && su.full>>s&1 == 0:
		return trace.Idle
	case s == ownSlot && pins.OutReady > t:
		return trace.WaitInject
	case s != ownSlot && su.readyAt[s] > t:
		return trace.Hop
	case granted>>s&1 == 1:
		return trace.Move
	}
	if why := n.waitReason(i, s, t); why != trace.Move {
		return why
	}
	return trace.WaitTurn
}

// Stuck reports whether the packet has arrived and cannot move in this clock.
func (x *Slot) Stuck() bool { return x.Status.IsWait() && x.Status != trace.WaitInject }

// Why returns what a Stuck packet waits for, in words.
func (x *Slot) Why() string {
	switch x.Status {
	case trace.WaitBank:
		return fmt.Sprintf("bank %d at the end of the %s link", x.NextBank, PortName(x.Output))
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
	where := fmt.Sprintf("bank %d", x.Bank)
	if x.Input == Own {
		where = "the port"
	}
	return fmt.Sprintf("%s holds %v, which waits for %s", where, x.Packet, x.Why())
}

// PortsFree returns the clocks from which each output and each input of unit i is free.
func (n *Network) PortsFree(i int) (outputs, inputs [3]uint64) {
	return n.su[i].outFreeAt, n.su[i].inFreeAt
}

// PortName returns a port's name in messages.
func PortName(port int) string {
	return [...]string{"in-group", "out-of-group", "own"}[port]
}

// WaitCycle returns a cycle of packets, each of which waits in clock t for the bank that the next one occupies, or nil
// if there is no cycle. A packet waits for exactly one bank, so following the waits from every bank finds a cycle if
// there is one.
func (n *Network) WaitCycle(t uint64) []Slot {
	seen := make([]int, n.N*slots) // by bank: the number of the walk that passed it
	for first := range seen {
		walk := first + 1
		var chain []Slot
		for at := first; seen[at] == 0; {
			seen[at] = walk
			x := n.describeSlot(at/slots, at%slots, 0, t)
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
