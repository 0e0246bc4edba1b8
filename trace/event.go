package trace

import (
	"fmt"

	"emsim/packet"
)

// Unit is where something happens.
type Unit uint8

// The units.
const (
	PE   Unit = iota // the PE as a whole
	SU               // switching unit
	IBU              // input buffer unit
	FMU              // fetch and matching unit
	EXU              // execution unit
	Host             // at the own-PE port of [0,0]
	Units
)

// String names the unit as the papers do.
func (u Unit) String() string {
	if u < Units {
		return [...]string{"PE", "SU", "IBU", "FMU", "EXU", "host"}[u]
	}
	return fmt.Sprintf("unit%d", uint8(u))
}

// The places of a switching unit: three banks behind each network input, and
// the register on which the own EXU (or the host) holds a packet.
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

// PortName names a port.
func PortName(port uint8) string {
	if port <= Own {
		return [...]string{"in_group", "out_of_group", "own"}[port]
	}
	return fmt.Sprintf("port%d", port)
}

// SlotName names a place of a switching unit: in_group_0, ..., own.
func SlotName(slot uint8) string {
	if slot == OwnSlot {
		return PortName(Own)
	}
	return fmt.Sprintf("%s_%d", PortName(slot/Banks), slot%Banks)
}

// Level is a number that a PE holds at the start of a clock.
type Level uint8

// The levels.
const (
	FIFOWords Level = iota // words in the input FIFO, without urgent packets
	MIBWords               // words in the memory input buffer
	Load                   // load value 0..F [003 fig. 3]
	Operands               // operands that wait in memory for their partners
	Segments               // operand segments in use
	Levels
)

// String names the level.
func (l Level) String() string {
	if l < Levels {
		return [...]string{"fifo", "mib", "load", "operands", "segments"}[l]
	}
	return fmt.Sprintf("level%d", uint8(l))
}

// Kind is what happened.
type Kind uint8

// The kinds of events, with the fields of Event that they use beside Clock,
// PE, Unit and Packet.
const (
	Entered   Kind = iota // host: a packet stands on the own port of [0,0]
	Left                  // host: a word left the machine; Value is the word
	Made                  // EXU: a packet was made; PC of its send
	Moved                 // SU: a packet went from input In to output Out
	Rewritten             // SU: an MLPE packet took over this PE's load; Packet as it was, Value its new data
	Queued                // IBU: a packet came into the FIFO, or into the queue of urgent ones
	Spilled               // IBU: a packet went to the MIB
	Refilled              // IBU: a packet came from the MIB into the FIFO
	Taken                 // FMU: takes a packet
	Stored                // FMU: the operand waits in memory for its partner
	Matched               // FMU: the operand and Partner, which waited, are together
	Fired                 // FMU: the node at PC has all its operands
	Begun                 // EXU: the block at PC begins, by Packet and Partner
	Fetched               // EXU: executes the instruction at PC
	Ended                 // EXU: the block ends with this clock
	Faulted               // PE: the machine stops; Text says why
	Changed               // Unit, or the SU's Slot, has a new Status; it had Was since the clock Since
	Levelled              // the Level of a PE is Value now
	kinds
)

// String names the kind, as in the text form.
func (k Kind) String() string {
	if k < kinds {
		return [...]string{
			"enter", "leave", "send", "move", "rewrite", "queue", "spill", "refill", "take", "store",
			"match", "fire", "begin", "instr", "end", "fault", "status", "level",
		}[k]
	}
	return fmt.Sprintf("kind%d", uint8(k))
}

// ID identifies a packet: the number of the PE that made it (packet.Host for
// the host) and its number among those, from 1. The zero ID is no packet.
type ID struct{ Src, Seq uint32 }

// IDOf returns a packet's identity.
func IDOf(p *packet.Packet) ID { return ID{p.Src, p.Seq} }

// None reports that there is no packet.
func (id ID) None() bool { return id.Seq == 0 }

// Event is one thing that happened in one clock.
type Event struct {
	Clock   uint64
	Since   uint64
	Value   uint64
	Text    string
	Packet  packet.Packet // Seq 0: none
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

// Sink writes events somewhere. They come in the order of their clocks, and
// for one clock in an order that is the same in every run.
type Sink interface {
	// Event writes one; it must not keep e.
	Event(e *Event)
	// Close finishes the file; end is the first clock that was not watched.
	// It returns the first error that occurred in writing.
	Close(end uint64) error
}

// Func is a Sink that calls a function with every event.
type Func func(e *Event)

// Event calls the function.
func (f Func) Event(e *Event) { f(e) }

// Close does nothing.
func (f Func) Close(uint64) error { return nil }

// Info is what a sink has to know about the machine and its program.
type Info struct {
	Title  string      // what ran on which machine
	PEs    []packet.PE // addresses by number
	Traced []int       // numbers of the PEs that are watched, ascending
	From   uint64      // first clock
	// Where names a code address, Instr disassembles it.
	Where, Instr func(pc uint32) string
}

// PacketName is the short name of a packet in traces: [1,2].3 is the third
// that PE [1,2] made. Without a packet it is "-".
func (i *Info) PacketName(id ID) string {
	switch {
	case id.None():
		return "-"
	case id.Src == packet.Host:
		return fmt.Sprintf("host.%d", id.Seq)
	}
	return fmt.Sprintf("%v.%d", i.PEs[id.Src], id.Seq)
}
