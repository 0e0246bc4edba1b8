package emcr

// While nothing runs, a program can keep continuations in three places. These
// list what it keeps; em4/leak.go uses them to find which operand segments can still be reached.

// EachPrefetched calls f with the content of each prefetch register in use.
func (p *PE) EachPrefetched(f func(word uint64)) {
	for _, word := range p.prefetch.seg[:p.prefetch.count] {
		f(word)
	}
}

// EachVariable calls f with each word other than 0 outside of the operand
// segments that the program has written: variables and structures.
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

// EachOperandWord calls f with each word other than 0 of the operand segment at
// base, except word 0.
func (p *PE) EachOperandWord(base uint32, f func(word uint64)) {
	for d := uint32(1); d < p.seg.size; d++ {
		if word := p.mem.Read(base + d); word != 0 {
			f(word)
		}
	}
}
