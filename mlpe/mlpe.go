// Package mlpe computes a PE's load value, and what MLPE packets do to find the
// PE of the least load [003 §4.1]. It has pure functions and no state.
//
//	FIFO, MIB, free operand segments, free structure memory --Load--> 0..F
//	packet [load,[GA,CA]] and a PE's load --Compare--> packet
//
// "While the packet passes the reverse circuit, the load value of each PE is
// compared with the load in the packet's data, and if the PE's load is smaller the
// data are rewritten with its load value and PE number" [003 §4.1].
package mlpe

import "emsim/packet"

// MaxLoad is the load of a PE that must not get more work: "with more functions
// assigned its resources would run out" [003 §4.1].
const MaxLoad = 0xf

// Thresholds of figure 3. Its columns are shifted in the surviving text; this is
// our reading.
const (
	minFreeSegments  = 8    // fewer free operand segments (ESEN) mean load F
	minFreeStructure = 0x16 // fewer free structure words (ESTN) mean load F
)

// Load returns the load value of a PE from the words in its input FIFO, the
// words in its memory input buffer (MIB), its free operand segments (ESEN) and
// its free structure memory in words (ESTN). Of the values that apply the highest
// counts [003 fig. 3].
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

// Payload returns the data of an MLPE packet: a continuation that names the PE of
// the least load so far and holds that load in its address bits.
func Payload(f packet.Format, load uint8, at packet.PE) uint64 {
	return f.Payload(packet.Cont{PE: at, Addr: uint32(load)})
}

// FromPayload returns the inverse of Payload.
func FromPayload(f packet.Format, data uint64) (load uint8, at packet.PE) {
	c := f.Cont(data)
	return uint8(c.Addr), c.PE
}

// Compare returns an MLPE packet's data after it has passed a PE: rewritten if
// that PE's load is smaller, or equal and the comparison not strict. The paper
// says "smaller", but then every search finds its own PE while all loads are 0, as
// at the start [docs/DEVIATIONS.md, "Against the paper's word"].
func Compare(f packet.Format, data uint64, load uint8, at packet.PE, strict bool) uint64 {
	if least, _ := FromPayload(f, data); load < least || load == least && !strict {
		return Payload(f, load, at)
	}
	return data
}
