//go:build !linux

package hugepages

// advise does nothing: only Linux knows the request.
func advise([]byte) error { return nil }
