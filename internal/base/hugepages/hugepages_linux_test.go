package hugepages

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// A large slice gets the kernel's flag "hg", and a small one does not. The test takes memory from the system, because
// memory from Go's heap may have the flag already.
func TestLarge(t *testing.T) {
	for _, size := range []int{least, least - 8} {
		b, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		require.NoError(t, err)
		defer func() { require.NoError(t, syscall.Munmap(b)) }()
		Advise(unsafe.Slice((*uint64)(unsafe.Pointer(&b[0])), size/8))
		if flags := flagsOf(t, unsafe.Pointer(&b[size/2])); flags != nil {
			require.Equal(t, size == least, slices.Contains(flags, "hg"), "%d bytes: %v", size, flags)
		}
	}
}

// flagsOf returns the kernel's flags for the memory at an address. It returns nil if the kernel reports none or has no
// large pages.
func flagsOf(t *testing.T, at unsafe.Pointer) []string {
	maps, _ := os.ReadFile("/proc/self/smaps")
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		return nil
	}
	inside := false
	for line := range strings.Lines(string(maps)) {
		var from, to uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x ", &from, &to); n == 2 {
			inside = from <= uintptr(at) && uintptr(at) < to
		}
		if rest, ok := strings.CutPrefix(line, "VmFlags:"); ok && inside {
			return strings.Fields(rest)
		}
	}
	return nil
}
