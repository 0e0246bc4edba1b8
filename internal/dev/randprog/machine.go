package randprog

import (
	"pgregory.net/rapid"

	"emsim/em4"
	"emsim/internal/base/knob"
	"emsim/packet"
)

// needs are the knobs of which a random program wants more than a sensible one:
// it may send many packets to one PE, and get many segments from one. The other
// knobs have their whole range.
var needs = map[string]int64{
	"mib_words":       1 << 16,
	"segments":        1500, // searches that never leave home, and prefetched segments that are not taken, in two runs
	"segment_words":   64,   // the most there are
	"structure_words": 1 << 14,
	"memory_words":    1 << packet.AddrBits,
}

// programWords is more than any random program needs [chosen].
const programWords = 1 << 13

// Machine draws a machine of pes PEs that holds any random program: every
// knob of the EM-4 has any value of its range. They change when things happen,
// never what, except that fewer than omega.Banks banks may lead to a deadlock.
func Machine(t *rapid.T, pes int) em4.Config {
	return AnyMachine(func(key string) knob.Pick {
		return func(n uint64) uint64 { return rapid.Uint64Range(0, n-1).Draw(t, key) }
	}, pes)
}

// AnyMachine works as Machine with random numbers of another kind, by the knob's key.
func AnyMachine(by func(key string) knob.Pick, pes int) em4.Config {
	c := em4.Prototype80()
	c.PEs, c.MIBWords, c.Segments, c.StructureWords = pes, int(needs["mib_words"]), int(needs["segments"]),
		int(needs["structure_words"])
	for _, r := range knob.Bind(em4.Knobs(), &c) {
		if r.Key == "pes" {
			continue // the caller's
		}
		if least, ok := needs[r.Key]; ok {
			r.Min = least
		}
		if pick := by("short FIFO"); r.Key == "fifo_words" && pick(4) > 0 {
			r.Max = 6 // the knobs of the input buffer matter where it overflows
		}
		old := c
		r.Draw(by(r.Key))
		c.FIFOWords &^= 1
		c.MIBWords &^= 1
		if c.Validate() != nil || c.MemoryWords-c.MIBWords-c.Segments*c.SegmentWords-c.StructureWords < programWords {
			c = old // does not go with the others
		}
	}
	return c
}
