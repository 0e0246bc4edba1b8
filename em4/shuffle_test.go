package em4

import (
	"fmt"

	"emsim/internal/base/state"
)

// StepShuffled works as Step with every unit evaluated, in an order that the caller chooses. Tests use it to show that
// the order of the units within a clock does not matter. perm(n) returns a permutation of 0..n-1. It is called for the
// switches' first phase, for the PEs mixed with the switches' second phase, and for the units inside each PE.
func (m *Machine) StepShuffled(perm func(n int) []int) {
	t, n := m.clock, len(m.pe)
	m.catchUpAll()
	m.stepHost(t)
	moved := false
	for _, i := range perm(n) {
		if m.sched().ArbitrateOne(i, t) {
			moved = true
		}
	}
	for _, i := range perm(2 * n) {
		if i >= n {
			m.sched().TransferOne(i-n, t)
			continue
		}
		m.pe[i].StepShuffled(t, perm(6)[0])
		m.afterStep(m.partOf(i), i, m.lazyPE(i))
	}
	if moved {
		m.lastMove = t
	}
	m.clock++
	m.gather()
	m.evaluateAllNext() // deadlines have not been kept, and Step may follow
}

// Difference names the first part in which the states of two machines of one Config and Program differ: a PE, a switch,
// or a value of the machine itself. It returns "" if the states are equal.
func Difference(a, b *Machine) string {
	a.catchUpAll()
	b.catchUpAll()
	differ := func(walk func(m *Machine, c *state.Codec)) bool {
		var h [2]uint64
		for i, m := range []*Machine{a, b} {
			c := state.Hasher(nil)
			walk(m, c)
			h[i] = state.Hash(c.Bytes())
		}
		return h[0] != h[1]
	}
	for i := range a.pe {
		if differ(func(m *Machine, c *state.Codec) { m.pe[i].State(c) }) {
			return fmt.Sprintf("PE %v", a.Net.Address(i))
		}
		if differ(func(m *Machine, c *state.Codec) { m.Net.UnitState(c, i) }) {
			return fmt.Sprintf("SU and pins of PE %v", a.Net.Address(i))
		}
	}
	if differ(func(m *Machine, c *state.Codec) { m.State(c) }) {
		return fmt.Sprintf("clock (%d, %d), host words (%d, %d), packets from the host (%d, %d) or last move (%d, %d)",
			a.clock, b.clock, len(a.Net.HostWords()), len(b.Net.HostWords()), len(a.hostQueue), len(b.hostQueue),
			a.lastMove, b.lastMove)
	}
	return ""
}
