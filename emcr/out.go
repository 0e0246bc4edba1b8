package emcr

import (
	"emsim/internal/base/state"
	"emsim/packet"
)

// outBuffer is the output packet buffer between EXU and switch, which the successor chip EMC-Y has [remedy; EM-4
// papers' abstracts]. The oldest packet is on the port. The ring holds the others, each with the clock from which the
// switch may arbitrate it. The EMC-R has no such buffer: its EXU holds the packet on the port.
type outBuffer struct {
	count, head int
	ring        []outgoing
}

type outgoing struct {
	packet packet.Packet
	ready  uint64
}

// outFreeQ reports whether the port or the ring was free for a packet at the start of clock t.
func (p *PE) outFreeQ(t uint64) bool {
	return p.out.count < len(p.out.ring) || p.out.count == 0 && p.pins.OutFreeQ(t)
}

// putOut takes a packet from the EXU. The packet goes to the port if the port is free and the ring is empty, and
// otherwise into the ring.
func (p *PE) putOut(pk packet.Packet, t uint64) {
	ready := t + p.cfg.InjectClocks
	if p.out.count == 0 && p.pins.OutFreeQ(t) {
		p.pins.Out, p.pins.OutReady, p.pins.OutFull = pk, ready, true
		return
	}
	o := &p.out
	o.ring[(o.head+o.count)%len(o.ring)] = outgoing{pk, ready}
	o.count++
}

// drain moves the oldest packet of the ring to the port, if the port is free. In each clock it runs after the EXU,
// because the EXU needs the ring's state at the clock's start.
func (p *PE) drain(t uint64) {
	o := &p.out
	if o.count == 0 || !p.pins.OutFreeQ(t) {
		return
	}
	first := &o.ring[o.head]
	p.pins.Out, p.pins.OutReady, p.pins.OutFull = first.packet, max(first.ready, t+1), true
	o.head = (o.head + 1) % len(o.ring)
	o.count--
}

// lastSent returns the last packet that the EXU has sent.
func (p *PE) lastSent() *packet.Packet {
	if o := &p.out; o.count > 0 {
		return &o.ring[(o.head+o.count-1)%len(o.ring)].packet
	}
	return &p.pins.Out
}

// EachBuffered calls f with every packet in the output packet buffer, oldest first. The packet on the port is not
// included.
func (p *PE) EachBuffered(f func(p *packet.Packet)) {
	for i := range p.out.count {
		f(&p.out.ring[(p.out.head+i)%len(p.out.ring)].packet)
	}
}

// stateWalk visits the state, without the position of the ring's head: buffers with equal contents have equal states.
func (o *outBuffer) stateWalk(c *state.Codec) {
	state.Num(c, &o.count)
	if c.Loading() {
		o.head = 0
		if o.count < 0 || o.count > len(o.ring) {
			c.Fail("the output packet buffer holds %d packets besides the one on the port", o.count)
			o.count = 0
		}
	}
	for i := range o.count {
		x := &o.ring[(o.head+i)%len(o.ring)]
		x.packet.State(c)
		state.Num(c, &x.ready)
	}
}
