//go:build !linux

package hugepages

// advise does nothing: only Linux supports it.
func advise([]byte) error { return nil }
