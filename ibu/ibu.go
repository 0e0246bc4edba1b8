// Package ibu is the input buffer unit of a PE: the on-chip FIFO and, when it
// overflows, the memory input buffer (MIB) in the PE's external memory.
//
//	SU --In--> intake --+------------------> FIFO --Head--> FMU
//	                    |                      ^
//	                    +--spill--> MIB --refill
//
// With priority (urgent.go) urgent packets have a short queue of their own
// that the FMU empties first.
//
// paper: FIFO of 32 words in a two-ported RAM, overflow to external memory and
// back when the FIFO has emptied, 4 memory clocks a packet [003 §2, §4.2],
// MIB of 8192 words [003 fig. 3]. chosen: strict arrival order (while the MIB
// holds anything every newcomer goes there), which of spill and refill goes
// first, refill of one packet or a burst.
package ibu

import (
	"fmt"

	"emsim/internal/state"
	"emsim/packet"
)

// wordsPerPacket is the size of a packet in FIFO, MIB and memory clocks.
const wordsPerPacket = 2

// Config holds the parameters of the buffer.
type Config struct {
	FIFOWords          int  // on-chip FIFO, even, 2..8192 words [003 §2: 32]
	MIBWords           int  // memory input buffer, even, 0..131072 words [003 fig. 3: 8192]
	BurstRefill        bool // a refill goes on until the FIFO is full; otherwise one packet each time it is empty
	RefillBlocksIntake bool // a refill that is due goes before a spill; otherwise the spill goes first
	Priority           int  // level at which a packet is Urgent and goes before others, 0..3 [remedy 003 §5]
}

// Validate checks the ranges.
func (c Config) Validate() error {
	if c.FIFOWords < 2 || c.FIFOWords > 8192 || c.FIFOWords%2 != 0 {
		return fmt.Errorf("fifo_words is %d, it must be an even number 2..8192", c.FIFOWords)
	}
	if c.MIBWords < 0 || c.MIBWords > 1<<17 || c.MIBWords%2 != 0 {
		return fmt.Errorf("mib_words is %d, it must be an even number 0..%d", c.MIBWords, 1<<17)
	}
	if c.Priority < 0 || c.Priority > packet.MaxPriority {
		return fmt.Errorf("ibu_priority is %d, it must be 0..%d", c.Priority, packet.MaxPriority)
	}
	return nil
}

// Op is what the IBU wants the memory port for.
type Op uint8

// What it can be.
const (
	None   Op = iota
	Spill     // a packet from the intake to the MIB
	Refill    // a packet from the MIB to the FIFO
	Full      // a spill is due and the MIB is full: a mib_overflow
)

// Transfer reports whether it takes the memory port.
func (o Op) Transfer() bool { return o == Spill || o == Refill }

// IBU is the input buffer of one PE. The zero value with Init is empty.
type IBU struct {
	burst, refillFirst bool
	mibCap             int // packets

	fifoCap int             // packets
	fifo    []packet.Packet // ring, made when first needed: most PEs of a large machine never get a packet
	head    int
	count   int

	urgent urgent

	mib      []packet.Packet // ring, grown when first needed
	mibHead  int
	mibCount int

	doing    Op   // transfer whose first word is done
	bursting bool // a burst refill has begun and the FIFO is not full yet

	Counters
}

// Init makes the buffer empty, with the parameters of c.
func (u *IBU) Init(c Config) {
	*u = IBU{
		burst: c.BurstRefill, refillFirst: c.RefillBlocksIntake, mibCap: c.MIBWords / wordsPerPacket,
		fifoCap: c.FIFOWords / wordsPerPacket, urgent: urgent{level: c.Priority},
	}
	if c.Priority != 0 {
		u.urgent.ring = make([]packet.Packet, urgentPackets)
	}
}

// Head returns the packet that the FMU takes next: the oldest urgent one, or
// the oldest of the FIFO; nil when there is none.
func (u *IBU) Head() *packet.Packet {
	if u.urgent.count > 0 {
		return &u.urgent.ring[u.urgent.head]
	}
	if u.count == 0 {
		return nil
	}
	return &u.fifo[u.head]
}

// Last returns the newest packet of the FIFO, nil when it is empty.
func (u *IBU) Last() *packet.Packet {
	if u.count == 0 {
		return nil
	}
	return &u.fifo[(u.head+u.count-1)%u.fifoCap]
}

// FIFOWords returns the words in the FIFO.
func (u *IBU) FIFOWords() int { return u.count * wordsPerPacket }

// MIBWords returns the words in the memory input buffer.
func (u *IBU) MIBWords() int { return u.mibCount * wordsPerPacket }

// Idle reports whether the buffer is empty and stays so until a packet comes.
func (u *IBU) Idle() bool { return u.count == 0 && u.mibCount == 0 && u.urgent.count == 0 }

// Still reports whether the buffer does nothing by itself until a packet comes
// or the FMU takes one.
func (u *IBU) Still() bool {
	return u.doing == None && (u.mibCount == 0 || u.count > 0 && !u.bursting)
}

// Takes returns the clocks for which the buffer will want the memory port
// whatever comes: those of the refill that is due, and of the transfer that has
// begun.
func (u *IBU) Takes() uint64 {
	clocks := 0
	if u.mibCount > 0 && (u.count == 0 || u.bursting) {
		n := 1
		if u.burst {
			n = min(u.mibCount, u.fifoCap-u.count)
		}
		clocks = 2 * n
	}
	switch u.doing {
	case Refill:
		clocks--
	case Spill:
		clocks++
	}
	return uint64(clocks)
}

// Both does the two clocks t and t+1 of the transfer that begins in clock t, and
// reports whether one does. It is Clock twice with the memory port and without
// a pop.
func (u *IBU) Both(pins *packet.Pins, t uint64) bool {
	if u.doing != None || u.urgent.level != 0 && pins.InFull {
		return false
	}
	o := u.next(u.arrived(pins, t))
	if !o.Transfer() {
		return false
	}
	u.begin(o)
	u.finish(pins)
	return true
}

// begin is the first word of a transfer.
func (u *IBU) begin(o Op) {
	u.doing = o
	u.bursting = u.burst && o == Refill || u.bursting
}

// finish is the second one.
func (u *IBU) finish(pins *packet.Pins) {
	o := u.doing
	u.doing = None
	if o == Spill {
		u.spill(&pins.In)
		pins.InFull = false
		return
	}
	u.push(&u.mib[u.mibHead])
	if u.mibHead++; u.mibHead == len(u.mib) {
		u.mibHead = 0
	}
	u.mibCount--
	if u.mibCount == 0 || u.count == u.fifoCap {
		u.bursting = false
	}
}

// Transfer names the transfer whose first word is done: spill, refill, or
// nothing.
func (u *IBU) Transfer() string {
	return [...]string{Spill: "spill", Refill: "refill", Full: ""}[u.doing]
}

// next says what the IBU does next with the memory port, from the state at the
// start of the clock; arrived tells whether a packet for FIFO or MIB stands in
// the intake.
func (u *IBU) next(arrived bool) Op {
	if u.doing != None {
		return u.doing
	}
	spill := arrived && (u.mibCount > 0 || u.count == u.fifoCap)
	refill := u.mibCount > 0 && (u.count == 0 || u.bursting)
	switch {
	case refill && (u.refillFirst || !spill):
		return Refill
	case spill && u.mibCount == u.mibCap:
		if refill {
			return Refill
		}
		return Full
	case spill:
		return Spill
	}
	return None
}

// Wish returns what the IBU wants the memory port for in clock t.
func (u *IBU) Wish(pins *packet.Pins, t uint64) Op {
	if u.mibCount == 0 && u.count < u.fifoCap && u.doing == None {
		return None // the common case: nothing but the FIFO is needed
	}
	return u.next(u.arrived(pins, t))
}

// arrived reports whether a packet for FIFO or MIB stands in the intake.
func (u *IBU) arrived(pins *packet.Pins, t uint64) bool {
	return pins.InFull && pins.InReady <= t && !(u.urgent.level != 0 && u.takesUrgent(pins))
}

// Clock advances one clock. memory tells whether the IBU has the port, pop
// whether the FMU takes the head. It reports false when a packet must be
// spilled and the MIB is full.
func (u *IBU) Clock(pins *packet.Pins, t uint64, memory, pop bool) bool {
	arrived := u.arrived(pins, t)
	urgent := !arrived && pins.InFull && pins.InReady <= t
	full := u.count == u.fifoCap
	o := None
	if arrived || u.mibCount > 0 || u.doing != None {
		o = u.next(arrived)
	}
	if pop {
		u.pop()
	}
	if urgent {
		u.urgent.push(pins.In)
		pins.InFull = false
	}
	if arrived && o != Spill && u.mibCount == 0 && !full {
		u.push(&pins.In)
		pins.InFull = false
	}
	switch {
	case o == Full:
		return false
	case memory && u.doing == None:
		u.begin(o)
	case memory:
		u.finish(pins)
	}
	return true
}

// pop removes what Head returns.
func (u *IBU) pop() {
	if u.urgent.count > 0 {
		u.urgent.pop()
		return
	}
	if u.head++; u.head == u.fifoCap {
		u.head = 0
	}
	u.count--
}

func (u *IBU) push(p *packet.Packet) {
	if u.count == u.fifoCap {
		panic(fmt.Sprintf("ibu: %v comes to a full FIFO", p))
	}
	if u.fifo == nil {
		u.fifo = make([]packet.Packet, u.fifoCap)
	}
	tail := u.head + u.count
	if tail >= u.fifoCap {
		tail -= u.fifoCap
	}
	u.fifo[tail] = *p
	u.count++
	u.FIFOPeak = max(u.FIFOPeak, uint64(u.FIFOWords()))
}

// spill appends to the MIB's ring, which doubles when it is full: most PEs
// never need the whole of it.
func (u *IBU) spill(p *packet.Packet) {
	if u.mibCount == u.mibCap {
		panic(fmt.Sprintf("ibu: %v comes to a full MIB", p))
	}
	if u.mibCount == len(u.mib) {
		bigger := make([]packet.Packet, min(max(16, 2*len(u.mib)), u.mibCap))
		for i := range u.mibCount {
			bigger[i] = u.mib[(u.mibHead+i)%len(u.mib)]
		}
		u.mib, u.mibHead = bigger, 0
	}
	tail := u.mibHead + u.mibCount
	if tail >= len(u.mib) {
		tail -= len(u.mib)
	}
	u.mib[tail] = *p
	u.mibCount++
	u.Spilled++
	u.MIBPeak = max(u.MIBPeak, uint64(u.MIBWords()))
}

// Each calls f with every packet held, oldest first, urgent ones before all
// others.
func (u *IBU) Each(f func(p *packet.Packet)) {
	for i := range u.urgent.count {
		f(&u.urgent.ring[(u.urgent.head+i)%urgentPackets])
	}
	for i := range u.count {
		f(&u.fifo[(u.head+i)%u.fifoCap])
	}
	for i := range u.mibCount {
		f(&u.mib[(u.mibHead+i)%len(u.mib)])
	}
}

// State visits the state. Where in its ring a queue begins is no state.
func (u *IBU) State(c *state.Codec) {
	state.Num(c, &u.count)
	state.Num(c, &u.mibCount)
	u.urgent.state(c)
	if c.Loading() {
		if u.count < 0 || u.count > u.fifoCap || u.mibCount < 0 || u.mibCount > u.mibCap {
			c.Fail("the input buffer holds %d + %d packets", u.count, u.mibCount)
			u.count, u.mibCount = 0, 0
		}
		u.head, u.mibHead = 0, 0
		u.fifo = nil
		if u.count > 0 {
			u.fifo = make([]packet.Packet, u.fifoCap)
		}
		u.mib = nil
		if u.mibCount > 0 {
			u.mib = make([]packet.Packet, u.mibCount)
		}
	}
	u.Each(func(p *packet.Packet) { p.State(c) })
	state.Num(c, &u.doing)
	state.Bool(c, &u.bursting)
	state.Fields(c, &u.Counters)
}
