package ibu

import (
	"emsim/internal/base/state"
	"emsim/packet"
)

// urgentPackets is the size of the queue of urgent packets [chosen]: half the prototype's FIFO, and the largest number
// of prefetch registers of a PE. A packet that finds the queue full is treated as an ordinary packet. It never waits in
// the intake for a free place in this queue.
const urgentPackets = 8

// urgentQueue holds packets in registers. They go before the packets in FIFO and MIB: "priority handling of these
// packets" [remedy 003 §5]. They never use the memory port, and the load value does not count them.
type urgentQueue struct {
	count, head int
	level       int // priority level; 0: there is no queue
	ring        []packet.Packet
}

// takesUrgent reports whether the packet in the intake goes into the urgent queue. A packet whose spill has begun does
// not.
func (u *IBU) takesUrgent(pins *packet.Pins) bool {
	return u.transfer != Spill && u.urgent.count < urgentPackets && pins.In.Urgent(u.urgent.level) &&
		!pins.In.FillsPrefetch()
}

// IntakeIsUrgent reports whether there is a packet in the intake that goes into
// the urgent queue.
func (u *IBU) IntakeIsUrgent(pins *packet.Pins) bool {
	return u.urgent.level != 0 && pins.InFull && u.takesUrgent(pins)
}

func (q *urgentQueue) push(p packet.Packet) {
	q.ring[(q.head+q.count)%urgentPackets] = p
	q.count++
}

func (q *urgentQueue) pop() {
	q.head = (q.head + 1) % urgentPackets
	q.count--
}

// state visits the number of packets; IBU.State visits the packets. The position of the ring's head is left out: queues
// with equal contents have equal states.
func (q *urgentQueue) state(c *state.Codec) {
	state.Num(c, &q.count)
	if c.Loading() {
		q.head = 0
		if q.count < 0 || q.count > urgentPackets || q.count > 0 && q.level == 0 {
			c.Fail("the input buffer holds %d urgent packets", q.count)
			q.count = 0
		}
	}
}

// UrgentWords returns the number of words in the urgent queue.
func (u *IBU) UrgentWords() int { return u.urgent.count * PacketWords }
