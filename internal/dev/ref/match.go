package ref

import (
	"slices"

	"emsim/packet"
)

// operand is an operand that waits in memory for its partner.
type operand struct {
	side packet.Match
	data uint64
}

// extent is an allocated structure.
type extent struct{ start, words uint32 }

// continuation returns the continuation of an address on the same PE.
func (m *Machine) continuation(p *pe, addr uint32) uint64 {
	return m.format.Payload(packet.Cont{PE: p.at, Addr: addr})
}

// segmentOf returns the base of the operand segment that contains an address,
// or 0.
func (m *Machine) segmentOf(addr uint32) uint32 {
	end := m.base.seg + uint32(m.Segments*m.SegmentWords)
	if addr < m.base.seg || addr >= end {
		return 0
	}
	return m.base.seg + (addr-m.base.seg)/uint32(m.SegmentWords)*uint32(m.SegmentWords)
}

// match delivers a packet to its node. The first word of the operand segment gives the code, and the displacement gives
// the instruction in it. The first of two operands waits for the second.
func (m *Machine) match(p *pe, msg message) error {
	base := m.segmentOf(msg.addr)
	called, used := p.live[base]
	if base == 0 || base == msg.addr || !used {
		return p.fault(programError, msg.addr,
			"a packet came for %#x, which is not a node of an operand segment in use", msg.addr)
	}
	if !called {
		p.live[base] = true
		m.counts.Calls++
	}
	left, right := msg.data, uint64(0)
	if msg.match != packet.One {
		first, waits := p.wait[msg.addr]
		switch {
		case !waits:
			p.wait[msg.addr] = operand{msg.match, msg.data}
			return nil
		case first.side == msg.match:
			return p.fault(programError, msg.addr, "a second %v operand came for displacement %d", msg.match,
				msg.addr-base)
		case first.side == packet.Left:
			left, right = first.data, msg.data
		default:
			left, right = msg.data, first.data
		}
		delete(p.wait, msg.addr)
	}
	pc := uint32(m.readWord(p, base)) + (msg.addr - base)
	return m.block(p, pc, left, right, m.continuation(p, base))
}

// getSegment allocates a free operand segment, a released or a new one, as the seed chooses. All its words except the
// first are filled with random values.
func (m *Machine) getSegment(p *pe, template uint64) (base uint32, ok bool) {
	switch n := len(p.freed); {
	case n > 0 && (p.fresh == m.Segments || m.rng.IntN(2) == 0):
		i := m.rng.IntN(n)
		base = p.freed[i]
		p.freed = slices.Delete(p.freed, i, i+1)
	case p.fresh < m.Segments:
		base = m.base.seg + uint32(p.fresh*m.SegmentWords)
		p.fresh++
	default:
		return 0, false
	}
	m.rubbish(p, base, uint32(m.SegmentWords))
	p.mem[base] = template
	p.live[base] = false
	return base, true
}

// releaseSegment frees an operand segment. It returns a fault if the segment is not in use, or if an operand waits in
// it.
func (m *Machine) releaseSegment(p *pe, pc, addr uint32) error {
	if _, used := p.live[addr]; !used {
		return p.fault(programError, pc, "release of %#x, which is not an operand segment in use", addr)
	}
	for d := range uint32(m.SegmentWords) {
		if _, waits := p.wait[addr+d]; waits {
			return p.fault(programError, pc,
				"release of the operand segment at %#x, in which an operand waits at displacement %d", addr, d)
		}
	}
	m.forget(p, addr, uint32(m.SegmentWords))
	delete(p.live, addr)
	p.freed = append(p.freed, addr)
	return nil
}

// getStructure allocates words of structure memory at either end of any gap that is large enough.
func (m *Machine) getStructure(p *pe, words uint64) (start uint32, ok bool) {
	if words == 0 || words > uint64(m.StructureWords) {
		return 0, false
	}
	n := uint32(words)
	var places []uint32
	from := m.base.str
	for _, e := range append(slices.Clone(p.str), extent{start: m.base.str + uint32(m.StructureWords)}) {
		if e.start-from >= n {
			places = append(places, from, e.start-n)
		}
		from = e.start + e.words
	}
	if len(places) == 0 {
		return 0, false
	}
	start = places[m.rng.IntN(len(places))]
	p.str = append(p.str, extent{start, n})
	slices.SortFunc(p.str, func(a, b extent) int { return int(a.start) - int(b.start) })
	m.rubbish(p, start, n)
	return start, true
}

// releaseStructure frees a structure. It returns a fault if no structure begins at the address.
func (m *Machine) releaseStructure(p *pe, pc, addr uint32) error {
	i := slices.IndexFunc(p.str, func(e extent) bool { return e.start == addr })
	if i < 0 {
		return p.fault(programError, pc, "release of %#x, where no structure begins", addr)
	}
	m.forget(p, addr, p.str[i].words)
	p.str = slices.Delete(p.str, i, i+1)
	return nil
}

// rubbish fills words with random values; a program must write them before it reads them.
func (m *Machine) rubbish(p *pe, from, words uint32) {
	for a := from; a < from+words; a++ {
		p.mem[a] = m.truncate(m.rng.Uint64())
	}
}

func (m *Machine) forget(p *pe, from, words uint32) {
	for a := from; a < from+words; a++ {
		delete(p.mem, a)
	}
}

// readWord returns a word, whether or not the program owns it.
func (m *Machine) readWord(p *pe, addr uint32) uint64 {
	if v, ok := p.mem[addr]; ok {
		return v
	}
	if int(addr) < len(m.words) {
		return m.truncate(m.loaded(p, addr))
	}
	return 0
}

// owned reports whether the program may currently load and store at an address.
func (m *Machine) owned(p *pe, addr uint32) bool {
	if int(addr) < len(m.words) {
		return true
	}
	if base := m.segmentOf(addr); base != 0 {
		_, used := p.live[base]
		_, waits := p.wait[addr]
		return used && !waits
	}
	return slices.ContainsFunc(p.str, func(e extent) bool { return addr-e.start < e.words })
}
