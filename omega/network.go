// Package omega is the interconnection network of the EM-4: the processor connected circular omega network and its
// switching units. It can run without PEs, under synthetic traffic.
//
//	topology.go  links, circuits, destination-tag routing
//	su.go        the switching unit: judge, nominate, serve, transfer
//	priority.go  urgent packets before others
//	fair.go      a bank that is kept for a waiting packet
//	network.go   all units of a machine
//	traffic.go   synthetic traffic
//	tally.go     statistics of the traffic
//	counters.go  what the units count
//	registers.go the registers of a switch, as hardware has them
//	schedule.go  the simulator's part: which units decide in a clock
//	lanes.go     the simulator's part: 64 units decide at a time
//	fetch.go     the simulator's part: large machines and the host's caches
//	mail.go      the simulator's part: packets between the units of different threads
//	watch.go     trace events
//	overtaken.go how long packets wait, and which packets overtake them
//	state.go     the state, for hashes and checkpoints
//	check.go     invariants of the state
//	inspect.go   the packets and ports of a switch, and what they wait for
//
// paper: a 3×3 crossbar that works independently of the PE, O(log N) distances, one direction, deadlock avoidance, MLPE
// comparison inside the transfer clocks [003 §2, §4.1]. derived: the link rule, the routing, three banks. chosen:
// arbitration, store and forward with HopClocks per hop.
//
// A clock has two phases. In the first phase every unit decides from the state at the clock's start and writes only its
// own wires. In the second phase the granted packets move. Within a phase the order of the units does not matter, and
// each unit may even go through both phases at once: schedule.go.
package omega

import (
	"fmt"
	"math/bits"

	"emsim/internal/base/hugepages"
	"emsim/mlpe"
	"emsim/packet"
	"emsim/trace"
)

// Config holds the parameters of the switches.
type Config struct {
	HopClocks  int  // from a packet's grant in one unit to its first arbitration in the next, 1..8
	BankClocks int  // from the clock in which a packet leaves a bank until the bank can be filled again, 2..16
	Banks      int  // buffer banks in use per network input, 1..3; fewer than 3 can deadlock
	Compare    bool // MLPE packets are compared with the load of each PE that they pass; otherwise they do not change
	Strict     bool // the comparison replaces the least load only by a smaller load, not by an equal one
	Priority   int  // priority level 0..3, which decides which packets are Urgent and go first [remedy 003 §5]
	Fair       bool // a switch keeps a bank or intake for one waiting packet at a time [remedy]
	Balanced   bool // packets with two shortest paths take the path of BalancedRoute [remedy: the successor chip]
}

// Validate returns an error if a parameter is out of its range.
func (c Config) Validate() error {
	if c.HopClocks < 1 || c.HopClocks > maxHop {
		return fmt.Errorf("hop_clocks is %d, it must be 1..%d", c.HopClocks, maxHop)
	}
	if c.BankClocks < portClocks || c.BankClocks > maxBank {
		return fmt.Errorf("bank_clocks is %d, it must be %d..%d", c.BankClocks, portClocks, maxBank)
	}
	if c.Banks < 1 || c.Banks > Banks {
		return fmt.Errorf("banks is %d, it must be 1..%d", c.Banks, Banks)
	}
	if c.Priority < 0 || c.Priority > packet.MaxPriority {
		return fmt.Errorf("switch_priority is %d, it must be 0..%d", c.Priority, packet.MaxPriority)
	}
	return nil
}

// The largest values of hop_clocks and bank_clocks.
const (
	maxHop  = 8
	maxBank = 16
)

// position holds what the place of a unit in the network determines: its links, and its part of the destination-tag
// routing.
type position struct {
	next   [2]uint32 // unit downstream of each network output
	group  uint16    // the unit's own address
	column uint8
	wraps  bool   // the links lead to column 0
	mask   uint16 // bits of a group address whose parity is the bit of W that decides the route here
}

// address returns the address of the unit's PE.
func (p *position) address() packet.PE { return packet.PE{GA: p.group, CA: p.column} }

// HostWord is a word that the machine sent to the host.
type HostWord struct {
	Clock uint64 // clock of the machine by which both words of the packet have left it
	Data  uint64
}

// Network holds the switching units of one machine.
type Network struct {
	Topology

	watch      *trace.Recorder // nil if there is no observer
	passed     []overtakings   // by unit; nil unless overtakings are counted
	hopClocks  uint64
	bankClocks uint64
	banks      int
	compare    bool
	strict     bool
	priority   int
	balanced   bool
	fair       bool
	format     packet.Format

	su   []SU
	pins []packet.Pins

	host []HostWord // words sent to the host

	sched schedule // the simulator's part: schedule.go
}

// NewNetwork returns the network of a machine, whose units are connected to the given pins of the PEs.
func NewNetwork(t Topology, f packet.Format, c Config, pins []packet.Pins) (*Network, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if len(pins) != t.N {
		return nil, fmt.Errorf("omega: %d pins for %d PEs", len(pins), t.N)
	}
	n := &Network{
		Topology: t, hopClocks: uint64(c.HopClocks), bankClocks: uint64(c.BankClocks), banks: c.Banks,
		compare: c.Compare, strict: c.Strict, priority: c.Priority, balanced: c.Balanced, fair: c.Fair, format: f,
		su: make([]SU, t.N), pins: pins, sched: schedule{fetch: t.N >= fetchFrom},
	}
	hugepages.Advise(n.su)
	for i := range t.N {
		p := t.Address(i)
		here := &n.su[i]
		here.position = position{group: p.GA, column: p.CA, wraps: int(p.CA) == t.K, mask: t.routeMask(p.CA)}
		for b := range here.behind {
			up := 0
			if here.wraps {
				up = 1
			}
			here.behind[b] = uint8(min(b+up, c.Banks-1))
		}
		for port := range here.next {
			next := t.Index(t.Next(p, port))
			here.next[port] = uint32(next)
			n.su[next].prev[port] = uint32(i)
		}
	}
	n.scheduler().Split(0, t.N)
	n.scheduler().SetCrowd(2, 1000) // measured
	if n.sched.fetch {
		n.scheduler().SetCrowd(8, 1000) // lanes use more of the host's cache
	}
	return n, nil
}

// HostWords returns the words sent to the host so far.
func (n *Network) HostWords() []HostWord { return n.host }

// ClearHost discards the words sent to the host so far.
func (n *Network) ClearHost() { n.host = n.host[:0] }

// eachWaiting calls f for every packet of unit i that has been ready for an output for at least one clock at the start
// of clock t. The counters do not include these clocks until the packet moves.
func (n *Network) eachWaiting(i int, t uint64, f func(output int, clocks uint64)) {
	su, pins := &n.su[i], &n.pins[i]
	for m := su.full; m != 0; m &= m - 1 {
		if s := bits.TrailingZeros8(m); su.readyAt[s] < t {
			f(int(su.output[s]), t-su.readyAt[s])
		}
	}
	if pins.OutFull && pins.OutReady < t {
		f(n.routeFromEXU(i, &pins.Out), t-pins.OutReady)
	}
}

// route works like Route, but also handles packets to the host and MLPE packets on two circuits. It uses values that
// were computed in advance from the unit's position.
func (here *position) route(p *packet.Packet) int {
	o := bits.OnesCount16((p.Dest.GA^here.group)&here.mask) & 1
	switch {
	case p.ToHost && here.group|uint16(here.column) == 0:
		return Own
	case p.ToHost:
		return o
	case p.Kind == packet.MLPEBoth && p.Dest == here.address():
		return InGroup // MLPEBoth continues on the second circuit
	}
	if p.Dest.GA^here.group|uint16(p.Dest.CA^here.column) == 0 { // written so that the host needs no branch
		o = Own
	}
	return o
}

// route returns the output that a packet takes at a unit.
func (n *Network) route(here *position, p *packet.Packet) int {
	o := here.route(p)
	if n.balanced && n.twice(here.address(), p.Dest) {
		o = 1 - o
	}
	return o
}

// rewrite returns the data of an MLPE packet after the comparison at one PE.
func (n *Network) rewrite(data uint64, load uint8, at packet.PE) uint64 {
	return mlpe.Compare(n.format, data, load, at, n.strict)
}

// InFlight returns the number of packets in banks and on the PEs' pins.
func (n *Network) InFlight() (sum int) {
	for i := range n.su {
		sum += bits.OnesCount8(n.su[i].full)
		if n.pins[i].OutFull {
			sum++
		}
		if n.pins[i].InFull {
			sum++
		}
	}
	return sum
}

// FlitHops returns the number of words that have crossed links between PEs since the last ClearCounters.
func (n *Network) FlitHops() uint64 {
	sum := uint64(0)
	for i := range n.su {
		sum += n.su[i].Packets[InGroup] + n.su[i].Packets[OutGroup]
	}
	return sum * portClocks
}
