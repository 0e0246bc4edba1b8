package ensemble

import (
	"math"
	"runtime/metrics"

	"emsim/internal/base/room"
)

// assumed is the memory of a computer that does not say how much it has.
const assumed = 4 << 30

// Memory is how many bytes all machines together may take: three quarters of
// what is left.
func Memory() uint64 {
	left, _ := room.BytesLeft()
	if left == math.MaxUint64 {
		left = assumed
	}
	return left / 4 * 3
}

// heapBytes is what the process's data take now, some of which may be garbage.
func heapBytes() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
