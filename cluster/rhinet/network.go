package rhinet

import "emsim/internal/base/agenda"

// message travels from rank to rank; what it carries is in payload.
type message struct {
	src, dst int
	bytes    int
	firstID  int64 // id of its first packet
	packets  int32
	payload  payload
}

// payload is the content of a message.
type payload struct {
	value float64 // largest change so far, or an edge row
	infos []info  // measurements of the ranks from .first on
	first int
	split *split // a new distribution
	end   bool   // to a resting rank: the run is over
}

// fabric carries messages. send takes a message at tick t; hop handles one
// header at one switch. Both push the next events on the queue; the last event
// of a message is its delivery.
type fabric interface {
	send(t int64, id int32)
	forward(x item)
}

// network is the part shared by both fabrics: the messages under way and the queue.
type network struct {
	events   agenda.Agenda[event]
	messages []message
	free     []int32
	packets  int64 // packets injected so far; the next packet's id
	sent     int64 // messages injected so far
	inAir    int   // messages not yet delivered
	wait     int64 // longest wait of a header for an output port
}

// inject gives m its packet ids and a place.
func (n *network) inject(m message, packetBytes int) int32 {
	m.packets = int32(max(1, (m.bytes+packetBytes-1)/packetBytes))
	m.firstID = n.packets
	n.packets += int64(m.packets)
	n.sent++
	n.inAir++
	if k := len(n.free); k > 0 {
		id := n.free[k-1]
		n.free = n.free[:k-1]
		n.messages[id] = m
		return id
	}
	n.messages = append(n.messages, m)
	return int32(len(n.messages) - 1)
}

// release takes the message out of the network.
func (n *network) release(id int32) message {
	m := n.messages[id]
	n.messages[id] = message{}
	n.free = append(n.free, id)
	return m
}

// packetBytes returns the payload of packet i of m.
func (m *message) packetBytes(i int32, full int) int64 {
	if i == m.packets-1 {
		return int64(m.bytes) - int64(i)*int64(full)
	}
	return int64(full)
}
