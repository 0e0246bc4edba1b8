package randprog

import (
	"pgregory.net/rapid"

	"emsim/em4"
	"emsim/internal/base/knob"
	"emsim/packet"
)

// needs maps the knobs that must be large for random programs to their values: a program may send many packets to one
// PE, and get many segments from one. All other knobs have their whole range.
var needs = map[string]int64{
	"mib_words":       1 << 16,
	"segments":        1500, // enough for two runs if all searches end where they began, and for prefetched segments
	"segment_words":   64,   // the largest value
	"structure_words": 1 << 14,
	"memory_words":    1 << packet.AddrBits,
}

// programWords is larger than any random program [chosen].
const programWords = 1 << 13

// Machine draws a machine of pes PEs that can run any random program, with every other EM-4 knob anywhere in its range.
// The knobs affect only timing, not results, except that fewer than omega.Banks banks may lead to a deadlock.
func Machine(t *rapid.T, pes int) em4.Config {
	return AnyMachine(func(key string) knob.Pick {
		return func(n uint64) uint64 { return rapid.Uint64Range(0, n-1).Draw(t, key) }
	}, pes)
}

// AnyMachine works like Machine. The function by returns the source of random numbers for the knob with a key.
func AnyMachine(by func(key string) knob.Pick, pes int) em4.Config {
	c := em4.Prototype80()
	c.PEs, c.MIBWords, c.Segments, c.StructureWords = pes, int(needs["mib_words"]), int(needs["segments"]),
		int(needs["structure_words"])
	for _, r := range knob.Bind(em4.Knobs(), &c) {
		if r.Key == "pes" {
			continue // the caller chooses it
		}
		if least, ok := needs[r.Key]; ok {
			r.Min = least
		}
		if pick := by("short FIFO"); r.Key == "fifo_words" && pick(4) > 0 {
			r.Max = 6 // the input buffer's knobs matter only if it overflows
		}
		old := c
		r.Draw(by(r.Key))
		c.FIFOWords &^= 1
		c.MIBWords &^= 1
		if c.Validate() != nil || c.MemoryWords-c.MIBWords-c.Segments*c.SegmentWords-c.StructureWords < programWords {
			c = old // the value does not fit the others
		}
	}
	return c
}
