package banyan

import "fmt"

// A Wiring says which lines connect two stages.
type Wiring string

// The wirings. All three are isomorphic: their best maps have the same cost, but their row-major maps do not.
const (
	Omega     Wiring = "omega"     // a perfect shuffle after every stage
	Butterfly Wiring = "butterfly" // bits 0 and n-1-s are swapped after stage s
	Baseline  Wiring = "baseline"  // the low n-s bits rotate right after stage s
)

// Wirings returns all wirings.
func Wirings() []Wiring { return []Wiring{Omega, Butterfly, Baseline} }

// MaxStages is the largest number of stages: 8 stages have 256 lines and 1024 LPs.
const MaxStages = 8

// MaxQueue is the largest capacity of a queue. It is limited because all cells of a queue are held in memory.
const MaxQueue = 1 << 20

// A Model holds the parameters of a banyan network.
type Model struct {
	Stages int     // n, 1 to MaxStages
	Wiring Wiring  // between the stages
	Load   float64 // cells per slot offered to every entry line, 0 to 1 [004 table 1: 0.8]
	Queue  int     // capacity of an output queue in cells; 0 means unbounded (chosen: 8)
	Seed   uint64  // seed of the sources' random streams
}

// Default returns the paper's network: load 0.8, omega wiring and queues of 8 cells
// (chosen).
func Default(stages int) Model {
	return Model{Stages: stages, Wiring: Omega, Load: 0.8, Queue: 8, Seed: 1}
}

// Lines returns the number of entry lines, 2^n.
func (m *Model) Lines() int { return 1 << m.Stages }

// PerStage returns the number of switches in a stage.
func (m *Model) PerStage() int { return 1 << (m.Stages - 1) }

// LPs returns the number of logical processes. LP id = stage * PerStage + place.
func (m *Model) LPs() int { return m.Stages * m.PerStage() }

// Stage returns the stage of an LP.
func (m *Model) Stage(lp int) int { return lp / m.PerStage() }

// Place returns the place of an LP within its stage.
func (m *Model) Place(lp int) int { return lp % m.PerStage() }

// Name returns the name of an LP: its stage and its place, as in "2.1".
func (m *Model) Name(lp int) string { return fmt.Sprintf("%d.%d", m.Stage(lp), m.Place(lp)) }

// Next returns the LP and the input to which output k of an LP leads. It must not be called for the last stage.
func (m *Model) Next(lp, k int) (next, input int) {
	s := m.Stage(lp)
	line := m.entryLine(s, 2*m.Place(lp)+k)
	return (s+1)*m.PerStage() + line>>1, line & 1
}

// entryLine returns the entry line of stage s+1 that a line of stage s is wired to.
func (m *Model) entryLine(s, line int) int {
	n := m.Stages
	switch m.Wiring {
	case Butterfly:
		high := n - 1 - s
		if line&1 != line>>high&1 {
			line ^= 1 | 1<<high
		}
		return line
	case Baseline:
		low := 1<<(n-s) - 1
		part := line & low
		return line&^low | part>>1 | part&1<<(n-s-1)
	}
	return line<<1&(m.Lines()-1) | line>>(n-1)
}

// Output returns the output that a cell takes in a stage: one bit of its destination, beginning with the highest bit
// in stage 0.
func (m *Model) Output(stage int, c Cell) int {
	return int(c.Dst) >> (m.Stages - 1 - stage) & 1
}
