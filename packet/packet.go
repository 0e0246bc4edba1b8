// Package packet defines the packets that travel between PEs, the addresses of PEs, and the two words of a packet on a
// port.
//
//	address word   host 1 | type 7 | match 2 | mode 1 | GA 7 | CA 3 | memory address 18   = 39 bits
//	data word      1 | tag 6 | payload 32                                                = 39 bits
//
// The widths suit machines up to k = 7 (1024 PEs); Format widens GA, CA and the payload for larger ones. Inside the
// model a packet is a plain struct; only format.go knows bit positions.
//
// paper: 39-bit ports (derived from 14.63 GB/s, see docs/DEVIATIONS.md); "each PE is addressed by the pair [group
// number, member number in the group]" [003 §3.1]. chosen: the field order.
//
//	packet.go  addresses and packets
//	format.go  words and their bits
//	pins.go    the registers between PE and switch
//	state.go   the state, for hashes and checkpoints
package packet

import (
	"encoding/json"
	"fmt"
	"math"
)

// PE is the address of a processing element: group and member [003 §3.1].
type PE struct {
	GA uint16 // group address, 0..2^k-1
	CA uint8  // column (member) address, 0..k
}

// String returns the address in the notation of the papers: [group,member].
func (p PE) String() string { return fmt.Sprintf("[%d,%d]", p.GA, p.CA) }

// MarshalJSON returns the address as the JSON array [group,member].
func (p PE) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "[%d,%d]", p.GA, p.CA), nil
}

// UnmarshalJSON parses an address that MarshalJSON has written.
func (p *PE) UnmarshalJSON(text []byte) error {
	var at [2]uint16
	if err := json.Unmarshal(text, &at); err != nil {
		return err
	}
	if at[1] > math.MaxUint8 {
		return fmt.Errorf("[%d,%d] is not the address of a PE", at[0], at[1])
	}
	*p = PE{at[0], uint8(at[1])}
	return nil
}

// Kind is a packet's 7-bit type field.
type Kind uint8

// The packet kinds.
const (
	Data Kind = iota // carries an operand to a node, or starts a system block (mode Direct)
	MLPE             // minimum-load packet: goes around the reverse circuit [003 §4.1]

	// The following kinds belong to remedies [003 §5]; each has one bit in the type field.

	MLPEGroup // goes around the group ring
	MLPEBoth  // goes around the reverse circuit, and continues from its own PE as MLPEGroup
	Answer    // Data for a system block, sent by a block that an MLPE packet or another Answer started
	kinds     // number of kinds
)

// Valid reports whether k is one of the kinds above.
func (k Kind) Valid() bool { return k < kinds }

// Search reports whether packets of this kind are minimum-load packets.
func (k Kind) Search() bool { return k == MLPE || k == MLPEGroup || k == MLPEBoth }

// String returns the kind's name in messages and traces.
func (k Kind) String() string {
	if k.Valid() {
		return [kinds]string{"data", "mlpe", "mlpe-group", "mlpe-both", "answer"}[k]
	}
	return fmt.Sprintf("kind%d", uint8(k))
}

// Match is a packet's 2-bit matching condition. It says whether the packet's operand must wait for a partner at its
// node.
type Match uint8

// The matching conditions.
const (
	One   Match = iota // one-operand node: fires at once
	Left               // left operand of a two-operand node
	Right              // right operand of a two-operand node
	Block              // only in a continuation: a system block, for a packet in direct mode
)

// String returns the matching condition's name in messages and traces.
func (m Match) String() string {
	if m <= Block {
		return [...]string{"one", "left", "right", "block"}[m]
	}
	return fmt.Sprintf("match%d", uint8(m))
}

// Packet is a packet of two words. Src and Seq identify it for tracing and conservation checks. They are not on the
// wires, and neither is From.
type Packet struct {
	Data   uint64 // payload, 32 or 64 bits wide (Format.DataBits)
	Addr   uint32 // memory address in words: segment base + displacement, or a code address if Direct
	Src    uint32 // number of the PE that made it; Host for the host
	Seq    uint32 // number among the packets that Src made, from 1; wraps around
	From   uint32 // code address of the instruction that made it, for fault reports
	Dest   PE     // destination
	Kind   Kind   // type field
	Match  Match  // matching condition
	Direct bool   // mode field: Addr is a code address, no operand segment is involved
	ToHost bool   // host flag: the packet leaves the machine at the own-PE port of [0,0]
}

// Host is the Src of packets that the host made.
const Host = ^uint32(0)

// PrefetchAddr is the code address of a packet in direct mode whose data go into the prefetch register, and which does
// not start a block. It is the last address, which no program can use. This is a variant that the paper does not have
// [docs/CALIBRATION.md, "Figure 7"].
const PrefetchAddr = 1<<AddrBits - 1

// FillsPrefetch reports whether the packet's data go into the prefetch register of its
// PE. Such a packet enters neither FIFO nor MIB.
func (p *Packet) FillsPrefetch() bool { return p.Addr == PrefetchAddr && p.Direct }

// The levels of priority [remedy 003 §5]. Each level includes the levels before it.
const (
	NoPriority     = iota
	SearchPriority // MLPE packets go before others
	AnswerPriority // and so do their answers: the requests for a segment that they cause, and the segments
	SystemPriority // and so do all packets for system blocks, including the requests of ordinary calls
	MaxPriority    = SystemPriority
)

// Urgent reports whether the packet goes before other packets if the priority has the given level.
func (p *Packet) Urgent(level int) bool {
	switch level {
	case NoPriority:
		return false
	case SearchPriority:
		return p.Kind.Search()
	case AnswerPriority:
		return p.Kind != Data
	}
	return p.Kind != Data || p.Direct
}

// String returns a description of the packet for traces and error messages.
func (p Packet) String() string {
	if p.ToHost {
		return fmt.Sprintf("host word %d", p.Data)
	}
	where := map[bool]string{true: "entry", false: "node"}[p.Direct]
	return fmt.Sprintf("%s/%s %s %s %#x data %#x", p.Kind, p.Match, p.Dest, where, p.Addr, p.Data)
}
