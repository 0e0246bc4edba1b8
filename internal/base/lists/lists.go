// Package lists makes lists of lists, and finds what is in them.
package lists

// Of returns a list of what f makes of each item.
func Of[T, R any](list []T, f func(T) R) []R {
	out := make([]R, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}

// Where returns a list of the items of which a condition holds, nil if there are none.
func Where[T any](list []T, holds func(T) bool) (out []T) {
	for _, x := range list {
		if holds(x) {
			out = append(out, x)
		}
	}
	return out
}

// Find returns the first item of which a condition holds; false if there is none.
func Find[T any](list []T, holds func(T) bool) (first T, found bool) {
	for _, x := range list {
		if holds(x) {
			return x, true
		}
	}
	return first, false
}

// Sum adds up a number of each item, in their order.
func Sum[T any, N int | int64 | uint64 | float64](list []T, of func(T) N) (sum N) {
	for _, x := range list {
		sum += of(x)
	}
	return sum
}
