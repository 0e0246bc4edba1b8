package verify

import (
	"cmp"
	"math"
	"slices"

	"emsim/internal/base/lists"
)

// judgedRuns is the number of runs whose expected best is compared with the paper, if the paper prints the best of
// several runs without giving their number [chosen]. BestOf also shows the results for half and for twice this number.
const judgedRuns = 4

// asPrinted returns the value with which the claim is compared: the mean of all runs or, if the paper prints the best
// run, the expected best. The best run is the shortest one, also for a share.
func (c Claim) asPrinted(v Value) Value {
	if c.ofBest() && v.Spread != nil && v.Text == "" && len(v.Spread.fastest) >= judgedRuns {
		v.Number = expectedBest(v.Spread.fastest, judgedRuns)
	}
	return v
}

// ofBest reports whether the paper's number is the best of several runs.
func (c Claim) ofBest() bool { return c.Cond["best"] == "yes" }

// bestOfRuns lists the numbers of runs for which the expected best is shown. Papers that print the best of several
// runs do not give their number.
var bestOfRuns = []int{2, 4, 8}

// BestOf compares a number that a paper prints for the best of several runs with the model's fastest of Runs runs. The
// model's number is the expectation over all choices of Runs runs from the row's runs.
type BestOf struct {
	Runs      int     `json:"runs"`
	Model     float64 `json:"model"`
	Deviation float64 `json:"deviation"` // in the unit of the row
	Inside    bool    `json:"inside"`    // the row's rule holds for Model
}

// fastestFirst returns the values of the runs, sorted by the runs' clocks.
func fastestFirst[T any](runs []T, clocks func(T) uint64, value func(T) float64) []float64 {
	runs = slices.Clone(runs)
	slices.SortStableFunc(runs, func(a, b T) int { return cmp.Compare(clocks(a), clocks(b)) })
	return lists.Of(runs, value)
}

// expectedBest returns the expected value of the fastest of k runs, which are drawn without repetition from all runs.
// values holds the values of all runs, fastest first. Of the C(n, k) choices, the i-th of n runs is the fastest in
// C(n-1-i, k-1).
func expectedBest(values []float64, k int) float64 {
	n := len(values)
	chance, sum := float64(k)/float64(n), 0.0
	for i := range n - k + 1 {
		sum += float64(chance * values[i])
		chance = float64(chance * (float64(n-k-i) / float64(n-1-i)))
	}
	return sum
}

// bestOf returns the comparisons of a claim whose number comes from the best run, and nil for other claims.
func (c Claim) bestOf(v Value) []BestOf {
	if !c.ofBest() || v.Spread == nil || v.Text != "" {
		return nil
	}
	var list []BestOf
	for _, k := range bestOfRuns {
		if k > len(v.Spread.fastest) {
			break
		}
		b := BestOf{Runs: k, Model: expectedBest(v.Spread.fastest, k)}
		b.Deviation = c.deviation(b.Model)
		b.Inside = math.Abs(b.Deviation) <= c.Tolerance+rounding
		list = append(list, b)
	}
	return list
}
