package hugepages

import (
	"os"
	"syscall"
	"unsafe"
)

// advise asks for large pages for all whole pages of some memory. If the system
// refuses, the memory is as good as before.
func advise(b []byte) {
	page := uintptr(os.Getpagesize())
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(b))) & (page - 1)
	if skip >= uintptr(len(b)) {
		return
	}
	_ = syscall.Madvise(b[skip:], syscall.MADV_HUGEPAGE)
}
