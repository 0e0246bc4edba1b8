package banyan

// splitmix is Steele, Lea and Flood's SplitMix64: the state is a counter, so
// a stream is eight bytes that move with their LP.
type splitmix uint64

func (s *splitmix) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// source starts the stream of one entry line.
func source(seed uint64, line int) splitmix {
	return splitmix(seed*1000003 + uint64(line)*0x9e3779b9)
}

// draw decides whether a cell enters in this slot, and where it goes.
func (s *splitmix) draw(load float64, lines int) (dst int, ok bool) {
	// 53 random bits over 2^53 are exact in a float64.
	if float64(s.next()>>11)/(1<<53) >= load {
		return 0, false
	}
	return int((s.next() >> 33) % uint64(lines)), true
}
