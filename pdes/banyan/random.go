package banyan

import "emsim/internal/base/rng"

// source starts the stream of one entry line.
func source(seed uint64, line int) rng.Stream {
	return rng.Stream(seed*1000003 + uint64(line)*0x9e3779b9)
}

// drawCell decides whether a cell enters in this slot, and where it goes.
func drawCell(s *rng.Stream, load float64, lines int) (dst int, ok bool) {
	if s.Unit() >= load {
		return 0, false
	}
	return s.Below(lines), true
}
