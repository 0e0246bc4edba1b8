package emcr

import (
	"slices"

	"emsim/internal/state"
)

// segments hands out operand segments. Released ones form a list through
// their words 0; those never used come after them.
type segments struct {
	base  uint32 // address of the first one
	size  uint32 // words of one, a power of two
	total int
	used  int
	fresh int    // how many were ever used
	free  uint32 // address of the first released one, 0 for none

	Peak int // most segments in use at once
}

// of returns the base of the segment that an address lies in.
func (s *segments) of(addr uint32) (base uint32, ok bool) {
	// Segments are aligned to their size; the difference wraps for lower
	// addresses.
	return addr &^ (s.size - 1), addr-s.base < uint32(s.total)*s.size
}

// get takes a segment and names its template in word 0. It returns false when
// all are in use.
func (s *segments) get(m *Memory, template uint32) (base uint32, ok bool) {
	switch {
	case s.free != 0:
		base = s.free
		s.free = uint32(m.Read(base))
	case s.fresh < s.total:
		base = s.base + uint32(s.fresh)*s.size
		s.fresh++
	default:
		return 0, false
	}
	m.Write(base, uint64(template))
	m.SetTag(base, tagFresh)
	s.used++
	s.Peak = max(s.Peak, s.used)
	return base, true
}

// intact reports whether the next released segment is one. The list runs
// through memory words that a program can store to.
func (s *segments) intact(m *Memory) bool {
	base, inside := s.of(s.free)
	return s.free == 0 || inside && base == s.free && (base-s.base)/s.size < uint32(s.fresh) && m.Tag(base) == tagFree
}

// release gives a segment back. It returns false when the address is no base
// of a segment in use, and the number of operands that still wait in it.
func (s *segments) release(m *Memory, addr uint32) (waiting int, ok bool) {
	base, inside := s.of(addr)
	if !inside || base != addr || m.Tag(base)&tagUse == tagFree {
		return 0, false
	}
	if n := int(m.Tag(base) / tagWaiter); n != 0 {
		return n, false
	}
	m.Write(base, uint64(s.free))
	m.SetTag(base, tagFree)
	s.free = base
	s.used--
	return 0, true
}

func (s *segments) state(c *state.Codec) {
	state.Num(c, &s.used)
	state.Num(c, &s.fresh)
	state.Num(c, &s.free)
	state.Num(c, &s.Peak)
}

// extent is a run of structure memory words.
type extent struct {
	start, words uint32
}

// structure hands out runs of consecutive words of structure memory, first
// fit [chosen]. The paper says only that the hardware knows how much is free
// (ESTN).
type structure struct {
	base, total uint32
	free        []extent // ascending, never adjacent; nil until first used
	taken       []extent // ascending
	left        uint32   // free words
	touched     bool
}

func (s *structure) get(words uint32) (start uint32, ok bool) {
	if !s.touched {
		s.touched = true
		s.free = []extent{{s.base, s.total}}
	}
	for i := range s.free {
		e := &s.free[i]
		if e.words < words {
			continue
		}
		start = e.start
		e.start += words
		e.words -= words
		if e.words == 0 {
			s.free = slices.Delete(s.free, i, i+1)
		}
		j, _ := slices.BinarySearchFunc(s.taken, start, byStart)
		s.taken = slices.Insert(s.taken, j, extent{start, words})
		s.left -= words
		return start, true
	}
	return 0, false
}

func (s *structure) release(start uint32) bool {
	i, ok := slices.BinarySearchFunc(s.taken, start, byStart)
	if !ok {
		return false
	}
	e := s.taken[i]
	s.taken = slices.Delete(s.taken, i, i+1)
	s.left += e.words
	j, _ := slices.BinarySearchFunc(s.free, start, byStart)
	s.free = slices.Insert(s.free, j, e)
	if j+1 < len(s.free) && s.free[j].start+s.free[j].words == s.free[j+1].start {
		s.free[j].words += s.free[j+1].words
		s.free = slices.Delete(s.free, j+1, j+2)
	}
	if j > 0 && s.free[j-1].start+s.free[j-1].words == s.free[j].start {
		s.free[j-1].words += s.free[j].words
		s.free = slices.Delete(s.free, j, j+1)
	}
	return true
}

func byStart(e extent, start uint32) int { return int(e.start) - int(start) }

func (s *structure) state(c *state.Codec) {
	state.Bool(c, &s.touched)
	state.Num(c, &s.left)
	for _, list := range []*[]extent{&s.free, &s.taken} {
		state.Len(c, list, addrMask)
		for i := range *list {
			state.Num(c, &(*list)[i].start)
			state.Num(c, &(*list)[i].words)
		}
	}
}
