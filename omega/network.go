// Package omega is the interconnection network of the EM-4: the processor
// connected circular omega network and its switching units. It runs without
// any PE, under synthetic traffic.
//
//	topology.go  links, circuits, destination-tag routing
//	su.go        the switching unit: what makes a packet wait, and what moves it
//	priority.go  urgent packets before others
//	network.go   all units of a machine
//	schedule.go  which of them are asked in a clock, and why that is enough
//	traffic.go   synthetic traffic
//	counters.go  what the units count
//	watch.go     what the units tell somebody who watches
//	state.go     the state, for hashing and checkpoints
//	check.go     what is true of every state
//	look.go      packets and ports of a switch, and what waits for what
//
// paper: a 3×3 crossbar that works independently of the PE, O(log N)
// distances, one direction, deadlock avoidance, MLPE comparison inside the
// transfer clocks [003 §2, §4.1]. derived: the link rule, the routing, three
// banks. chosen: arbitration, store and forward with HopClocks a hop.
//
// A clock has two phases. Arbitrate reads anybody's state and writes only the
// unit's own wires; Transfer moves what was granted. Within a phase the order
// of the units does not matter.
//
// su.go is the hardware. The same rule (hold) that makes a packet wait in it
// also tells the scheduler when to ask again, and traces, the debugger and
// deadlock reports what the packet waits for.
package omega

import (
	"fmt"
	"math/bits"

	"emsim/mlpe"
	"emsim/packet"
	"emsim/trace"
)

// Config holds the parameters of the switches.
type Config struct {
	HopClocks  int // from leaving one unit to that packet's first arbitration in the next, 1..8
	BankClocks int // from a packet's leaving a bank until the bank can be filled again, 2..16
	Banks      int // buffer banks per network input in use, 1..3; fewer than 3 can deadlock
	// Compare switches the MLPE comparison; without it MLPE packets round the
	// circuit unchanged.
	Compare bool
	// Priority is the level of priority 0..3 at which a packet is Urgent and
	// goes before others [remedy 003 §5].
	Priority int
}

// Validate checks the ranges.
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

// The longest hop_clocks and bank_clocks.
const (
	maxHop  = 8
	maxBank = 16
)

// place is what a unit's position fixes.
type place struct {
	next  [2]uint32 // unit behind each network output
	prev  [2]uint32 // unit before each network input
	word  uint32    // W of the own group
	at    packet.PE
	shift uint8 // bit of W that decides the route here
	last  bool  // in the last column: its links lead to column 0
}

// HostWord is a word that left the machine.
type HostWord struct {
	Clock uint64 // clocks from the start of the machine until its second word was out
	Data  uint64
}

// Network is the switching units of one machine.
type Network struct {
	Topology

	watch      *trace.Recorder // nil when nobody watches
	hopClocks  uint64
	bankClocks uint64
	banks      int
	compare    bool
	priority   int
	format     packet.Format

	su    []SU
	pins  []packet.Pins
	place []place // where each unit stands

	host []HostWord // words that left the machine

	schedule // which units are asked in a clock

	// Sync brings the pins of a PE to what they are at the start of a clock,
	// for machines that evaluate their PEs late; nil when they do not.
	Sync func(i int, t uint64)
}

// NewNetwork builds the units of a machine on its PEs' pins.
func NewNetwork(t Topology, f packet.Format, c Config, pins []packet.Pins) (*Network, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if len(pins) != t.N {
		return nil, fmt.Errorf("omega: %d pins for %d PEs", len(pins), t.N)
	}
	n := &Network{
		Topology: t, hopClocks: uint64(c.HopClocks), bankClocks: uint64(c.BankClocks), banks: c.Banks, compare: c.Compare, priority: c.Priority, format: f,
		su: make([]SU, t.N), pins: pins, place: make([]place, t.N),
		schedule: newSchedule(t.N),
	}
	for i := range t.N {
		p := t.Address(i)
		here := &n.place[i]
		here.word, here.at, here.shift, here.last = word(p.GA), p, t.lowShift(p.CA), int(p.CA) == t.K
		for port := range here.next {
			next := t.Index(t.Next(p, port))
			here.next[port] = uint32(next)
			n.place[next].prev[port] = uint32(i)
		}
	}
	return n, nil
}

// Host returns the words that left the machine so far.
func (n *Network) Host() []HostWord { return n.host }

// ClearHost forgets them.
func (n *Network) ClearHost() { n.host = n.host[:0] }

// standing calls f for every packet that has stood ready for an output for
// some clocks at the start of clock t. They are counted when it goes.
func (n *Network) standing(i int, t uint64, f func(output int, clocks uint64)) {
	su, pins := &n.su[i], &n.pins[i]
	for m := su.full(); m != 0; m &= m - 1 {
		if s := bits.TrailingZeros8(m); su.at[s] < t {
			f(int(su.out[s]), t-su.at[s])
		}
	}
	if pins.OutFull && pins.OutReady < t {
		f(n.ownRoute(i, &pins.Out), t-pins.OutReady)
	}
}

// route is Route with what the unit's place fixes looked up.
func (n *Network) route(i int, p *packet.Packet) int {
	here := &n.place[i]
	if p.ToHost {
		if i == 0 {
			return Own
		}
	} else if p.Dest == here.at {
		if p.Kind == packet.MLPEBoth {
			return InGroup // the second circuit
		}
		return Own
	}
	return int((here.word ^ word(p.Dest.GA)) >> here.shift & 1)
}

// rewrite is the MLPE comparison at one PE.
func (n *Network) rewrite(data uint64, load uint8, at packet.PE) uint64 {
	return mlpe.Compare(n.format, data, load, at)
}

// InFlight counts the packets in banks.
func (n *Network) InFlight() int {
	sum := 0
	for i := range n.su {
		sum += bits.OnesCount8(n.su[i].full())
	}
	return sum
}

// Idle reports whether no unit has anything to do now or later.
func (n *Network) Idle() bool {
	for i := range n.su {
		if n.su[i].full() != 0 || n.pins[i].OutFull {
			return false
		}
	}
	return true
}

// FlitHops returns the words that crossed links between PEs so far.
func (n *Network) FlitHops() uint64 {
	sum := uint64(0)
	for i := range n.su {
		sum += n.su[i].Packets[InGroup] + n.su[i].Packets[OutGroup]
	}
	return sum * portClocks
}
