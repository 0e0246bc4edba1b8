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
//	judge      which packets could move: their inputs, outputs and next buffers are free
//	nominate   every input proposes one of them
//	serve      every output takes one proposal
//	transfer   the granted packets move (second phase of the clock)
//
// Two units touch a bank: the upstream unit fills it, its own unit empties it. A
// full bank cannot be filled, and an emptied one cannot be filled before
// bank_clocks have passed, so they never act on one bank in the same clock.
//
// The order of the fields is chosen for the simulator: the fields that a decision reads lie in two of the host's cache
// lines, and a unit takes six.
type SU struct {
	readyAt   [slots]uint64    // clock from which a full bank may send, or an empty bank may be filled
	full      uint8            // set of the bank slots that hold a packet
	output    [slots + 1]uint8 // output that the packet of each slot is routed to
	lastBank  [2]uint8         // round robin: bank that each network input sent from last
	lastInput [3]uint8         // round robin: input that each output served last
	behind    [Banks]uint8     // bank downstream that a packet in this bank moves to

	outFreeAt [3]uint64 // clock from which each output may send again
	inFreeAt  [3]uint64 // clock from which each input may send again
	position

	Counters // WaitClocks is counted when a packet moves

	prev [2]uint32 // unit upstream of each network input
	wire wires
	reservation
	_ [4]byte

	bank [slots]packet.Packet
}

// wires carry the arbiter's decision from the first phase of a clock to the second.
type wires struct {
	granted uint8 // slots whose packet moves
	load    uint8 // load of the PE, for MLPE packets that pass
}

// roundRobin gives the input, or the bank of an input, that is served next. It is indexed by the set of those that
// request, as bits, and by the one that was served last.
var roundRobin = [8][3]uint8{{}, {}, {1, 1, 1}, {1, 0, 0}, {2, 2, 2}, {2, 2, 0}, {1, 2, 1}, {1, 2, 0}}

// arbitrate does the first phase of a clock for one unit: it decides which packets move, and returns their slots. It
// writes only the unit's wires, its round-robin registers, its reservation and AcceptedAt.
func (n *Network) arbitrate(i int, ready uint8, t uint64) (granted uint8) {
	granted = n.decide(i, ready, t)
	n.su[i].wire.granted = granted
	for g := granted; g != 0; g &= g - 1 {
		s := bits.TrailingZeros8(g)
		n.grant(&n.su[i], i, s/Banks, s%Banks, t)
	}
	if n.watch != nil {
		n.traceSlots(i, granted, t)
	}
	return granted
}

// ready returns the slots of unit i that hold a packet that has arrived: full banks, and the EXU's output register, for
// whose packet it also computes the route.
func (n *Network) ready(i int, t uint64) (set uint8) {
	su, pins := &n.su[i], &n.pins[i]
	for f := su.full; f != 0; f &= f - 1 {
		if s := bits.TrailingZeros8(f); su.readyAt[s] <= t {
			set |= 1 << s
		}
	}
	if pins.OutFull && pins.OutReady <= t {
		set |= 1 << ownSlot
		su.output[ownSlot] = uint8(n.routeFromEXU(i, &pins.Out))
	}
	return set
}

// judge returns which of the ready slots can move in clock t.
func (n *Network) judge(i int, ready uint8, t uint64) (movable uint8) {
	for r := ready; r != 0; r &= r - 1 {
		if n.waitReason(i, bits.TrailingZeros8(r), t) == trace.Move {
			movable |= r & -r
		}
	}
	return movable
}

// waitReason returns what the arrived packet of slot s waits for in clock t, or trace.Move if it can move. This is the
// only rule that makes a packet wait: the reference, traces, the debugger and deadlock reports all use it. lanes.go has
// the same rule for 64 units at a time.
//
// If there are several reasons it returns the one downstream: a full buffer can stay full for a long time, but a port
// is free again after one packet.
func (n *Network) waitReason(i, s int, t uint64) trace.Status {
	su := &n.su[i]
	o := int(su.output[s])
	if o != Own {
		if _, slot := n.downstream(i, o, s%Banks); n.freeAt(i, slot) > t {
			return trace.WaitBank
		}
	} else if !n.packetIn(i, s).ToHost && n.intakeFree(i, t) > t {
		return trace.WaitIntake
	}
	switch {
	case su.outFreeAt[o] > t:
		return trace.WaitOutput
	case su.inFreeAt[s/Banks] > t:
		return trace.WaitInput
	}
	return trace.Move
}

// decide returns which of the ready slots move in clock t.
func (n *Network) decide(i int, ready uint8, t uint64) (granted uint8) {
	movable := n.judge(i, ready, t)
	if !n.fair {
		return n.choose(i, movable)
	}
	granted = n.choose(i, n.keepFree(i, movable, t))
	n.su[i].reserve(ready &^ granted)
	return granted
}

// choose returns which of the movable slots move. It changes nothing.
func (n *Network) choose(i int, movable uint8) (granted uint8) {
	if movable&(movable-1) == 0 { // no competition
		return movable
	}
	nominees := n.nominate(i, movable)
	return n.serve(i, &nominees)
}

// nominees holds the nominations of a unit's inputs in one clock.
type nominees struct {
	slot   [3]uint8 // slot proposed by each input
	inputs [3]uint8 // by output: inputs that propose a packet for it
	urgent [3]uint8 // by output: inputs whose proposed packet is urgent
}

// nominate lets every input propose one packet, its banks in turn. The turn passes to the next bank only when a packet
// of the input is served. With priority the input's urgent packets come first (priority.go).
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

// serve lets every output take one nominee: urgent packets first, then the inputs in turn.
func (n *Network) serve(i int, x *nominees) (granted uint8) {
	for o, inputs := range x.inputs {
		if inputs == 0 {
			continue
		}
		if x.urgent[o] != 0 {
			inputs = x.urgent[o]
		}
		granted |= 1 << x.slot[roundRobin[inputs][n.su[i].lastInput[o]]]
	}
	return granted
}

// grant records the move of a packet, given by its input and its bank there, in the round-robin registers and on the
// wires that the move needs. It returns the packet's output.
func (n *Network) grant(su *SU, i, input, bank int, t uint64) (o int) {
	s := input*Banks + bank
	o = int(su.output[s])
	su.lastInput[o] = uint8(input)
	if input == Own {
		n.pins[i].AcceptedAt = t
		return o
	}
	su.lastBank[input] = uint8(bank)
	if su.bank[s].Kind.Search() && n.compare {
		su.wire.load = n.loadQ(i, t)
	}
	return o
}

// packetIn returns the packet of a slot.
func (n *Network) packetIn(i, s int) *packet.Packet {
	if s == ownSlot {
		return &n.pins[i].Out
	}
	return &n.su[i].bank[s]
}

// downstream returns the unit downstream of output o of unit i, and the slot there that a packet now in bank b moves
// to.
func (n *Network) downstream(i, o, b int) (next, slot int) {
	su := &n.su[i]
	return int(su.next[o]), o*Banks + int(su.behind[b])
}

// routeFromEXU works like route for a packet of the unit's own EXU. "The destination address of an MLPE packet is the
// PE that issues it, but as an exception each PE puts this packet out" [003 §4.1].
func (n *Network) routeFromEXU(i int, p *packet.Packet) int {
	if p.Kind.Search() && p.Dest == n.su[i].address() {
		if p.Kind == packet.MLPEGroup {
			return InGroup
		}
		return OutGroup
	}
	return n.route(&n.su[i].position, p)
}

// transfer does the second phase of a clock for one unit: the granted packets
// move. It writes banks that were empty at the clock's start (downstream) or
// full (its own), and never one that another unit writes in the same clock. p is
// the part that the unit belongs to.
func (n *Network) transfer(p *Part, i int, t uint64) {
	su := &n.su[i]
	if n.passed != nil {
		n.countOvertakings(i, t)
	}
	for g := su.wire.granted; g != 0; g &= g - 1 {
		s := bits.TrailingZeros8(g)
		n.movePacket(p, su, i, int(su.output[s]), s/Banks, s%Banks, t)
		if n.watch != nil {
			n.traceMove(t, i, s, s/Banks, int(su.output[s]), n.packetIn(i, s))
		}
	}
}

// movePacket moves the packet in a bank of an input, or the one that the EXU holds, to
// output o.
func (n *Network) movePacket(p *Part, su *SU, i, o, input, bank int, t uint64) {
	su.outFreeAt[o] = t + portClocks
	su.inFreeAt[input] = t + portClocks
	su.Packets[o]++
	var pk *packet.Packet
	if input == Own {
		pins := &n.pins[i]
		su.WaitClocks[o] += t - pins.OutReady
		pk, pins.OutFull = &pins.Out, false
	} else {
		s := input*Banks + bank
		pk = &su.bank[s]
		su.WaitClocks[o] += t - su.readyAt[s]
		su.full &^= 1 << s
		su.readyAt[s] = t + n.bankClocks
		if !n.sched.plain {
			p.bankEmptied(int(su.prev[input]), s, t+n.bankClocks)
		}
	}
	switch {
	case o != Own:
		n.forward(p, su, i, o, input, bank, pk, t)
	case pk.ToHost:
		n.host = append(n.host, HostWord{Clock: t + portClocks, Data: pk.Data})
	default:
		n.deliver(p, i, pk, t)
	}
}

// deliver puts a packet into the intake register of the unit's own PE.
func (n *Network) deliver(p *Part, i int, pk *packet.Packet, t uint64) {
	pins := &n.pins[i]
	if pins.InFull {
		panic(fmt.Sprintf("omega: clock %d, PE %v: %v arrives at a full intake", t, n.su[i].address(), *pk))
	}
	pins.In = *pk
	pins.InReady = t + portClocks // store and forward, as in the banks
	pins.InFull = true
	p.packetDelivered(i)
}

// forward sends a packet to the next unit. An MLPE packet that passes is
// compared with this PE's load on the way: "these operations are carried out
// within the clocks of an ordinary packet transfer" [003 §4.1].
func (n *Network) forward(p *Part, su *SU, i, o, input, bank int, pk *packet.Packet, t uint64) {
	next, slot, at := int(su.next[o]), o*Banks+int(su.behind[bank]), t+n.hopClocks
	behind := &n.su[next]
	to := &behind.bank[slot]
	if !n.sched.plain {
		if p.bankFilled(i, slot); !p.has(next) {
			to, behind = p.post(i, next, slot, at), nil
		}
	}
	*to = *pk
	if pk.Kind.Search() && input != Own {
		n.pass(i, pk, to, t)
	}
	if behind != nil {
		o = n.route(&behind.position, to)
		n.arrive(behind, slot, o, at)
		if !n.sched.plain {
			p.expect(next, slot, o, to, at)
		}
	}
}

// pass applies the effects of PE i on an MLPE packet that leaves its switch. The packet's data are compared with the
// PE's load. If the packet is back at the PE that sent it, it has completed the first of two circuits and becomes an
// MLPEGroup packet.
func (n *Network) pass(i int, pk, to *packet.Packet, t uint64) {
	here := n.su[i].address()
	if n.compare {
		to.Data = n.rewrite(pk.Data, n.su[i].wire.load, here)
	}
	if pk.Dest == here { // home after the first of two circuits
		to.Kind = packet.MLPEGroup
	}
	if n.watch != nil {
		n.traceRewrite(t, i, pk, to.Data)
	}
}

// arrive records that a packet for output o has been put into a bank, which may send it from clock `at` on.
func (n *Network) arrive(su *SU, s, o int, at uint64) {
	if su.full>>s&1 == 1 {
		n.overwritten(su, s, at)
	}
	su.output[s] = uint8(o)
	su.readyAt[s] = at
	su.full |= 1 << s
}

func (n *Network) overwritten(su *SU, s int, at uint64) {
	panic(fmt.Sprintf("omega: clock %d, PE %v: %v arrives at a full bank", at-n.hopClocks, su.address(), su.bank[s]))
}
