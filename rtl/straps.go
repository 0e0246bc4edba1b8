package rtl

import (
	"math/bits"

	"emsim/emcr"
	"emsim/omega"
	"emsim/packet"
)

// strapWords is the size of a chip's straps: the inputs that say where it is in
// the network and which knobs its machine has.
const strapWords = 5

// strapList fills straps from their lowest bit on.
type strapList struct {
	words [strapWords]uint32
	at    int
}

func (s *strapList) add(width int, value uint64) {
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

// straps returns those of one chip: cfg_t of emcr_pkg.sv from its last field to
// its first.
func straps(pe packet.PE, k int, n omega.Config, c *emcr.Config) [strapWords]uint32 {
	var s strapList
	s.add(32, c.Seed&0xffffffff)
	s.add(18, uint64(c.MIBBase)&(1<<18-1)) // 0: no word belongs to the MIB
	s.add(16, uint64(c.StructureWords))
	s.add(13, uint64(c.Segments))
	s.add(3, uint64(bits.TrailingZeros32(c.SegmentWords)))
	s.add(18, uint64(c.SegmentBase))
	s.add(1, bit(c.SpillInterrupts))
	s.add(1, bit(c.IBU.RefillBlocksIntake))
	s.add(1, bit(c.IBU.BurstRefill))
	s.add(17, uint64(c.IBU.MIBWords/2))
	s.add(8, uint64(c.IBU.FIFOWords/2))
	s.add(1, bit(n.Compare))
	s.add(2, uint64(n.Banks))
	s.add(4, c.InjectClocks)
	s.add(5, uint64(n.BankClocks))
	s.add(4, uint64(n.HopClocks))
	s.add(4, uint64(k))
	s.add(3, uint64(pe.CA))
	s.add(7, uint64(pe.GA))
	return s.words
}
