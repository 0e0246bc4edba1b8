package emcr

// Between runs, a program can keep continuations in three places. The methods below list the words in these places.
// em4/leak.go uses them to find the operand segments that are still reachable.

// EachPrefetched calls f with the content of each prefetch register that is in use.
func (p *PE) EachPrefetched(f func(word uint64)) {
	for _, word := range p.prefetch.seg[:p.prefetch.count] {
		f(word)
	}
}

// EachVariable calls f with each nonzero word of variables and structures: the words outside the operand segments and
// the MIB, in all pages that have been written to.
func (p *PE) EachVariable(f func(word uint64)) {
	p.mem.Touched(func(first uint32) {
		page := p.mem.pageAt(first)
		for i, word := range page.word {
			addr := p.mem.addressOf(first + uint32(i))
			if _, operand := p.seg.baseOf(addr); word != 0 && !operand && addr < p.cfg.MIBBase {
				f(word)
			}
		}
	})
}

// EachOperandWord calls f with each nonzero word of the operand segment at base, except word 0.
func (p *PE) EachOperandWord(base uint32, f func(word uint64)) {
	for d := uint32(1); d < p.seg.size; d++ {
		if word := p.mem.Read(base + d); word != 0 {
			f(word)
		}
	}
}
