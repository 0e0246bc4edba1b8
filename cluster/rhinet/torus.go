package rhinet

import "slices"

// torus is RHiNET-2: 16 switches in a 4×4 torus, four hosts at each, or others. Packets
// go X first, then Y, the shorter way round or, if both are equal, the
// positive one. Each output port sends one packet at a time in the order in
// which headers arrive; its queue is unbounded (the headers of a run wait for
// at most about 14 µs, before the root of the gather).
//
//	host --DMA--> NI --link--> switch ... switch --link--> NI --DMA--> host
type torus struct {
	net  *network
	p    TorusParams
	s    *Switches
	free [][switchPorts]int64 // by switch: tick from which on the port is free
}

// switches returns the user's own or builds the torus: four hosts at each, then the links along
// X and Y. The lowest port on a shortest way is the one along X first, and the positive one of two.
func (p *TorusParams) switches() *Switches {
	s, w, h := &Switches{}, p.Width, p.Height
	if p.Switches != nil {
		return p.Switches
	}
	for sw := range w * h {
		x, y := sw%w, sw/w
		s.peers = append(s.peers, append(slices.Repeat([]int{aHost}, hostsPerSwitch), y*w+(x+1)%w, y*w+(x+w-1)%w,
			(y+1)%h*w+x, (y+h-1)%h*w+x))
		for port := range hostsPerSwitch {
			s.home, s.port = append(s.home, sw), append(s.port, port)
		}
	}
	s.findWays()
	return s
}

// dmaTicks returns the ticks in which the NI's firmware handles a packet and its payload crosses
// the PCI bus.
func (p *TorusParams) dmaTicks(bytes int64) int64 {
	return p.FirmwareTicks + (bytes+p.DMAHeader+p.DMABytes-1)/p.DMABytes
}

// forward takes a header through one switch.
func (n *torus) forward(x item) {
	e := &x.What
	m := &n.net.messages[e.msg]
	bytes := n.net.packetBytes(m, e.index)
	home, flits := n.s.home[m.dst], n.p.HeadFlits+(bytes+7)/8
	out, there := n.s.port[m.dst], int(e.sw) == home
	if !there {
		out = n.s.next[e.sw][home]
	}
	free := &n.free[e.sw][out]
	depart := n.net.departure(x.At+n.p.SwitchTicks, *free)
	*free = depart + flits
	if !there {
		x.At, e.sw, e.fresh = depart+n.p.LinkTicks, int16(n.s.peers[e.sw][out]), false
		n.net.events.Add(x)
		return
	}
	// The NI stores the packet, then moves it over the PCI bus.
	n.net.received(x, max(depart+n.p.LinkTicks+flits, n.net.rx[m.dst])+n.p.dmaTicks(bytes))
}
