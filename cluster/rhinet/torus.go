package rhinet

// torus is RHiNET-2: 16 switches in a 4×4 torus or others, four hosts at each. Packets
// go X first, then Y, the shorter way round or, if both are equal, the
// positive one. Each output port sends one packet at a time in the order in
// which headers arrive; its queue is unbounded (the headers of a run wait for
// at most about 14 µs, before the root of the gather).
//
//	host --DMA--> NI --link--> switch ... switch --link--> NI --DMA--> host
type torus struct {
	net  *network
	p    TorusParams
	port [][8]int64 // by switch: tick from which on the port is free
	tx   []int64    // by host: send DMA free
	rx   []int64    // by host: receive DMA free
}

func newTorus(net *network, p TorusParams) *torus {
	n := p.Width * p.Height
	return &torus{net: net, p: p, port: make([][8]int64, n), tx: make([]int64, hostsPerSwitch*n), rx: make([]int64, hostsPerSwitch*n)}
}

// Ports 0..3 lead to the hosts.
const (
	portXPlus = hostsPerSwitch + iota
	portXMinus
	portYPlus
	portYMinus
)

// route returns the output port at switch sw for a packet to host dst.
func (p *TorusParams) route(sw, dst int) int {
	to, w, h := dst/hostsPerSwitch, p.Width, p.Height
	dx := (to%w - sw%w + w) % w
	dy := (to/w - sw/w + h) % h
	switch {
	case 2*dx > w:
		return portXMinus
	case dx > 0:
		return portXPlus
	case 2*dy > h:
		return portYMinus
	case dy > 0:
		return portYPlus
	}
	return dst % hostsPerSwitch
}

// neighbour returns the switch at a port of sw.
func (p *TorusParams) neighbour(sw, port int) int {
	x, y, w, h := sw%p.Width, sw/p.Width, p.Width, p.Height
	switch port {
	case portXPlus:
		x = (x + 1) % w
	case portXMinus:
		x = (x + w - 1) % w
	case portYPlus:
		y = (y + 1) % h
	case portYMinus:
		y = (y + h - 1) % h
	}
	return y*w + x
}

func (n *torus) dmaTicks(bytes int64) int64 {
	return (bytes + n.p.DMAHeader + n.p.DMABytes - 1) / n.p.DMABytes
}

func (n *torus) flits(bytes int64) int64 { return n.p.HeadFlits + (bytes+7)/8 }

// send moves the message over the send DMA. The whole message is booked at
// once, because only this host's packets use the DMA, in order; each header
// that reaches the switch puts the next one on the queue.
func (n *torus) send(t int64, id int32) {
	m := &n.net.messages[id]
	first := max(t, n.tx[m.src]) + n.dmaTicks(m.packetBytes(0, n.p.MTU))
	n.header(first+n.p.LinkTicks, id, 0)
	n.tx[m.src] = first
	if rest := m.packets - 2; rest >= 0 {
		n.tx[m.src] += int64(rest)*n.dmaTicks(int64(n.p.MTU)) + n.dmaTicks(m.packetBytes(m.packets-1, n.p.MTU))
	}
}

func (n *torus) header(at int64, id, i int32) {
	m := &n.net.messages[id]
	n.net.events.Add(item{At: at, Order: uint64(m.firstID + int64(i)), What: event{msg: id, index: i, sw: int16(m.src / hostsPerSwitch), fresh: true}})
}

// forward takes a header through one switch.
func (n *torus) forward(x item) {
	e := &x.What
	m := &n.net.messages[e.msg]
	if e.fresh && e.index+1 < m.packets {
		n.header(x.At+n.dmaTicks(m.packetBytes(e.index+1, n.p.MTU)), e.msg, e.index+1)
	}
	bytes := m.packetBytes(e.index, n.p.MTU)
	out := n.p.route(int(e.sw), m.dst)
	port := &n.port[e.sw][out]
	depart := max(x.At+n.p.SwitchTicks, *port)
	n.net.wait = max(n.net.wait, depart-x.At-n.p.SwitchTicks)
	*port = depart + n.flits(bytes)
	if out >= hostsPerSwitch {
		x.At, e.sw, e.fresh = depart+n.p.LinkTicks, int16(n.p.neighbour(int(e.sw), out)), false
		n.net.events.Add(x)
		return
	}
	// The NI stores the packet, then moves it over the PCI bus.
	n.rx[m.dst] = max(depart+n.p.LinkTicks+n.flits(bytes), n.rx[m.dst]) + n.dmaTicks(bytes)
	if e.index == m.packets-1 {
		n.net.events.Add(item{At: n.rx[m.dst], Order: x.Order, What: event{msg: e.msg, sw: deliver}})
	}
}
