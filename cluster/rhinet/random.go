package rhinet

// random is splitmix64, one generator per rank: a rank's draws do not depend
// on the number of ranks or on the order in which they run.
type random struct{ state uint64 }

func newRandom(seed uint64, rank int) random {
	return random{seed*1_000_003 + 77 + uint64(rank)*0x51ed270b}
}

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// uniform draws from [0,1).
func (r *random) uniform() float64 { return float64(r.next()>>11) / (1 << 53) }
