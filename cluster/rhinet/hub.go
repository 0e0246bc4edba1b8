package rhinet

// hub is the Fast Ethernet: every host has a full-duplex link to a switching hub that stores a whole frame before
// forwarding it. Each direction of a link carries one frame at a time, in order of arrival.
type hub struct {
	net *network
	p   HubParams
}

// frameTicks returns the ticks for which a frame with the given payload occupies a link.
func (p *HubParams) frameTicks(bytes int64) int64 {
	return (max(bytes+p.Header, p.MinFrame) + p.FrameBytes) * p.TicksPerByte
}

// forward puts a frame that the hub has stored on the receiver's link.
func (n *hub) forward(x item) {
	m := &n.net.messages[x.What.msg]
	depart := n.net.departure(x.At+n.p.HubTicks, n.net.rx[m.dst])
	n.net.received(x, depart+n.p.frameTicks(n.net.packetBytes(m, x.What.index)))
}
