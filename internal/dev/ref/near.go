package ref

import (
	"emsim/isa"
	"emsim/packet"
)

// near returns the PE that is some steps away in an order. It takes the steps one at a time. All orders except the last
// are circuits whose length divides the number of PEs, so a step back equals the remaining steps forward. The last
// order is a list of all PEs.
func (m *Machine) near(at packet.PE, r isa.Relation) packet.PE {
	pes, members := len(m.pe), m.k+1
	for n := range (r.Steps%pes + pes) % pes {
		column, rest := int(at.CA), 1<<(m.k+1)>>int(at.CA)
		switch {
		case r.Order == isa.OrderOut, r.Order == isa.OrderLine && column > 0 && int(at.GA) < rest:
			at = m.outOfGroup(at)
			continue
		case r.Order == isa.OrderNumber && column == m.k, r.Order == isa.OrderAll && n%members == members-1:
			at.GA = uint16((int(at.GA) + 1) % (1 << m.k))
		}
		at.CA = uint8((column + 1) % members)
	}
	return at
}

// loaded returns a word of the program as the loader puts it into a PE's memory.
func (m *Machine) loaded(p *pe, addr uint32) uint64 {
	if in, ok := m.code[addr]; ok && in.Op == isa.MOVPE {
		to := m.near(p.at, in.Relation())
		number := uint64(to.GA)<<m.format.CABits + uint64(to.CA)
		return m.words[addr]>>24<<24 + number
	}
	return m.words[addr]
}
