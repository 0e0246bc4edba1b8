// Package apportion shares whole units in proportion to speeds, as equation (1)
// of the paper on RHiNET-2 does [001 §4].
package apportion

import (
	"cmp"
	"math"
	"slices"
)

// Shares splits units (rows, units of work) in proportion to speeds, whose sum
// is positive: the whole parts first, then one more to each of the largest
// fractions, among equals to the lower number.
func Shares(units int, speeds []float64) []int {
	sum := 0.0
	for _, v := range speeds {
		sum += v
	}
	out, fraction, order := make([]int, len(speeds)), make([]float64, len(speeds)), make([]int, len(speeds))
	left := units
	for i, v := range speeds {
		whole, f := math.Modf(float64(v / sum * float64(units)))
		out[i], fraction[i], order[i] = int(whole), f, i
		left -= out[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(fraction[b], fraction[a]) })
	for i := 0; left > 0; i, left = i+1, left-1 {
		out[order[i%len(order)]]++
	}
	return out
}
