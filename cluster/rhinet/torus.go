package rhinet

import "slices"

// torus is RHiNET-2: 16 switches in a 4×4 torus with four hosts each, or other switches. Packets go X first, then Y,
// in the shorter direction or, if both are equal, in the positive one. Each output port sends one packet at a time
// in the order in which headers arrive; its queue is unbounded (in a run, headers wait at most about 14 µs, in front
// of the root of the gather).
//
//	host --DMA--> NI --link--> switch ... switch --link--> NI --DMA--> host
type torus struct {
	net  *network
	p    TorusParams
	s    *Switches
	free [][switchPorts]int64 // by switch and port: tick from which the port is free
}

// switches returns the user's own switches or builds the torus. A switch of the torus has ports for four hosts, then
// ports for links along X and Y. So the lowest port on a shortest path is along X first, and of two directions the
// positive one.
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

// dmaTicks returns the ticks for the NI's firmware to handle a packet and for its payload to cross the PCI bus.
func (p *TorusParams) dmaTicks(bytes int64) int64 {
	return p.FirmwareTicks + (bytes+p.DMAHeader+p.DMABytes-1)/p.DMABytes
}

// forward moves a header through one switch.
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
	// The NI stores the whole packet, then moves it over the PCI bus.
	n.net.received(x, max(depart+n.p.LinkTicks+flits, n.net.rx[m.dst])+n.p.dmaTicks(bytes))
}
