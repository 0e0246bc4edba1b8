package banyan

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A cell reaches the line of its destination under every wiring.
func TestEveryPathEndsAtItsDestination(t *testing.T) {
	for n := 1; n <= MaxStages; n++ {
		for _, w := range Wirings() {
			m := Default(n)
			m.Wiring = w
			for src := range m.Lines() {
				for dst := range m.Lines() {
					line := src
					for s := range n {
						line = line&^1 | m.Output(s, Cell{Dst: uint16(dst)})
						if s < n-1 {
							line = m.entryLine(s, line)
						}
					}
					require.Equal(t, dst, line, "%s %d stages from %d", w, n, src)
				}
			}
		}
	}
}

// Every input is the target of exactly one output.
func TestWiringIsAPermutation(t *testing.T) {
	for _, w := range Wirings() {
		m := Default(4)
		m.Wiring = w
		seen := map[[2]int]bool{}
		for lp := range m.LPs() - m.PerStage() {
			for k := range 2 {
				next, input := m.Next(lp, k)
				require.Equal(t, m.Stage(lp)+1, m.Stage(next))
				require.False(t, seen[[2]int{next, input}])
				seen[[2]int{next, input}] = true
			}
		}
	}
}

// The mean wait at one switch without loss is p/(4(1-p)), as in theory.
func TestMeanWait(t *testing.T) {
	for _, load := range []float64{0.3, 0.5, 0.8} {
		m := Model{Stages: 1, Wiring: Omega, Load: load, Seed: 1}
		s := NewSwitch(&m, 0)
		for range 400_000 {
			s.Step(&m, [2]Slot{})
		}
		c := s.Counts()
		require.InDelta(t, load/(4*(1-load)), float64(c.Delay)/float64(c.Sunk), 0.02)
		require.Equal(t, c.Injected, c.Sunk+int64(s.Queued()))
		require.Zero(t, c.Drops)
	}
}
