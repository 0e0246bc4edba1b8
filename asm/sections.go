package asm

// addWords appends words to the object, to its last section if they can join
// it.
func (o *Object) addWords(kind SectionKind, addr, size uint32, words []uint64) {
	if n := len(o.Sections); n > 0 {
		if s := &o.Sections[n-1]; s.Kind == kind && s.End() == addr {
			s.Size += size
			s.Words = append(s.Words, words...)
			return
		}
	}
	s := Section{Kind: kind, Start: addr, Size: size}
	if kind != Space {
		s.Words = append(s.Words, words...)
	}
	o.Sections = append(o.Sections, s)
}
