package trace

import (
	"fmt"

	"emsim/packet"
)

// Unit is the unit in which something happens.
type Unit uint8

// The units.
const (
	PE   Unit = iota // the PE as a whole
	SU               // switching unit
	IBU              // input buffer unit
	FMU              // fetch and matching unit
	EXU              // execution unit
	Host             // on the own-PE port of [0,0]
	Units
)

var unitNames = [Units]string{"PE", "SU", "IBU", "FMU", "EXU", "host"}

// String returns the name that the papers use for the unit.
func (u Unit) String() string { return nameOf(unitNames[:], u, "unit") }

// nameOf returns the name of n in a list. If the list is too short, it returns `what` and n.
func nameOf[N ~uint8](names []string, n N, what string) string {
	if int(n) < len(names) {
		return names[n]
	}
	return fmt.Sprintf("%s%d", what, uint8(n))
}

// The slots of a switching unit: three banks per network input, and the register in which its EXU (or the host) holds a
// packet.
const (
	Banks   = 3
	OwnSlot = 2 * Banks
	Slots   = OwnSlot + 1
)

// The ports of a switching unit.
const (
	InGroup uint8 = iota
	OutGroup
	Own
)

var portNames = [...]string{"in_group", "out_of_group", "own"}

// PortName returns a port's name.
func PortName(port uint8) string { return nameOf(portNames[:], port, "port") }

// SlotName returns the name of a switching unit's slot: in_group_0, ..., own.
func SlotName(slot uint8) string {
	if slot == OwnSlot {
		return PortName(Own)
	}
	return fmt.Sprintf("%s_%d", PortName(slot/Banks), slot%Banks)
}

// Level is a quantity of a PE at the start of a clock.
type Level uint8

// The levels.
const (
	FIFOWords Level = iota // words in the input FIFO, without urgent packets
	MIBWords               // words in the memory input buffer
	Load                   // load value 0..F [003 fig. 3]
	Operands               // operands waiting in memory for their partners
	Segments               // operand segments in use
	Levels
)

var levelNames = [Levels]string{"fifo", "mib", "load", "operands", "segments"}

// String returns the level's name.
func (l Level) String() string { return nameOf(levelNames[:], l, "level") }

// Kind is the kind of an event.
type Kind uint8

// The kinds of events, with the fields of Event that they use in addition to Clock, PE, Unit and Packet.
const (
	Entered   Kind = iota // host: it put a packet on the own port of [0,0]
	Left                  // host: a word left the machine; Value is the word
	Made                  // EXU: it made a packet; PC is the address of the send
	Moved                 // SU: a packet moved from input In to output Out
	Rewritten             // SU: an MLPE packet took over this PE's load; Packet is the old packet, Value its new data
	Queued                // IBU: a packet entered the FIFO or the urgent queue
	Spilled               // IBU: a packet was written to the MIB
	Refilled              // IBU: a packet was read back from the MIB into the FIFO
	Filled                // IBU: a packet filled the prefetch register, which consumed it
	Taken                 // FMU: it took a packet
	Stored                // FMU: the operand now waits in memory for its partner
	Matched               // FMU: the operand met Partner, which had waited for it
	Fired                 // FMU: the node at PC has all its operands
	Begun                 // EXU: the block at PC begins, started by Packet and Partner
	Fetched               // EXU: it executes the instruction at PC
	Ended                 // EXU: the block ends with this clock
	Faulted               // PE: the machine stops; Text says why
	Changed               // Unit, or the SU's Slot, has a new Status; since clock Since it had the status Was
	Levelled              // the Level of a PE is now Value
	kinds
)

var kindNames = [kinds]string{
	"enter", "leave", "send", "move", "rewrite", "queue", "spill", "refill", "fill", "take", "store",
	"match", "fire", "begin", "instr", "end", "fault", "status", "level",
}

// String returns the kind's name in text traces.
func (k Kind) String() string { return nameOf(kindNames[:], k, "kind") }

// ID identifies a packet by the number of the PE that made it (packet.Host for the host), and the packet's number among
// that PE's packets, from 1. The zero ID stands for no packet.
type ID struct{ Src, Seq uint32 }

// IDOf returns a packet's identity.
func IDOf(p *packet.Packet) ID { return ID{p.Src, p.Seq} }

// None reports whether the ID stands for no packet.
func (id ID) None() bool { return id.Seq == 0 }

// Event is something that happened in one clock.
type Event struct {
	Clock   uint64
	Since   uint64
	Value   uint64
	Text    string
	Packet  packet.Packet // Seq is 0 if there is no packet
	Partner ID
	PE      uint32 // number of the PE
	PC      uint32
	Unit    Unit
	Kind    Kind
	Status  Status
	Was     Status
	Level   Level
	Slot    uint8 // of the SU
	In, Out uint8 // ports of the SU
}

// Sink receives events. The events arrive in the order of their clocks. Within a clock, their order is the same in
// every run.
type Sink interface {
	// Event receives one event; the sink must not keep e.
	Event(e *Event)
	// Close completes the file. end is the first clock that was not watched. Close returns the first error that
	// occurred while writing.
	Close(end uint64) error
}

// Func is a Sink that calls a function with every event.
type Func func(e *Event)

// Event calls the function.
func (f Func) Event(e *Event) { f(e) }

// Close does nothing.
func (f Func) Close(uint64) error { return nil }

// Info is the information about the machine and its program that a sink needs.
type Info struct {
	Title  string      // program and machine
	Recipe string      // how to reproduce the trace, in one line; "" if unknown
	PEs    []packet.PE // addresses by number
	Traced []int       // numbers of the watched PEs, ascending
	From   uint64      // first clock
	// Where returns the name of a code address, and Instr its disassembly.
	Where, Instr func(pc uint32) string
}

// PacketName returns the short name of a packet in traces: [1,2].3 is the third packet that PE [1,2] made. It returns
// "-" for no packet.
func (i *Info) PacketName(id ID) string {
	switch {
	case id.None():
		return "-"
	case id.Src == packet.Host:
		return fmt.Sprintf("host.%d", id.Seq)
	}
	return fmt.Sprintf("%v.%d", i.PEs[id.Src], id.Seq)
}
