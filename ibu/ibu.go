// Package ibu is the input buffer unit of a PE: the on-chip FIFO and, when it overflows, the memory input buffer (MIB)
// in the PE's external memory.
//
//	SU --In--> intake --+------------------> FIFO --Head--> FMU
//	                    |                      ^
//	                    +--spill--> MIB --refill
//	                    |
//	                    +--> prefetch register (a variant: packet.PrefetchAddr)
//
// "The IBU contains a two-port RAM of 32 words, so that the FIFO is fast. When this FIFO overflows, packets are moved
// to a buffer in external memory (MIB), and read back into the FIFO when needed" [003 §2].
//
//	ibu.go    the unit
//	counters.go  statistics
//	urgent.go a queue for urgent packets, which the FMU takes first (a remedy)
//	lazy.go   the simulator's part: shortcuts for clocks that can be skipped
//	check.go  invariants of the state
//
// paper: the above; 4 memory clocks per spilled packet [003 §4.2]; an MIB of 8192 words [003 fig. 3]. chosen: strict
// arrival order (every packet goes to the MIB while the MIB holds any), whether a spill or a refill goes first, refill
// of one packet or a burst.
package ibu

import (
	"fmt"

	"emsim/internal/base/state"
	"emsim/packet"
)

// PacketWords is the size of a packet in FIFO and MIB. It is also the number of clocks of the memory port that a spill
// or a refill takes: together "an overhead of 4 clocks per packet" [003 §4.2].
const PacketWords = 2

// Config holds the parameters of the buffer.
type Config struct {
	FIFOWords          int  // on-chip FIFO, even, 2..8192 words [003 §2: 32]
	MIBWords           int  // memory input buffer, even, 0..131072 words [003 fig. 3: 8192]
	BurstRefill        bool // a refill continues until the FIFO is full; otherwise it is one packet if it is empty
	RefillBlocksIntake bool // a due refill goes before a spill; otherwise the spill goes first
	Priority           int  // priority level 0..3, which decides which packets are Urgent and go first [remedy 003 §5]
}

// Validate checks that every parameter is in its range.
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

// Op is the operation for which the IBU requests the memory port.
type Op uint8

// The operations.
const (
	None   Op = iota
	Spill     // a packet from the intake to the MIB
	Refill    // a packet from the MIB to the FIFO
	Full      // a spill is due, but the MIB is full: a mib_overflow
)

// UsesMemory reports whether the operation needs the memory port.
func (o Op) UsesMemory() bool { return o == Spill || o == Refill }

// IBU is the input buffer of one PE. Init makes it ready. The fields that every event needs come first, so that they
// share one of the host's cache lines.
type IBU struct {
	fifo      []packet.Packet // ring, allocated when first needed: most PEs of a large machine never receive a packet
	fifoHead  int
	fifoCount int
	fifoCap   int // in packets
	mibCount  int
	transfer  Op   // spill or refill whose first word has been transferred
	bursting  bool // a burst of refills has begun and the FIFO is not full yet

	burstRefill, refillFirst bool

	Counters
	urgent urgentQueue

	mib     []packet.Packet // ring, grown when first needed
	mibHead int
	mibCap  int // in packets
}

// Init makes the buffer empty and sets its parameters.
func (u *IBU) Init(c Config) {
	*u = IBU{
		burstRefill: c.BurstRefill, refillFirst: c.RefillBlocksIntake, mibCap: c.MIBWords / PacketWords,
		fifoCap: c.FIFOWords / PacketWords, urgent: urgentQueue{level: c.Priority},
	}
	if c.Priority != 0 {
		u.urgent.ring = make([]packet.Packet, urgentPackets)
	}
}

// Head returns the packet that the FMU takes next: the oldest urgent one, or else the oldest in the FIFO. It returns
// nil if the buffer has no packet for the FMU.
func (u *IBU) Head() *packet.Packet {
	if u.urgent.count > 0 {
		return &u.urgent.ring[u.urgent.head]
	}
	if u.fifoCount == 0 {
		return nil
	}
	return &u.fifo[u.fifoHead]
}

// Last returns the newest packet in the FIFO, or nil if the FIFO is empty.
func (u *IBU) Last() *packet.Packet {
	if u.fifoCount == 0 {
		return nil
	}
	return &u.fifo[(u.fifoHead+u.fifoCount-1)%u.fifoCap]
}

// FIFOWords returns the number of words in the FIFO.
func (u *IBU) FIFOWords() int { return u.fifoCount * PacketWords }

// MIBWords returns the number of words in the memory input buffer.
func (u *IBU) MIBWords() int { return u.mibCount * PacketWords }

// Empty reports whether the buffer holds no packet.
func (u *IBU) Empty() bool { return u.fifoCount == 0 && u.mibCount == 0 && u.urgent.count == 0 }

// firstWord transfers the first word of a spill or refill.
func (u *IBU) firstWord(o Op) {
	u.transfer = o
	u.bursting = u.burstRefill && o == Refill || u.bursting
}

// secondWord transfers the second word of a spill or refill, after which the packet is in its new place.
func (u *IBU) secondWord(pins *packet.Pins) {
	o := u.transfer
	u.transfer = None
	if o == Spill {
		u.pushMIB(&pins.In)
		pins.InFull = false
		return
	}
	u.pushFIFO(&u.mib[u.mibHead])
	u.mibCount--
	if u.mibHead++; u.mibHead == len(u.mib) || u.mibCount == 0 {
		u.mibHead = 0
	}
	if u.mibCount == 0 || u.fifoCount == u.fifoCap {
		u.bursting = false
	}
}

// TransferName returns "spill" or "refill" if the first word of that transfer is done and the second is not. Otherwise
// it returns "".
func (u *IBU) TransferName() string {
	return [...]string{Spill: "spill", Refill: "refill", Full: ""}[u.transfer]
}

// InProgress returns the spill or refill whose first word is done, or None, and
// whether a burst of refills is in progress.
func (u *IBU) InProgress() (o Op, burst bool) { return u.transfer, u.bursting }

// nextOp returns the operation for which the IBU requests the memory port, given the state at the clock's start.
// arrivedQ says whether a packet for FIFO or MIB is in the intake.
func (u *IBU) nextOp(arrivedQ bool) Op {
	if u.transfer != None {
		return u.transfer
	}
	spill := arrivedQ && (u.mibCount > 0 || u.fifoCount == u.fifoCap)
	refill := u.mibCount > 0 && (u.fifoCount == 0 || u.bursting)
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

// Request returns the operation for which the IBU requests the memory port in clock t.
func (u *IBU) Request(pins *packet.Pins, t uint64) Op {
	return u.nextOp(u.arrivedQ(pins, t))
}

// arrivedQ reports whether a packet for FIFO or MIB is in the intake at the start
// of clock t.
func (u *IBU) arrivedQ(pins *packet.Pins, t uint64) bool {
	return pins.InFull && pins.InReady <= t && !pins.In.FillsPrefetch() && !(u.urgent.level != 0 && u.takesUrgent(pins))
}

// FillsQ reports whether the packet in the intake goes into the prefetch register in clock t. Such a packet bypasses
// FIFO and MIB, in the clock in which it can be used, and the PE then empties the intake.
func (u *IBU) FillsQ(pins *packet.Pins, t uint64) bool {
	return pins.InFull && pins.InReady <= t && pins.In.FillsPrefetch()
}

// Step simulates clock t. memory says whether the IBU has the memory port, and pop whether the FMU takes the head
// packet. Step returns false if a packet must be spilled but the MIB is full.
func (u *IBU) Step(pins *packet.Pins, t uint64, memory, pop bool) bool {
	arrivedQ := u.arrivedQ(pins, t)
	urgentQ := !arrivedQ && pins.InFull && pins.InReady <= t && !pins.In.FillsPrefetch()
	fifoFullQ := u.fifoCount == u.fifoCap
	op := None
	if arrivedQ || u.mibCount > 0 || u.transfer != None {
		op = u.nextOp(arrivedQ)
	}
	if pop {
		u.pop()
	}
	if urgentQ {
		u.urgent.push(pins.In)
		pins.InFull = false
	}
	if arrivedQ && op != Spill && u.mibCount == 0 && !fifoFullQ {
		u.pushFIFO(&pins.In)
		pins.InFull = false
	}
	switch {
	case op == Full:
		return false
	case memory && u.transfer == None:
		u.firstWord(op)
	case memory:
		u.secondWord(pins)
	}
	return true
}

// pop removes the packet that Head returns.
func (u *IBU) pop() {
	if u.urgent.count > 0 {
		u.urgent.pop()
		return
	}
	u.fifoCount--
	// Restart at slot 0 when the queue empties, so that a short queue stays in one cache line. Do not reuse the slot
	// just emptied: the FMU still reads it in this clock.
	if u.fifoHead++; u.fifoHead == u.fifoCap || u.fifoCount == 0 && u.fifoHead > 1 {
		u.fifoHead = 0
	}
}

func (u *IBU) pushFIFO(p *packet.Packet) {
	if u.fifoCount == u.fifoCap {
		panic(fmt.Sprintf("ibu: %v arrives at a full FIFO", p))
	}
	if u.fifo == nil {
		u.fifo = make([]packet.Packet, u.fifoCap)
	}
	tail := u.fifoHead + u.fifoCount
	if tail >= u.fifoCap {
		tail -= u.fifoCap
	}
	u.fifo[tail] = *p
	u.fifoCount++
	u.FIFOPeak = max(u.FIFOPeak, uint64(u.FIFOWords()))
}

// pushMIB appends a packet to the MIB's ring. The ring doubles its size when it is full, because most PEs never fill
// their MIB.
func (u *IBU) pushMIB(p *packet.Packet) {
	if u.mibCount == u.mibCap {
		panic(fmt.Sprintf("ibu: %v arrives at a full MIB", p))
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

// Each calls f with every packet in the buffer: first the urgent packets, then the packets in the FIFO and in the MIB,
// each oldest first.
func (u *IBU) Each(f func(p *packet.Packet)) {
	for i := range u.urgent.count {
		f(&u.urgent.ring[(u.urgent.head+i)%urgentPackets])
	}
	for i := range u.fifoCount {
		f(&u.fifo[(u.fifoHead+i)%u.fifoCap])
	}
	for i := range u.mibCount {
		f(&u.mib[(u.mibHead+i)%len(u.mib)])
	}
}

// State visits the state, without the positions of the rings' heads: queues with equal contents have equal states.
func (u *IBU) State(c *state.Codec) {
	c.In("IBU")
	state.Num(c, &u.fifoCount)
	state.Num(c, &u.mibCount)
	u.urgent.state(c)
	if c.Loading() {
		if u.fifoCount < 0 || u.fifoCount > u.fifoCap || u.mibCount < 0 || u.mibCount > u.mibCap {
			c.Fail("the input buffer holds %d + %d packets", u.fifoCount, u.mibCount)
			u.fifoCount, u.mibCount = 0, 0
		}
		u.fifoHead, u.mibHead = 0, 0
		u.fifo = nil
		if u.fifoCount > 0 {
			u.fifo = make([]packet.Packet, u.fifoCap)
		}
		u.mib = nil
		if u.mibCount > 0 {
			u.mib = make([]packet.Packet, u.mibCount)
		}
	}
	u.Each(func(p *packet.Packet) { p.State(c) })
	state.Num(c, &u.transfer)
	state.Bool(c, &u.bursting)
	c.In("statistics")
	state.Fields(c, &u.Counters)
}
