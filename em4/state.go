package em4

import (
	"emsim/internal/state"
)

// State visits everything that can differ between two machines of one Config
// and Program at the boundary of two clocks. Sleeping PEs count their idle
// clocks late, so the walk first brings their counts up to date.
func (m *Machine) State(c *state.Codec) {
	m.settle()
	state.Num(c, &m.clock)
	state.Num(c, &m.lastMove)
	state.Num(c, &m.fed)
	state.Len(c, &m.feed, 1<<16)
	for i := range m.feed {
		m.feed[i].State(c)
	}
	m.Net.State(c)
	for i := range m.pe {
		m.pe[i].State(c)
	}
	if !c.Loading() {
		return
	}
	for i := range m.counted {
		m.counted[i] = m.clock
	}
	for w := range m.awake {
		m.awake[w] = m.all(w)
	}
}

// Hash returns the hash of the machine's state. buf is scratch room; it is
// returned for the next call.
func (m *Machine) Hash(buf []byte) (uint64, []byte) {
	c := state.Hasher(buf[:0])
	m.State(c)
	return state.Hash(c.Bytes()), c.Bytes()
}
