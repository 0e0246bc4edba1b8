package hugepages

import (
	"os"
	"syscall"
	"unsafe"
)

// advise requests large pages for memory, from its first whole page.
func advise(b []byte) error {
	page := uintptr(os.Getpagesize())
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(b))) & (page - 1)
	if skip >= uintptr(len(b)) {
		return nil
	}
	return syscall.Madvise(b[skip:], syscall.MADV_HUGEPAGE)
}
