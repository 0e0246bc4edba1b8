package omega

import (
	"fmt"
	"math/bits"

	"emsim/packet"
	"emsim/trace"
)

// Banks is the number of buffer banks per network input. Three banks make the
// network free of deadlock: a packet changes to the next bank when it enters
// column 0, which happens at most twice [derived].
//
// "This unit also includes functions that avoid deadlock" [003 §2].
const Banks = 3

// portClocks is how long a packet's two words occupy a port [derived: one
// 39-bit word per clock].
const portClocks = 2

// The slots of a unit: the three in-group banks, the three out-of-group banks,
// and the output register of the unit's own EXU.
const (
	slots   = 2 * Banks
	ownSlot = slots
	none    = -1
)

// SU is the switching unit of one PE.
//
//	in-group ──[bank 0 1 2]──┐        ┌── in-group
//	out-of-g ──[bank 0 1 2]──┼─ 3×3 ──┼── out-of-group
//	EXU ─────────────────────┘        └── IBU (at [0,0] also the host)
//
// "A 3×3 crossbar switch that works independently of the processor" [003 §2].
//
// One clock of a unit:
//
//	judge      which packets could move: their outputs and next buffers are free
//	nominate   every input proposes one of them
//	serve      every output takes one proposal
//	transfer   the granted packets move (second phase of the clock)
//
// A bank is filled by the upstream unit and emptied by its own unit. Each of
// them flips its own toggle bit, so that both may act in one clock; the bank is
// full while the two bits differ.
type SU struct {
	readyAt     [slots]uint64    // clock from which a full bank may send, or an empty bank may be filled
	fillToggle  [2]uint8         // by input, bit b: flipped by the upstream unit when it fills bank b
	drainToggle uint8            // bit s: flipped by this unit when it empties bank slot s
	output      [slots + 1]uint8 // output that the packet of each slot is routed to
	lastBank    [2]uint8         // round robin: bank that each network input sent from last
	lastInput   [3]uint8         // round robin: input that each output served last

	wire wires

	outFreeAt [3]uint64 // clock from which each output may send again
	inFreeAt  [3]uint64 // clock from which each input may send again

	Counters // WaitClocks is counted when a packet moves

	bank [slots]packet.Packet
}

// wires carry the arbiter's decision from Arbitrate to Transfer of one clock.
type wires struct {
	load  uint8   // load of the PE, for MLPE packets that pass
	grant [3]int8 // slot that each output takes, or none
}

// fullQ returns the set of bank slots that hold a packet at the start of the
// clock (until Transfer).
func (su *SU) fullQ() uint8 { return (su.fillToggle[0] | su.fillToggle[1]<<Banks) ^ su.drainToggle }

// ready returns the set of bank slots whose packet has arrived.
func (su *SU) ready(t uint64) (set uint8) {
	for f := su.fullQ(); f != 0; f &= f - 1 {
		if s := bits.TrailingZeros8(f); su.readyAt[s] <= t {
			set |= 1 << s
		}
	}
	return set
}

// roundRobin gives the next of three: by the set of those that ask and the one
// that was served last.
var roundRobin = [8][3]uint8{{}, {}, {1, 1, 1}, {1, 0, 0}, {2, 2, 2}, {2, 2, 0}, {1, 2, 1}, {1, 2, 0}}

// arbitrate is the first phase of a clock for one unit: it decides from the
// state at the clock's start which packets move. It writes only the unit's
// wires, its round-robin registers and AcceptedAt. It returns the granted slots.
func (n *Network) arbitrate(i int, t uint64) (granted uint8) {
	ready := n.ready(i, t)
	movable, until := n.judge(i, ready, t)
	granted, lost := n.choose(i, movable)
	n.su[i].wire.grant = [3]int8{none, none, none}
	for g := granted; g != 0; g &= g - 1 {
		n.grant(i, bits.TrailingZeros8(g), t)
	}
	if granted != ready {
		n.askAgain(i, until, movable&^granted, lost, t)
	}
	if n.watch != nil {
		n.tellSlots(i, granted, t)
	}
	return granted
}

// ready returns the set of slots of unit i whose packet has arrived: full banks
// and the EXU's output register, whose route is found on the way.
func (n *Network) ready(i int, t uint64) uint8 {
	su, pins := &n.su[i], &n.pins[i]
	set := su.ready(t)
	if pins.OutFull && pins.OutReady <= t {
		set |= 1 << ownSlot
		su.output[ownSlot] = uint8(n.routeFromEXU(i, &pins.Out))
	}
	return set
}

// judge returns which of the ready slots can move in clock t, and for the
// scheduler the first clock in which that can be different for the others.
func (n *Network) judge(i int, ready uint8, t uint64) (movable uint8, until uint64) {
	until = packet.Never
	for r := ready; r != 0; r &= r - 1 {
		why, u := n.hold(i, bits.TrailingZeros8(r), t)
		if why == trace.Move {
			movable |= r & -r
		} else {
			until = min(until, u)
		}
	}
	return movable, until
}

// hold says what the arrived packet of slot s waits for in clock t; trace.Move
// if nothing is in its way. This is the only rule that makes a packet wait: the
// arbiter, the scheduler, traces, the debugger and deadlock reports all use it.
// For the scheduler it also says until when the reason holds at least: Never if
// the downstream unit will tell, when it empties the bank.
//
// If there are several reasons it gives the one downstream: a full buffer can
// stay full for long, a port is free again after one packet.
func (n *Network) hold(i, s int, t uint64) (why trace.Status, until uint64) {
	su := &n.su[i]
	o := int(su.output[s])
	if o != Own {
		next, bank := n.downstream(i, o, s%Banks)
		to := &n.su[next]
		if to.fullQ()>>bank&1 == 1 {
			return trace.WaitBank, packet.Never
		}
		if to.readyAt[bank] > t {
			return trace.WaitBank, to.readyAt[bank]
		}
	} else if !n.packetIn(i, s).ToHost && n.intakeFullQ(i, t) {
		return trace.WaitIntake, t + 1
	}
	switch {
	case su.outFreeAt[o] > t:
		return trace.WaitOutput, su.outFreeAt[o]
	case su.inFreeAt[s/Banks] > t:
		return trace.WaitInput, su.inFreeAt[s/Banks]
	}
	return trace.Move, t
}

// choose returns which of the movable slots move, and whether some input's
// nominee was not served. It changes nothing.
func (n *Network) choose(i int, movable uint8) (granted uint8, lost bool) {
	if movable&(movable-1) == 0 { // no competition
		return movable, false
	}
	nominees := n.nominate(i, movable)
	return n.serve(i, &nominees)
}

// nominees are what the inputs of a unit propose in one clock.
type nominees struct {
	slot   [3]uint8 // slot proposed by each input
	inputs [3]uint8 // by output: inputs that propose a packet for it
	urgent [3]uint8 // by output: those of them whose packet is urgent
}

// nominate lets every input propose one packet, its banks in turn; an input
// whose packet is not served proposes the same one first in the next clock.
// With priority its urgent packets come first (priority.go).
func (n *Network) nominate(i int, movable uint8) (x nominees) {
	su := &n.su[i]
	urgent := uint8(0)
	if n.priority != 0 {
		urgent = n.urgent(i, movable)
	}
	for input := range x.slot {
		set := movable >> (input * Banks) & (1<<Banks - 1)
		if set == 0 {
			continue
		}
		first := urgent >> (input * Banks) & (1<<Banks - 1)
		if first != 0 {
			set = first
		}
		s := ownSlot
		if input != Own {
			s = input*Banks + int(roundRobin[set][su.lastBank[input]])
		}
		o := su.output[s]
		x.slot[input] = uint8(s)
		x.inputs[o] |= 1 << input
		if first != 0 {
			x.urgent[o] |= 1 << input
		}
	}
	return x
}

// serve lets every output take one nominee, inputs in turn and urgent packets
// first. It reports whether a nominee was not served.
func (n *Network) serve(i int, x *nominees) (granted uint8, lost bool) {
	for o, inputs := range x.inputs {
		if inputs == 0 {
			continue
		}
		lost = lost || inputs&(inputs-1) != 0
		if x.urgent[o] != 0 {
			inputs = x.urgent[o]
		}
		granted |= 1 << x.slot[roundRobin[inputs][n.su[i].lastInput[o]]]
	}
	return granted, lost
}

// grant drives the wires of a slot whose packet moves.
func (n *Network) grant(i, s int, t uint64) {
	su := &n.su[i]
	o, input := su.output[s], s/Banks
	su.wire.grant[o] = int8(s)
	su.lastInput[o] = uint8(input)
	if input == Own {
		n.pins[i].AcceptedAt = t
		return
	}
	su.lastBank[input] = uint8(s - input*Banks)
	if n.compare && su.bank[s].Kind.Search() {
		su.wire.load = n.loadQ(i, t)
	}
}

// packetIn returns the packet of a slot.
func (n *Network) packetIn(i, s int) *packet.Packet {
	if s == ownSlot {
		return &n.pins[i].Out
	}
	return &n.su[i].bank[s]
}

// downstream returns the unit behind output o of unit i, and the bank slot there
// that a packet now in bank b goes to.
func (n *Network) downstream(i, o, b int) (next, slot int) {
	here := &n.position[i]
	if here.lastColumn && b+1 < n.banks {
		b++
	}
	return int(here.next[o]), o*Banks + b
}

// routeFromEXU is route for a packet of the unit's own EXU. "The destination
// address of an MLPE packet is the PE that issues it, but as an exception each
// PE puts this packet out" [003 §4.1].
func (n *Network) routeFromEXU(i int, p *packet.Packet) int {
	if p.Kind.Search() && p.Dest == n.position[i].address {
		if p.Kind == packet.MLPEGroup {
			return InGroup
		}
		return OutGroup
	}
	return n.route(i, p)
}

// transfer is the second phase of a clock for one unit: the granted packets
// move. It writes banks that were empty at the clock's start (downstream) or
// full (its own), and never one that another unit writes in the same clock. th
// is the thread that evaluates the unit.
func (n *Network) transfer(i int, t uint64, th int) {
	su := &n.su[i]
	pins := &n.pins[i]
	for o, g := range su.wire.grant {
		if g == none {
			continue
		}
		s, b, input := int(g), 0, Own
		p := &pins.Out
		if s != ownSlot {
			p = &su.bank[s]
			input = s / Banks
			b = s - input*Banks
		}
		su.outFreeAt[o] = t + portClocks
		su.inFreeAt[input] = t + portClocks
		su.Packets[o]++
		if s == ownSlot {
			su.WaitClocks[o] += t - pins.OutReady
		} else {
			su.WaitClocks[o] += t - su.readyAt[s]
		}
		switch {
		case o != Own:
			n.forward(i, o, b, p, input != Own, t, th)
		case p.ToHost:
			n.host = append(n.host, HostWord{Clock: t + portClocks, Data: p.Data})
		default:
			n.deliver(i, p, t)
		}
		if n.watch != nil {
			n.tellMove(t, i, s, input, o, p)
		}
		if s == ownSlot {
			pins.OutFull = false
		} else {
			su.drainToggle ^= 1 << s
			su.readyAt[s] = t + n.bankClocks
			n.bankDrained(i, input, su.readyAt[s], th)
		}
	}
}

// deliver puts a packet into the intake register of the unit's own PE.
func (n *Network) deliver(i int, p *packet.Packet, t uint64) {
	pins := &n.pins[i]
	if pins.InFull {
		panic(fmt.Sprintf("omega: clock %d, PE %v: %v arrives at a full intake", t, n.position[i].address, *p))
	}
	pins.In = *p
	pins.InReady = t + portClocks - 1
	pins.InFull = true
	n.packetDelivered(i)
}

// forward puts a packet into the next unit's bank. An MLPE packet that passes
// is compared with this PE's load on the way: "these operations are carried out
// within the clocks of an ordinary packet transfer" [003 §4.1].
func (n *Network) forward(i, o, b int, p *packet.Packet, passing bool, t uint64, th int) {
	next, s := n.downstream(i, o, b)
	to := &n.su[next]
	if n.singleThread() && to.fullQ()>>s&1 == 1 { // with several threads its own unit may be writing
		panic(fmt.Sprintf("omega: clock %d, PE %v: %v arrives at a full bank", t, n.position[next].address, *p))
	}
	to.bank[s] = *p
	if p.Kind.Search() && passing {
		if n.compare {
			to.bank[s].Data = n.rewrite(p.Data, n.su[i].wire.load, n.position[i].address)
		}
		if p.Dest == n.position[i].address { // home after the first of two circuits
			to.bank[s].Kind = packet.MLPEGroup
		}
		if n.watch != nil {
			n.tellRewrite(t, i, p, to.bank[s].Data)
		}
	}
	to.output[s] = uint8(n.route(next, &to.bank[s]))
	to.readyAt[s] = t + n.hopClocks
	to.fillToggle[o] ^= 1 << (s - o*Banks)
	n.bankFilled(next, to.readyAt[s], th)
}
