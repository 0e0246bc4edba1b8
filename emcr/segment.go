package emcr

import (
	"slices"

	"emsim/internal/base/state"
)

// segments allocates operand segments. It first takes released segments from a free list, which is linked through word
// 0 of each segment, and then segments that have never been used.
type segments struct {
	base     uint32 // address of the first segment
	size     uint32 // words of a segment, a power of two
	total    int
	used     int
	everUsed int    // number of segments that were ever allocated; these have the lowest addresses
	freeList uint32 // head of the free list: the segment released last, 0 for none

	Peak int // largest number in use at once
}

// baseOf returns the base of the operand segment that contains an address. ok is false if there is no such segment.
func (s *segments) baseOf(addr uint32) (base uint32, ok bool) {
	// Segments are aligned to their size. For lower addresses the difference
	// wraps around.
	return addr &^ (s.size - 1), addr-s.base < uint32(s.total)*s.size
}

// allocate allocates a segment and writes the address of its template to word
// 0. It returns false if all segments are in use.
func (s *segments) allocate(m *Memory, template uint32) (base uint32, ok bool) {
	switch {
	case s.freeList != 0:
		base = s.freeList
		s.freeList = uint32(m.Read(base)) & addrMask
	case s.everUsed < s.total:
		base = s.base + uint32(s.everUsed)*s.size
		s.everUsed++
	default:
		return 0, false
	}
	m.WriteTagged(base, uint64(template), tagFresh)
	s.used++
	s.Peak = max(s.Peak, s.used)
	return base, true
}

// freeListIntact reports whether the free list is empty or begins with a released segment. A program can damage the
// list by storing to the words that link it.
func (s *segments) freeListIntact(m *Memory) bool {
	base, inside := s.baseOf(s.freeList)
	return s.freeList == 0 || inside && base == s.freeList && (base-s.base)/s.size < uint32(s.everUsed) &&
		m.Tag(base) == tagFree
}

// release frees the segment at addr and returns true. It returns false if addr is not the base of a segment in use, or
// if operands still wait in the segment; waiting is the number of these operands.
func (s *segments) release(m *Memory, addr uint32) (waiting int, ok bool) {
	base, inside := s.baseOf(addr)
	tag := m.Tag(base)
	if !inside || base != addr || tag&tagUse == tagFree {
		return 0, false
	}
	if tag >= tagWaiter {
		return int(tag / tagWaiter), false
	}
	m.WriteTagged(base, uint64(s.freeList), tagFree)
	s.freeList = base
	s.used--
	return 0, true
}

func (s *segments) state(c *state.Codec) {
	state.Num(c, &s.used)
	state.Num(c, &s.everUsed)
	state.Num(c, &s.freeList)
	c.In("statistics")
	state.Num(c, &s.Peak)
}

// extent is a run of words in structure memory.
type extent struct {
	start, words uint32
}

// structure allocates runs of consecutive words of structure memory, first fit [chosen]. The paper says only that the
// hardware knows how much is free: "ESTN is the amount of structure memory that can be used" [003 §4.1].
type structure struct {
	base, total uint32
	freeWords   uint32 // free words
	touched     bool
	freeRuns    []extent // ascending, never adjacent; nil until first used
	allocated   []extent // ascending
}

func (s *structure) allocate(words uint32) (start uint32, ok bool) {
	if !s.touched {
		s.touched = true
		s.freeRuns = []extent{{s.base, s.total}}
	}
	for i := range s.freeRuns {
		e := &s.freeRuns[i]
		if e.words < words {
			continue
		}
		start = e.start
		e.start += words
		e.words -= words
		if e.words == 0 {
			s.freeRuns = slices.Delete(s.freeRuns, i, i+1)
		}
		j, _ := slices.BinarySearchFunc(s.allocated, start, byStart)
		s.allocated = slices.Insert(s.allocated, j, extent{start, words})
		s.freeWords -= words
		return start, true
	}
	return 0, false
}

func (s *structure) release(start uint32) bool {
	i, ok := slices.BinarySearchFunc(s.allocated, start, byStart)
	if !ok {
		return false
	}
	e := s.allocated[i]
	s.allocated = slices.Delete(s.allocated, i, i+1)
	s.freeWords += e.words
	j, _ := slices.BinarySearchFunc(s.freeRuns, start, byStart)
	s.freeRuns = slices.Insert(s.freeRuns, j, e)
	if j+1 < len(s.freeRuns) && s.freeRuns[j].start+s.freeRuns[j].words == s.freeRuns[j+1].start {
		s.freeRuns[j].words += s.freeRuns[j+1].words
		s.freeRuns = slices.Delete(s.freeRuns, j+1, j+2)
	}
	if j > 0 && s.freeRuns[j-1].start+s.freeRuns[j-1].words == s.freeRuns[j].start {
		s.freeRuns[j-1].words += s.freeRuns[j].words
		s.freeRuns = slices.Delete(s.freeRuns, j, j+1)
	}
	return true
}

func byStart(e extent, start uint32) int { return int(e.start) - int(start) }

func (s *structure) state(c *state.Codec) {
	state.Bool(c, &s.touched)
	state.Num(c, &s.freeWords)
	for _, list := range []*[]extent{&s.freeRuns, &s.allocated} {
		state.Len(c, list, addrMask)
		for i := range *list {
			state.Num(c, &(*list)[i].start)
			state.Num(c, &(*list)[i].words)
		}
	}
}
