package network

import "emsim/internal/base/state"

// Bounds of what a restore reads [chosen: above those of any run].
const (
	never   = 1 << 62 // clocks
	longest = 1 << 40 // clocks for which a packet holds a port
	most    = 1 << 30
)

// Codec is a walk over the state of a machine.
type Codec = state.Codec

// State visits the packets, and the queue with all its events. message visits the owner's
// part of a packet and returns its route; other says whether an event that is not the
// fabric's can be one of the owner's. The result is by slot: the packets that have been
// delivered and are not released.
func (f *Fabric) State(c *Codec, message func(slot int32) (route []int32), other func(Event) bool) (delivered []bool) {
	for i := range f.free {
		state.Below(c, never, &f.free[i])
	}
	state.Num(c, &f.nextID)
	idle, q := map[int32]bool{}, f.queue
	state.List(c, &f.idle, most, func(slot *int32) {
		state.Below(c, most, slot)
		idle[*slot] = true
	})
	used := 0
	state.List(c, &f.packets, most, func(p *packet) {
		slot := int32(len(delivered))
		if delivered = append(delivered, !idle[slot]); idle[slot] {
			return
		}
		used++
		p.route = message(slot)
		state.Below(c, len(p.route)+1, &p.next)
		state.Below(c, longest, &p.length, &p.tail)
		state.Num(c, &p.id)
	})
	if used+len(f.idle) != len(f.packets) {
		c.Fail("%d packets, %d of them under way and %d idle", len(f.packets), used, len(f.idle))
	}
	state.Below(c, never, &q.now)
	q.events.State(c, func(arg *int32) { state.Num(c, arg) })
	for _, x := range q.events {
		e, ok := Event{x.At, x.Order, x.What}, x.At >= q.now && x.At < never
		switch class := e.Class(); {
		case class != Head && class != Deliver:
			ok = ok && other(e)
		case e.Arg < 0 || int(e.Arg) >= len(delivered) || !delivered[e.Arg]:
			ok = false
		default:
			p := &f.packets[e.Arg]
			ok = ok && (class == Deliver || int(p.next) < len(p.route))
			delivered[e.Arg] = false
		}
		if !ok {
			c.Fail("event %#x of %d at clock %d, in a run at clock %d", e.order, e.Arg, e.Clock, q.now)
		}
	}
	return delivered
}
