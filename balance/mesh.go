package balance

import "emsim/pdes/banyan"

// A Traffic is an edge of a graph of units: one message in each step.
type Traffic struct{ From, To int32 }

// stages returns the number of stages of the smallest banyan of at least n switches; each switch is a unit.
func stages(n int) int {
	s := 2
	for s<<(s-1) < n {
		s++
	}
	return s
}

// edgesOf lists the edges of an omega network of s stages.
func edgesOf(s int) []Traffic {
	m := banyan.Default(s)
	var out []Traffic
	for lp := range m.LPs() - m.PerStage() {
		for k := range 2 {
			to, _ := m.Next(lp, k)
			out = append(out, Traffic{int32(lp), int32(to)})
		}
	}
	return out
}

// window is the number of steps that a unit may be ahead of the units that read its messages [chosen: as in pdes].
const window = 8

// mesh is the state of a graph of units.
type mesh struct {
	edges []Traffic
	in    [][]int32 // by unit: its incoming edges
	out   [][]int32
	got   []int32 // by edge: number of messages received
}

func newMesh(units int, edges []Traffic) *mesh {
	m := &mesh{edges: edges, in: make([][]int32, units), out: make([][]int32, units), got: make([]int32, len(edges))}
	for k, e := range edges {
		m.out[e.From] = append(m.out[e.From], int32(k))
		m.in[e.To] = append(m.in[e.To], int32(k))
	}
	return m
}

// ready reports whether a unit can do its next step.
func (m *mesh) ready(units []unit, u int32, rounds int) bool {
	step := units[u].runs
	if int(step) >= rounds {
		return false
	}
	for _, k := range m.in[u] {
		if m.got[k] <= step {
			return false
		}
	}
	for _, k := range m.out[u] {
		if step-units[m.edges[k].To].runs >= window {
			return false
		}
	}
	return true
}
