package emcr

import (
	"emsim/internal/state"
	"emsim/packet"
)

// outBuffer is the output packet buffer of the successor chip between EXU and
// switch [remedy; EM-4 papers' abstracts]. Its first packet stands on the
// port; the ring holds those behind it, each with the clock from which the
// switch may arbitrate it. The EMC-R has none: there the EXU holds the port.
type outBuffer struct {
	ring        []outgoing
	head, count int
}

type outgoing struct {
	packet packet.Packet
	ready  uint64
}

// outRoom reports whether the EXU may send in clock t, from the state at its
// start.
func (p *PE) outRoom(t uint64) bool {
	return p.out.count < len(p.out.ring) || p.out.count == 0 && p.pins.Free(t)
}

// putOut takes a packet from the EXU: to the port, or behind what stands
// there.
func (p *PE) putOut(pk packet.Packet, t uint64) {
	ready := t + p.cfg.InjectClocks
	if p.out.count == 0 && p.pins.Free(t) {
		p.pins.Out, p.pins.OutReady, p.pins.OutFull = pk, ready, true
		return
	}
	o := &p.out
	o.ring[(o.head+o.count)%len(o.ring)] = outgoing{pk, ready}
	o.count++
}

// drain moves the oldest packet of the ring to the port when that is free. It
// comes behind the EXU's clock, which looks at the ring as it was before.
func (p *PE) drain(t uint64) {
	o := &p.out
	if o.count == 0 || !p.pins.Free(t) {
		return
	}
	first := &o.ring[o.head]
	p.pins.Out, p.pins.OutReady, p.pins.OutFull = first.packet, max(first.ready, t+1), true
	o.head = (o.head + 1) % len(o.ring)
	o.count--
}

// made returns the packet that the EXU has put out last, in the clock in which
// it did.
func (p *PE) made() *packet.Packet {
	if o := &p.out; o.count > 0 {
		return &o.ring[(o.head+o.count-1)%len(o.ring)].packet
	}
	return &p.pins.Out
}

// EachOut calls f with every packet behind the port, oldest first.
func (p *PE) EachOut(f func(p *packet.Packet)) {
	for i := range p.out.count {
		f(&p.out.ring[(p.out.head+i)%len(p.out.ring)].packet)
	}
}

// stateWalk visits the state. Where in the ring the queue begins is none.
func (o *outBuffer) stateWalk(c *state.Codec) {
	state.Num(c, &o.count)
	if c.Loading() {
		o.head = 0
		if o.count < 0 || o.count > len(o.ring) {
			c.Fail("the output packet buffer holds %d packets behind the port", o.count)
			o.count = 0
		}
	}
	for i := range o.count {
		x := &o.ring[(o.head+i)%len(o.ring)]
		x.packet.State(c)
		state.Num(c, &x.ready)
	}
}
