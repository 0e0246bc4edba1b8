// Package mlpe computes the load value of a PE, and the data of MLPE packets, which find the PE with the least load
// [003 §4.1]. It has pure functions and no state.
//
//	FIFO, MIB, free operand segments, free structure memory --Load--> 0..F
//	packet [load,[GA,CA]] and a PE's load --Compare--> packet
//
// "While the packet passes the reverse circuit, the load value of each PE is compared with the load in the packet's
// data, and if the PE's load is smaller the data are rewritten with its load value and PE number" [003 §4.1].
package mlpe

import "emsim/packet"

// MaxLoad is the load value of a PE that must not get more work: "with more functions assigned its resources would run
// out" [003 §4.1].
const MaxLoad = 0xf

// The thresholds of figure 3. The columns of the figure are shifted in the surviving text; this is our reading.
const (
	minFreeSegments  = 8    // fewer free operand segments (ESEN) mean load F
	minFreeStructure = 0x16 // fewer free structure words (ESTN) mean load F
)

// Load returns the load value of a PE. Its arguments are the words in the input FIFO, the words in the memory input
// buffer (MIB), the free operand segments (ESEN), and the free words of structure memory (ESTN). If several values
// apply, the highest counts [003 fig. 3].
func Load(fifoWords, mibWords, freeSegments, freeStructure int) uint8 {
	if freeSegments < minFreeSegments || freeStructure < minFreeStructure {
		return MaxLoad
	}
	switch {
	case mibWords >= 0x1000:
		return MaxLoad
	case mibWords >= 0x100:
		return 0xc
	case mibWords > 0:
		return uint8(4 + mibWords/0x20)
	case fifoWords >= 0x10:
		return 3
	case fifoWords >= 8:
		return 2
	case fifoWords > 0:
		return 1
	}
	return 0
}

// Payload returns the data of an MLPE packet: a continuation that names the PE with the least load so far, and holds
// that load in its address bits.
func Payload(f packet.Format, load uint8, at packet.PE) uint64 {
	return f.Payload(packet.Cont{PE: at, Addr: uint32(load)})
}

// FromPayload decodes the data of an MLPE packet. It is the inverse of Payload.
func FromPayload(f packet.Format, data uint64) (load uint8, at packet.PE) {
	c := f.Cont(data)
	return uint8(c.Addr), c.PE
}

// Compare returns an MLPE packet's data after the packet has passed a PE. The data are rewritten if that PE's load is
// smaller, or if it is equal and strict is false. The paper says "smaller". But then every search would find its own PE
// while all loads are 0, as at the start [docs/DEVIATIONS.md, "Against the paper's word"].
func Compare(f packet.Format, data uint64, load uint8, at packet.PE, strict bool) uint64 {
	if least, _ := FromPayload(f, data); load < least || load == least && !strict {
		return Payload(f, load, at)
	}
	return data
}
