// Package hugepages asks the operating system for large pages of memory. A large
// machine visits its units in no order that a cache could foresee; with pages of
// 4 KiB nearly every visit also has to look up where a page is.
//
//	hugepages.go  the request; hugepages_linux.go and hugepages_other.go: where it is known
package hugepages

import "unsafe"

// least is how much memory must be in one piece to be worth it: less fits into the
// host's caches [chosen; measured: 1024 PEs are slower with large pages].
const least = 16 << 20

// Advise asks for large pages for a slice that has just been made. It is to be
// called before the elements are first written, and does nothing where a slice
// is small or a system knows no such request.
func Advise[T any](s []T) {
	if b := bytesOf(s); len(b) >= least {
		_ = advise(b) // if the system refuses, the memory is as good as before
	}
}

// bytesOf returns the memory of a slice.
func bytesOf[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), uintptr(len(s))*unsafe.Sizeof(*new(T)))
}
