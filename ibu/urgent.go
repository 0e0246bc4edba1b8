package ibu

import (
	"emsim/internal/state"
	"emsim/packet"
)

// urgentPackets is the size of the queue of urgent packets [chosen]: half of
// the prototype's FIFO, and as many as a PE has prefetch registers at most. A
// packet that finds it full goes the way of all others, behind them: nothing
// waits in the intake for urgency's sake.
const urgentPackets = 8

// urgent is a queue in registers for packets that go before those of FIFO and
// MIB [remedy 003 §5]. Its packets never use the memory port, and the load
// value does not count them.
type urgent struct {
	level       int // of priority; 0: there is no such queue
	head, count int
	ring        []packet.Packet
}

// takesUrgent reports whether the packet in the intake goes into the queue of
// urgent packets. One whose spill has begun is spilled.
func (u *IBU) takesUrgent(pins *packet.Pins) bool {
	return u.doing != Spill && u.urgent.count < urgentPackets && pins.In.Urgent(u.urgent.level)
}

// Urgent reports whether the packet in the intake goes into the queue of urgent
// packets, beside FIFO and MIB.
func (u *IBU) Urgent(pins *packet.Pins) bool {
	return u.urgent.level != 0 && pins.InFull && u.takesUrgent(pins)
}

func (q *urgent) push(p packet.Packet) {
	q.ring[(q.head+q.count)%urgentPackets] = p
	q.count++
}

func (q *urgent) pop() {
	q.head = (q.head + 1) % urgentPackets
	q.count--
}

// state visits how many there are; the buffer's walk visits the packets.
func (q *urgent) state(c *state.Codec) {
	state.Num(c, &q.count)
	if c.Loading() {
		q.head = 0
		if q.count < 0 || q.count > urgentPackets || q.count > 0 && q.level == 0 {
			c.Fail("the input buffer holds %d urgent packets", q.count)
			q.count = 0
		}
	}
}

// UrgentWords returns the words in the queue of urgent packets.
func (u *IBU) UrgentWords() int { return u.urgent.count * wordsPerPacket }
