package portrait

import (
	"cmp"
	"slices"

	"emsim/emcr"
	"emsim/packet"
	"emsim/trace"
)

// Machine is the machine whose events are recorded.
type Machine interface {
	PE(i int) *emcr.PE
}

// Calls says which function instances were made where. As in 'emsim debug', the
// first operand makes an operand segment an instance; its caller is the instance
// in whose block that operand's packet was made or, if a system block made it,
// the one that started that block.
type Calls struct {
	Pairs map[[2]int]uint64 // by the PEs of caller and callee; -1: the host, or unknown
	Edges []Edge            // by template, those with the most calls first
	Depth []uint64          // instances by the number of their callers

	machine Machine
	calls   []uint64 // of each PE so far
	edges   map[[2]uint32]*Edge
	live    map[segment]*instance
	flight  map[trace.ID]*instance // who made the packets that are under way
	taken   []*instance            // who made the packet in each FMU
	running []*instance            // of the block that each EXU runs
}

// Edge is the calls of one function by another.
type Edge struct {
	Caller, Callee uint32 // code addresses of their templates; NoCaller: the host, or unknown
	Calls          uint64
	Local          uint64 // on the caller's own PE
}

// NoCaller is the caller of the first instance.
const NoCaller = ^uint32(0)

type segment struct {
	pe   uint32
	base uint32
}

type instance struct {
	template uint32
	pe       int
	depth    int
}

// nobody called the first instance.
var nobody = instance{template: NoCaller, pe: -1, depth: -1}

func (c *Calls) init(m Machine, pes int) {
	*c = Calls{
		Pairs: map[[2]int]uint64{}, machine: m, calls: make([]uint64, pes), edges: map[[2]uint32]*Edge{}, live: map[segment]*instance{},
		flight: map[trace.ID]*instance{}, taken: make([]*instance, pes), running: make([]*instance, pes),
	}
	for i := range pes {
		c.calls[i] = m.PE(i).Calls
	}
}

// event follows a packet from the block that made it to the block that it starts,
// and reports whether it made an instance.
func (c *Calls) event(e *trace.Event) (born bool) {
	switch e.Kind {
	case trace.Made:
		if who := c.running[e.PE]; who != nil && !e.Packet.ToHost {
			c.flight[trace.IDOf(&e.Packet)] = who
		}
	case trace.Taken:
		id := trace.IDOf(&e.Packet)
		c.taken[e.PE] = c.flight[id]
		delete(c.flight, id)
		if n := c.machine.PE(int(e.PE)).Calls; n != c.calls[e.PE] {
			c.calls[e.PE] = n
			c.birth(e)
			return true
		}
	case trace.Begun:
		c.running[e.PE] = c.taken[e.PE]
		if !e.Packet.Direct {
			c.running[e.PE] = c.instance(e)
		}
	}
	return false
}

// segmentOf returns the operand segment of a packet and its template.
func (c *Calls) segmentOf(pe uint32, p *packet.Packet) (segment, uint32) {
	x := c.machine.PE(int(pe))
	base, _ := x.SegmentOf(p.Addr)
	return segment{pe, base}, uint32(x.Memory().Read(base))
}

// instance returns the instance whose block begins. One from before the recording
// has no caller.
func (c *Calls) instance(e *trace.Event) *instance {
	at, template := c.segmentOf(e.PE, &e.Packet)
	if c.live[at] == nil {
		c.live[at] = &instance{template: template, pe: int(e.PE)}
	}
	return c.live[at]
}

// birth records a new instance.
func (c *Calls) birth(e *trace.Event) {
	at, template := c.segmentOf(e.PE, &e.Packet)
	by := c.taken[e.PE]
	if by == nil {
		by = &nobody
	}
	x := &instance{template: template, pe: int(e.PE), depth: by.depth + 1}
	c.live[at] = x
	c.Pairs[[2]int{by.pe, x.pe}]++
	k := [2]uint32{by.template, template}
	if c.edges[k] == nil {
		c.edges[k] = &Edge{Caller: k[0], Callee: k[1]}
	}
	c.edges[k].Calls++
	if by.pe == x.pe {
		c.edges[k].Local++
	}
	for len(c.Depth) <= x.depth {
		c.Depth = append(c.Depth, 0)
	}
	c.Depth[x.depth]++
}

// finish sorts the edges.
func (c *Calls) finish() {
	for _, e := range c.edges {
		c.Edges = append(c.Edges, *e)
	}
	slices.SortFunc(c.Edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Caller, b.Caller), cmp.Compare(a.Callee, b.Callee))
	})
}
