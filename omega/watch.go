package omega

import (
	"emsim/packet"
	"emsim/trace"
)

// Watch tells r of every clock from now on; nil ends it. As long
// as somebody watches, every unit is evaluated at every clock.
func (n *Network) Watch(r *trace.Recorder) {
	n.watch = r
	n.wakeAll()
}

// tellSlots says what the packet in every slot of a unit does in the clock;
// the unit has been arbitrated.
func (n *Network) tellSlots(i int, t uint64) {
	if !n.watch.Watches(i) {
		return
	}
	su := &n.su[i]
	for s := range slots {
		n.watch.Slot(t, uint32(i), uint8(s), n.bankStatus(i, s, t), &su.bank[s])
	}
	n.watch.Slot(t, uint32(i), ownSlot, n.ownStatus(i, t), &n.pins[i].Out)
}

func (n *Network) bankStatus(i, s int, t uint64) trace.Status {
	su := &n.su[i]
	switch {
	case su.full()>>s&1 == 0:
		return trace.Idle
	case su.at[s] > t:
		return trace.Hop
	}
	return n.slotStatus(i, s, s/Banks, s%Banks, &su.bank[s], t)
}

func (n *Network) ownStatus(i int, t uint64) trace.Status {
	pins := &n.pins[i]
	switch {
	case !pins.OutFull:
		return trace.Idle
	case pins.OutReady > t:
		return trace.WaitInject
	}
	return n.slotStatus(i, ownSlot, Own, 0, &pins.Out, t)
}

// slotStatus says whether a packet that stands ready moves, and otherwise
// what it waits for. Of several reasons it gives the one downstream: what is
// full there can last; a port is free again after the other packet's words.
func (n *Network) slotStatus(i, s, input, bank int, p *packet.Packet, t uint64) trace.Status {
	su := &n.su[i]
	o := int(su.out[s])
	if su.grant[o] == int8(s) {
		return trace.Move
	}
	if o == Own {
		if !p.ToHost && n.pins[i].InFull {
			return trace.WaitIntake
		}
	} else if next, slot := n.downstream(i, o, bank); n.su[next].full()>>slot&1 == 1 || n.su[next].at[slot] > t {
		return trace.WaitBank
	}
	switch {
	case su.outFree[o] > t:
		return trace.WaitOutput
	case su.inFree[input] > t:
		return trace.WaitInput
	}
	return trace.WaitTurn
}

// tellMove tells of a packet that leaves a slot by an output.
func (n *Network) tellMove(t uint64, i, slot, input, output int, p *packet.Packet) {
	e := trace.Event{
		Clock: t, PE: uint32(i), Unit: trace.SU, Kind: trace.Moved, Packet: *p,
		Slot: uint8(slot), In: uint8(input), Out: uint8(output),
	}
	n.watch.Event(e)
	if output == Own && p.ToHost {
		e.Unit, e.Kind, e.Value = trace.Host, trace.Left, p.Data
		n.watch.Event(e)
	}
}

// tellRewrite tells of an MLPE packet that takes over a PE's load.
func (n *Network) tellRewrite(t uint64, i int, p *packet.Packet, data uint64) {
	if data != p.Data {
		n.watch.Event(trace.Event{Clock: t, PE: uint32(i), Unit: trace.SU, Kind: trace.Rewritten, Packet: *p, Value: data})
	}
}
