package mapping

// epsilon is the least gain in cost that counts (chosen: far above rounding, far below any
// difference in the tables).
const epsilon = 1e-9

// An Objective says what a minimiser compares first.
type Objective string

// The objectives.
const (
	ByCost Objective = "cost" // the paper's cost function
	ByLoad Objective = "load" // beyond the paper: the busiest port, then the sum of squares, then cost
)

// Objectives returns all objectives.
func Objectives() []Objective { return []Objective{ByCost, ByLoad} }

// A Score is the value of a map under both objectives.
type Score struct {
	Cost    float64 // including the compute term, if it has a weight
	MaxLoad int64   // traffic over the busiest port between the nodes
	Squares float64 // sum of the squares of these ports' loads; a float, because for graphs it exceeds 63 bits
}

// Score returns the value of a map under both objectives.
func (p *Problem) Score(m Map) Score {
	highest, squares := p.PortLoad(m)
	return Score{Cost: p.Total(m), MaxLoad: highest, Squares: squares}
}

// Better reports whether s beats t: by cost and then port load, or by port load and then cost.
func (s Score) Better(t Score, o Objective) bool {
	if o == ByCost && (s.Cost < t.Cost-epsilon || s.Cost > t.Cost+epsilon) {
		return s.Cost < t.Cost
	}
	if s.MaxLoad != t.MaxLoad {
		return s.MaxLoad < t.MaxLoad
	}
	if s.Squares != t.Squares {
		return s.Squares < t.Squares
	}
	return s.Cost < t.Cost-epsilon
}
