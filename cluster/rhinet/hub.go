package rhinet

// hub is the Fast Ethernet: every host has a full-duplex link to a switching
// hub that stores a whole frame before it sends it on. Each direction of a
// link carries one frame at a time in order of arrival.
type hub struct {
	net *network
	p   HubParams
	tx  []int64 // by host: link from it free
	rx  []int64 // by host: link to it free
}

// frameTicks returns the ticks that a frame with a number of payload bytes
// occupies a link.
func (n *hub) frameTicks(bytes int64) int64 {
	return (max(bytes+n.p.Header, n.p.MinFrame) + n.p.FrameBytes) * n.p.TicksPerByte
}

// send books the host's link for the whole message; each frame that the hub
// has stored puts the next one on the queue.
func (n *hub) send(t int64, id int32) {
	m := &n.net.messages[id]
	first := max(t, n.tx[m.src]) + n.frameTicks(m.packetBytes(0, n.p.Payload))
	n.frame(first, id, 0)
	n.tx[m.src] = first
	if rest := m.packets - 2; rest >= 0 {
		n.tx[m.src] += int64(rest)*n.frameTicks(int64(n.p.Payload)) + n.frameTicks(m.packetBytes(m.packets-1, n.p.Payload))
	}
}

func (n *hub) frame(at int64, id, i int32) {
	n.net.events.Add(item{At: at, Order: uint64(n.net.messages[id].firstID + int64(i)), What: event{msg: id, index: i}})
}

// forward puts a frame that the hub has stored on the receiver's link.
func (n *hub) forward(x item) {
	e := &x.What
	m := &n.net.messages[e.msg]
	if e.index+1 < m.packets {
		n.frame(x.At+n.frameTicks(m.packetBytes(e.index+1, n.p.Payload)), e.msg, e.index+1)
	}
	depart := max(x.At+n.p.HubTicks, n.rx[m.dst])
	n.net.wait = max(n.net.wait, depart-x.At-n.p.HubTicks)
	n.rx[m.dst] = depart + n.frameTicks(m.packetBytes(e.index, n.p.Payload))
	if e.index == m.packets-1 {
		n.net.events.Add(item{At: n.rx[m.dst], Order: x.Order, What: event{msg: e.msg, sw: deliver}})
	}
}
