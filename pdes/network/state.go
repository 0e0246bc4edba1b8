package network

import "emsim/internal/base/state"

// Limits of the values in a restored state [chosen: larger than in any run].
const (
	never   = 1 << 62 // clocks
	longest = 1 << 40 // clocks for which a packet holds a port
	most    = 1 << 30
)

// Codec is a walk over the state of a machine.
type Codec = state.Codec

// State visits the packets, and the queue with all its events. message visits the owner's
// part of a packet and returns its route.
func (f *Fabric) State(c *Codec, message func(slot int32) (route []int32)) {
	for i := range f.free {
		state.Below(c, never, &f.free[i])
	}
	state.Num(c, &f.nextID)
	idle, q := map[int32]bool{}, f.queue
	state.List(c, &f.idle, most, func(slot *int32) {
		state.Below(c, most, slot)
		idle[*slot] = true
	})
	next := int32(0)
	state.List(c, &f.packets, most, func(p *packet) {
		slot := next
		if next++; idle[slot] {
			return
		}
		p.route = message(slot)
		state.Below(c, len(p.route)+1, &p.next)
		state.Below(c, longest, &p.length, &p.tail)
		state.Num(c, &p.id)
	})
	state.Below(c, never, &q.now)
	q.events.State(c, q.now, func(arg *int32) { state.Num(c, arg) })
}
