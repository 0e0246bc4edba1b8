package ref

import (
	"emsim/isa"
	"emsim/packet"
)

// readSpecial returns the content of a special register. Registers that show time or load have a random possible value.
func (m *Machine) readSpecial(p *pe, s isa.Special) uint64 {
	switch s {
	case isa.SpecialPE:
		return m.continuation(p, 0)
	case isa.SpecialGA:
		return uint64(p.at.GA)
	case isa.SpecialCA:
		return uint64(p.at.CA)
	case isa.SpecialK:
		return uint64(m.k)
	case isa.SpecialClock:
		return m.rng.Uint64()
	case isa.SpecialLoad:
		return m.rng.Uint64N(16)
	case isa.SpecialMLPE:
		if len(p.mlpe) == 0 {
			return 0
		}
		v := p.mlpe[0]
		p.mlpe = p.mlpe[1:]
		m.counts.MLPECalls++
		return v
	case isa.SpecialSegs:
		return uint64(m.Segments - len(p.live))
	case isa.SpecialStrs:
		return uint64(m.StructureWords - m.StructureInUse(p.index))
	case isa.SpecialSeed:
		return m.ProgramSeed
	case isa.SpecialGAPos:
		return uint64(packet.AddrBits + m.format.CABits)
	case isa.SpecialPrefetch:
		return uint64(m.Prefetch)
	}
	panic("ref: unknown special register")
}

// prefetch writes a word to the special register mlpe, as wrs and packets to packet.PrefetchAddr do. A 0 empties the
// register. In a full register, the word replaces the newest one.
func (m *Machine) prefetch(p *pe, v uint64) {
	switch {
	case v == 0:
		p.mlpe = nil
	case len(p.mlpe) < m.Prefetch:
		p.mlpe = append(p.mlpe, v)
	default:
		p.mlpe[len(p.mlpe)-1] = v
	}
}

// leastLoad returns the answer to an MLPE packet: any PE of the reverse circuit, as a continuation whose address bits
// hold a load.
func (m *Machine) leastLoad(p *pe) uint64 {
	at := p.at
	for range m.rng.IntN(m.k + 1) {
		at = m.outOfGroup(at)
	}
	return m.format.Payload(packet.Cont{PE: at, Addr: m.rng.Uint32N(16)})
}

// outOfGroup returns the PE at the out-of-group link. Append the group number's parity bit to the group number to get a
// word of k+1 bits, and rotate it left by the column: the link rotates that word, inverting its low bit before and
// after [derived, topology of 003].
func (m *Machine) outOfGroup(at packet.PE) packet.PE {
	bits := m.k + 1
	rotate := func(w, by int) int { return (w<<by | w>>(bits-by)) & (1<<bits - 1) }
	parity := 0
	for g := int(at.GA); g > 0; g /= 2 {
		parity ^= g & 1
	}
	w := rotate(2*int(at.GA)+parity, int(at.CA))
	w = rotate(w^1, 1) ^ 1
	column := (int(at.CA) + 1) % bits
	w = rotate(w, bits-column)
	return packet.PE{GA: uint16(w / 2), CA: uint8(column)}
}
