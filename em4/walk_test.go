package em4_test

import "emsim/internal/dev/ratios"

// walked is the smallest possible model of a PE that is stepped in every clock: 200 bytes of state, all of them touched
// in every clock, and one 3×3 arbitration of unpredictable requests.
type walked struct {
	state  [20]uint64
	random uint64
	served [3]uint64
	winner [3]uint8 // by output: the input that was served last
	_      [5]uint8
}

// turn is a round robin: it maps the set of requesting inputs and the input served last to the next input.
var turn = [8][3]uint8{{}, {}, {1, 1, 1}, {1, 0, 0}, {2, 2, 2}, {2, 2, 0}, {1, 2, 1}, {1, 2, 0}}

// step simulates one clock of one PE.
func (w *walked) step(clock uint64) {
	w.random ^= w.random << 13
	w.random ^= w.random >> 7
	w.random ^= w.random << 17
	var asked [4]uint8 // by output: the inputs that request it; the last element is for inputs without a request
	for in := range 3 {
		asked[w.random>>(8*in)&3] |= 1 << in
	}
	for out := range 3 {
		set := asked[out]
		if set == 0 {
			continue
		}
		w.winner[out] = turn[set][w.winner[out]]
		w.served[out]++
	}
	for i := range w.state {
		w.state[i] += clock
	}
}

// newWalk returns the yardstick for the machine and its network: a plain loop over n PEs in every clock, which is never
// tuned.
func newWalk(n, clocks int) func() ratios.Work {
	pes := make([]walked, n)
	for i := range pes {
		pes[i].random = uint64(i + 1)
	}
	return func() ratios.Work {
		for clock := range uint64(clocks) {
			for i := range pes {
				pes[i].step(clock)
			}
		}
		return ratios.Work{Clocks: float64(n * clocks)}
	}
}
