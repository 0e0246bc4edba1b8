package rtl

import (
	"math/bits"

	"emsim/emcr"
	"emsim/omega"
	"emsim/packet"
)

// strapWords is the size of a chip's straps in words. Straps are inputs that give the chip its place in the network and
// the knobs of its machine.
const strapWords = 6

// strapList collects straps, from the lowest bit on.
type strapList struct {
	words [strapWords]uint32
	at    int
}

func (s *strapList) addStrap(width int, value uint64) {
	if value>>width != 0 {
		panic("rtl: a strap is too narrow for a machine of this size")
	}
	for i := range width {
		if value>>i&1 == 1 {
			s.words[(s.at+i)/32] |= 1 << ((s.at + i) % 32)
		}
	}
	s.at += width
}

// straps returns the straps of one chip: cfg_t of emcr_pkg.sv, from its last field to its first.
func straps(pe packet.PE, k int, n omega.Config, c *emcr.Config) [strapWords]uint32 {
	var s strapList
	s.addStrap(32, c.Seed&0xffffffff)
	s.addStrap(18, uint64(c.MIBBase)&(1<<18-1)) // 0 means that no word belongs to the MIB
	s.addStrap(16, uint64(c.StructureWords))
	s.addStrap(13, uint64(c.Segments))
	s.addStrap(3, uint64(bits.TrailingZeros32(c.SegmentWords)))
	s.addStrap(18, uint64(c.SegmentBase))
	s.addStrap(2, uint64(c.GetsegClocks-1))
	s.addStrap(1, boolBit(c.MatchClocks > emcr.MinMatchClocks))
	s.addStrap(1, boolBit(c.SpillInterrupts))
	s.addStrap(1, boolBit(c.IBU.RefillBlocksIntake))
	s.addStrap(1, boolBit(c.IBU.BurstRefill))
	s.addStrap(17, uint64(c.IBU.MIBWords/2))
	s.addStrap(8, uint64(c.IBU.FIFOWords/2))
	s.addStrap(1, boolBit(c.LoadCountsExecution))
	s.addStrap(1, boolBit(n.Fair))
	s.addStrap(1, boolBit(n.Strict))
	s.addStrap(1, boolBit(n.Compare))
	s.addStrap(2, uint64(n.Banks))
	s.addStrap(4, c.InjectClocks)
	s.addStrap(5, uint64(n.BankClocks))
	s.addStrap(4, uint64(n.HopClocks))
	s.addStrap(4, uint64(k))
	s.addStrap(3, uint64(pe.CA))
	s.addStrap(7, uint64(pe.GA))
	return s.words
}
