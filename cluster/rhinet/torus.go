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

// dmaTicks are the ticks in which a payload crosses the PCI bus.
func (p *TorusParams) dmaTicks(bytes int64) int64 {
	return (bytes + p.DMAHeader + p.DMABytes - 1) / p.DMABytes
}

// forward takes a header through one switch.
func (n *torus) forward(x item) {
	e := &x.What
	m := &n.net.messages[e.msg]
	bytes := n.net.packetBytes(m, e.index)
	out, flits := n.p.route(int(e.sw), m.dst), n.p.HeadFlits+(bytes+7)/8
	port := &n.port[e.sw][out]
	depart := n.net.departure(x.At+n.p.SwitchTicks, *port)
	*port = depart + flits
	if out >= hostsPerSwitch {
		x.At, e.sw, e.fresh = depart+n.p.LinkTicks, int16(n.p.neighbour(int(e.sw), out)), false
		n.net.events.Add(x)
		return
	}
	// The NI stores the packet, then moves it over the PCI bus.
	n.net.received(x, max(depart+n.p.LinkTicks+flits, n.net.rx[m.dst])+n.p.dmaTicks(bytes))
}
