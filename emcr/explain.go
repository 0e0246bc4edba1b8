package emcr

import (
	"fmt"

	"emsim/packet"
)

// Waiting is an operand in memory whose partner has not come.
type Waiting struct {
	Segment, Displacement uint32
	Have                  packet.Match
	Data                  uint64
}

// Waiting lists them by address, at most limit.
func (p *PE) Waiting(limit int) []Waiting {
	var list []Waiting
	for i := 0; i < p.seg.fresh && len(list) < limit; i++ {
		base := p.seg.base + uint32(i)*p.seg.size
		if p.mem.Tag(base)/tagWaiter == 0 {
			continue
		}
		for d := uint32(1); d < p.seg.size && len(list) < limit; d++ {
			if tag := p.mem.Tag(base + d); tag != tagEmpty {
				list = append(list, Waiting{base, d, packet.Match(tag), p.mem.Read(base + d)})
			}
		}
	}
	return list
}

// Stuck says what the EXU waits for, or nothing.
func (p *PE) Stuck() string {
	switch p.exu.state {
	case exuOut:
		return fmt.Sprintf("the switch, to take %v", p.pins.Out)
	case exuPort:
		return "the port, on which the host's packet stands"
	case exuRun, exuMemory:
		return fmt.Sprintf("the memory port, at code address %#x", p.exu.pc)
	}
	return ""
}
