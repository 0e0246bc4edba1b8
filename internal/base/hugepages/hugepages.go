// Package hugepages requests large memory pages from the operating system. A large machine visits its units in an order
// that defeats caches. With pages of 4 KiB, nearly every visit would also miss the host's TLB.
//
//	hugepages.go  the request; hugepages_linux.go and hugepages_other.go: its implementation by system
package hugepages

import "unsafe"

// least is the smallest slice, in bytes, that is worth large pages: less fits into the host's caches [chosen; measured:
// 1024 PEs are slower with large pages].
const least = 16 << 20

// Advise requests large pages for a new slice. It must be called before the elements are first written. It does nothing
// if the slice is small or the system does not support the request.
func Advise[T any](s []T) {
	if b := bytesOf(s); len(b) >= least {
		_ = advise(b) // if the system refuses, the memory works as before
	}
}

// bytesOf returns the memory of a slice.
func bytesOf[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), uintptr(len(s))*unsafe.Sizeof(*new(T)))
}
