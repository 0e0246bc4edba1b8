// Package lists transforms and searches slices.
package lists

// Of returns the list of f(x) for each item x.
func Of[T, R any](list []T, f func(T) R) []R {
	out := make([]R, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}

// Where returns the items for which holds returns true, or nil if there are none.
func Where[T any](list []T, holds func(T) bool) (out []T) {
	for _, x := range list {
		if holds(x) {
			out = append(out, x)
		}
	}
	return out
}

// Find returns the first item for which holds returns true, and whether there is one.
func Find[T any](list []T, holds func(T) bool) (first T, found bool) {
	for _, x := range list {
		if holds(x) {
			return x, true
		}
	}
	return first, false
}

// Sum returns the sum of the values of(x) over all items x, added in the order of the items.
func Sum[T any, N int | int64 | uint64 | float64](list []T, of func(T) N) (sum N) {
	for _, x := range list {
		sum += of(x)
	}
	return sum
}
