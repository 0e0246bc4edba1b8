package verify

import (
	"cmp"
	"math"
	"slices"

	"emsim/internal/base/lists"
)

// judgedRuns is the number of runs of whose best a row is judged, if the paper prints
// the best of several: it does not say of how many [chosen]. Rows of BestOf show what
// half and twice as many give.
const judgedRuns = 4

// asPrinted returns what the claim is compared with: the mean of all runs, or the
// expected best, as the paper prints it. Time and shares belong to the same run.
func (c Claim) asPrinted(v Value) Value {
	if c.ofBest() && v.Spread != nil && v.Text == "" && len(v.Spread.fastest) >= judgedRuns {
		v.Number = expectedBest(v.Spread.fastest, judgedRuns)
	}
	return v
}

// ofBest reports whether the paper's number is the best of several runs.
func (c Claim) ofBest() bool { return c.Cond["best"] == "yes" }

// bestOfRuns are the numbers of runs for which the expected best is shown: a paper that
// prints the best of several runs does not say of how many.
var bestOfRuns = []int{2, 4, 8}

// BestOf compares a number that a paper prints for the best of several runs with what
// the model gives in the fastest of that many runs, as an expectation over every choice of
// them from all of the row's runs.
type BestOf struct {
	Runs      int     `json:"runs"`
	Model     float64 `json:"model"`
	Deviation float64 `json:"deviation"` // in the unit of the row
	Inside    bool    `json:"inside"`    // the row's rule holds for it
}

// fastestFirst returns the values of runs in the order of their clocks.
func fastestFirst[T any](runs []T, clocks func(T) uint64, value func(T) float64) []float64 {
	runs = slices.Clone(runs)
	slices.SortStableFunc(runs, func(a, b T) int { return cmp.Compare(clocks(a), clocks(b)) })
	return lists.Of(runs, value)
}

// expectedBest returns the expected value of the fastest of k runs, drawn without repetition
// from those whose values are given, fastest first. The i-th of n is the fastest one in
// C(n-1-i, k-1) of all C(n, k) choices.
func expectedBest(values []float64, k int) float64 {
	n := len(values)
	chance, sum := float64(k)/float64(n), 0.0
	for i := range n - k + 1 {
		sum += float64(chance * values[i])
		chance = float64(chance * (float64(n-k-i) / float64(n-1-i)))
	}
	return sum
}

// bestOf compares a claim whose number comes from the best run.
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
