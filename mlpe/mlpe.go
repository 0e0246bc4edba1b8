// Package mlpe is the estimation of a PE's load and the search for the least
// one by MLPE packets [003 §4.1]: pure functions, no state.
//
//	FIFO, MIB, free instances, free structure memory --Load--> 0..F
//	packet [load,[GA,CA]] and a PE's load --Compare--> packet
package mlpe

import "emsim/packet"

// MaxLoad is the load of a PE that must not get anything more.
const MaxLoad = 0xf

// Thresholds of figure 3, whose columns are shifted in the text that has come
// down to us; this is our reading.
const (
	minFreeSegments  = 8    // fewer free operand segments (ESEN) mean load F
	minFreeStructure = 0x16 // fewer free structure words (ESTN) mean load F
)

// Load returns the load value of a PE from the words in its input FIFO, the
// words in its memory input buffer (MIB), its free operand segments (ESEN) and
// its free structure memory in words (ESTN). The highest that applies counts
// [003 fig. 3].
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

// Payload is the data of an MLPE packet: the PE of the least load so far as a
// continuation whose address bits hold that load.
func Payload(f packet.Format, load uint8, at packet.PE) uint64 {
	return f.Payload(packet.Cont{PE: at, Addr: uint32(load)})
}

// Read is the inverse of Payload.
func Read(f packet.Format, data uint64) (load uint8, at packet.PE) {
	c := f.Cont(data)
	return uint8(c.Addr), c.PE
}

// Compare is what happens to an MLPE packet's data at a PE that it passes:
// rewritten unless that PE's load is larger. The paper says "smaller"; but then
// every PE finds itself at the start, when all loads are 0, and fib(20) on the
// line with MLPE takes 3.8 ms instead of the paper's 2.63 [guided: 003 table 2].
func Compare(f packet.Format, data uint64, load uint8, at packet.PE) uint64 {
	if least, _ := Read(f, data); load <= least {
		return Payload(f, load, at)
	}
	return data
}
