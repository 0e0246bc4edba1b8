package rhinet

import "emsim/internal/base/agenda"

// event is something that happens at a tick. Within a tick the network's events come first, in the order of packet
// ids (the order of injection). The ranks' events follow in the order of ranks. So the result does not depend on the
// order of evaluation.
type event struct {
	msg   int32 // message in flight; unused for a rank
	index int32 // index of the packet in the message
	sw    int16 // the switch that the header reaches, or deliver if the whole message has arrived
	fresh bool  // the header comes from the host, not from another switch
}

// item is an event with its tick and its order: a packet's id, or rankOrder + rank.
type item = agenda.Item[event]

const (
	rankOrder = uint64(1) << 62
	deliver   = int16(-1)
)

// message travels from rank to rank; what it carries is in payload.
type message struct {
	src, dst int
	bytes    int
	at       int64 // when it was sent
	firstID  int64 // id of its first packet
	packets  int32
	payload  payload
}

// payload is the content of a message.
type payload struct {
	value float64 // largest change so far, or an edge row
	infos []info  // reports of consecutive ranks, starting at rank first
	first int
	split *split // a new distribution
	end   bool   // to a resting rank: the run is over
}

// fabric is the network between the hosts. forward handles a header at one switch, and adds its next event to the
// queue.
type fabric interface {
	forward(x item)
}

// network is the part shared by both fabrics: the hosts' links, the messages in flight
// and the queue.
type network struct {
	full   int                     // payload bytes of a packet
	leave  func(bytes int64) int64 // ticks that a packet with this payload takes to leave its host
	wire   int64                   // ticks from then until the packet's header is at the first switch
	home   []int                   // by host: its switch
	tx, rx []int64                 // by host: when it will have sent, and received, all packets so far

	events   agenda.Agenda[event]
	messages []message
	free     []int32
	packets  int64 // packets injected so far; the next packet's id
	sent     int64 // messages injected so far
	inAir    int   // messages not yet delivered
	wait     int64 // longest wait of a header for an output port
}

// inject assigns packet ids to m, stores it in messages, and returns its index.
func (n *network) inject(m message) int32 {
	m.packets = int32(max(1, (m.bytes+n.full-1)/n.full))
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

// release removes a message from the network and returns it.
func (n *network) release(id int32) message {
	m := n.messages[id]
	n.messages[id] = message{}
	n.free = append(n.free, id)
	return m
}

// packetBytes returns the payload of packet i of m.
func (n *network) packetBytes(m *message, i int32) int64 {
	if i == m.packets-1 {
		return int64(m.bytes) - int64(i)*int64(n.full)
	}
	return int64(n.full)
}

// send lets a message leave its host from tick t on. It books the host's link for the whole message at once, because
// only this host's packets use the link, in order. Each header that reaches its first switch adds the next one to the
// queue (see follow).
func (n *network) send(t int64, id int32) {
	m := &n.messages[id]
	n.tx[m.src] = max(t, n.tx[m.src]) + n.leave(n.packetBytes(m, 0))
	n.header(n.tx[m.src]+n.wire, id, 0)
	if m.packets > 1 {
		n.tx[m.src] += int64(m.packets-2)*n.leave(int64(n.full)) + n.leave(n.packetBytes(m, m.packets-1))
	}
}

// header adds the arrival of a packet's header at its first switch to the queue.
func (n *network) header(at int64, id, i int32) {
	m := &n.messages[id]
	n.events.Add(item{
		At: at, Order: uint64(m.firstID + int64(i)),
		What: event{msg: id, index: i, sw: int16(n.home[m.src]), fresh: true},
	})
}

// follow adds the next packet to the queue after one has reached its first switch.
func (n *network) follow(x item) {
	m, next := &n.messages[x.What.msg], x.What.index+1
	if x.What.fresh && next < m.packets {
		n.header(x.At+n.leave(n.packetBytes(m, next)), x.What.msg, next)
	}
}

// departure returns the tick at which a header leaves a switch. The header is ready at tick ready, and its output port
// is busy until tick free. The network keeps the longest wait.
func (n *network) departure(ready, free int64) int64 {
	n.wait = max(n.wait, free-ready)
	return max(ready, free)
}

// received records that a packet has reached its host. The last packet delivers the message.
func (n *network) received(x item, at int64) {
	m := &n.messages[x.What.msg]
	n.rx[m.dst] = at
	if x.What.index == m.packets-1 {
		n.events.Add(item{At: at, Order: x.Order, What: event{msg: x.What.msg, sw: deliver}})
	}
}
