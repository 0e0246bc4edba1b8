package omega

import (
	"emsim/packet"
	"emsim/trace"
)

// Watch reports every clock from now on to r. If r is nil, it stops reporting. While a recorder is attached, every unit
// is evaluated in every clock.
func (n *Network) Watch(r *trace.Recorder) {
	n.watch = r
}

// traceSlots reports what the packet in every slot of a unit does in the clock. granted is the set of slots that the
// arbiter grants.
func (n *Network) traceSlots(i int, granted uint8, t uint64) {
	if !n.watch.Watches(i) {
		return
	}
	for s := range slots + 1 {
		n.watch.Slot(t, uint32(i), uint8(s), n.status(i, s, granted, t), n.packetIn(i, s))
	}
}

// traceMove reports that a packet leaves a slot through an output.
func (n *Network) traceMove(t uint64, i, slot, input, output int, p *packet.Packet) {
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

// traceRewrite reports that an MLPE packet takes over a PE's load, if its data change.
func (n *Network) traceRewrite(t uint64, i int, p *packet.Packet, data uint64) {
	if data != p.Data {
		n.watch.Event(trace.Event{
			Clock: t, PE: uint32(i), Unit: trace.SU, Kind: trace.Rewritten, Packet: *p,
			Value: data,
		})
	}
}
