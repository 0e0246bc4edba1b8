// Package lists makes lists of lists.
package lists

// Of is a list of what f makes of each item.
func Of[T, R any](list []T, f func(T) R) []R {
	out := make([]R, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}
