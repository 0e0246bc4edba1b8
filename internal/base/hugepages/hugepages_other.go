//go:build !linux

package hugepages

// advise does nothing: only Linux has the request.
func advise([]byte) error { return nil }
