package rhinet

import "emsim/internal/base/rng"

// newRandom starts the random numbers of a rank. Each rank has its own, so what
// it draws depends neither on the number of ranks nor on the order in which
// they run.
func newRandom(seed uint64, rank int) rng.Stream {
	return rng.Stream(seed*1_000_003 + 77 + uint64(rank)*0x51ed270b)
}
